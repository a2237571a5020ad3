/** Arguments of the provider block that point the real google provider to a rehearsal cloud. */
export interface RealProviderOptions {
  /** Where the cloud answers, as in `http://127.0.0.1:8080/`. */
  readonly cloudUrl: string;
  /** Any text will do: the cloud records credentials and never checks them. @default "rehearsal" */
  readonly accessToken?: string;
}

/** Where each API is below the cloud's address; by the argument's name. */
const endpoints = {
  certificate_manager_custom_endpoint: "v1/",
  compute_custom_endpoint: "compute/v1/",
  dns_custom_endpoint: "dns/v1/",
  resource_manager_v3_custom_endpoint: "v3/",
  service_usage_custom_endpoint: "v1/",
} as const;

/**
 * What the provider block says so that the real provider rehearses, on machines that can install it: the same stack, without the stand-in. By the provider's
 * documentation, "Custom Endpoints" of its reference.
 */
export function realProviderArguments({
  cloudUrl,
  accessToken = "rehearsal",
}: RealProviderOptions): Readonly<Record<string, string | boolean>> {
  const base = cloudUrl.endsWith("/") ? cloudUrl : `${cloudUrl}/`;
  const custom = Object.entries(endpoints).map(([name, path]) => [name, `${base}${path}`]);
  return { ...Object.fromEntries(custom), access_token: accessToken, user_project_override: false };
}
