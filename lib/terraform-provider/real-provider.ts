import { installedBindings, openBindings, providerSchema } from "./schema";

/** Location of a rehearsal cloud, for the real google provider. */
export interface RealProviderOptions {
  /** URL of the cloud, for example `http://127.0.0.1:8080/`. */
  readonly cloudUrl: string;
  /**
   * Access token; any text is valid, because the cloud records credentials and never checks them.
   *
   * @default "rehearsal"
   */
  readonly accessToken?: string;
}

/**
 * Custom endpoints of the services that the stand-in supports: the path of each API below the cloud's URL, by the
 * argument's name. The provider's own endpoints have the same paths below each service's host.
 */
const endpoints = {
  certificate_manager_custom_endpoint: "v1/",
  // The data source of a project also reads its billing account.
  cloud_billing_custom_endpoint: "v1/",
  compute_custom_endpoint: "compute/v1/",
  dns_custom_endpoint: "dns/v1/",
  logging_custom_endpoint: "v2/",
  // The paths of requests begin with the version.
  monitoring_custom_endpoint: "",
  network_security_custom_endpoint: "v1/",
  privateca_custom_endpoint: "v1/",
  resource_manager_custom_endpoint: "v1/",
  resource_manager_v3_custom_endpoint: "v3/",
  service_usage_custom_endpoint: "v1/",
  storage_custom_endpoint: "storage/v1/",
} as const;

/**
 * Returns the arguments of the provider block for a rehearsal with the real provider, on machines that can install it.
 * The stack is the same as with the stand-in, and keeps its `user_project_override`. Source: the provider's
 * documentation, "Custom Endpoints" of its reference.
 */
export function realProviderArguments({
  cloudUrl,
  accessToken = "rehearsal",
}: RealProviderOptions): Readonly<Record<string, string | boolean>> {
  const base = baseOf(cloudUrl);
  const custom = Object.entries(endpoints).map(([name, path]) => [name, `${base}${path}`]);
  return { ...Object.fromEntries(custom), access_token: accessToken };
}

/**
 * Returns the environment that sends requests for every other service to the cloud, which answers 501, so that nothing
 * in a stack reaches the real services. Uses variables, because a provider of another version ignores unknown
 * variables, but refuses unknown arguments.
 */
export function realProviderEnvironment({ cloudUrl }: RealProviderOptions): Readonly<Record<string, string>> {
  const base = baseOf(cloudUrl);
  // The stack may require another version than the newest bindings, and each version has services that others lack.
  const bindings = [openBindings(), ...installedBindings()];
  const named = bindings.flatMap((binding) => [...providerSchema(binding).attributes.keys()]);
  const others = [...new Set(named)].filter((name) => name.endsWith("_custom_endpoint") && !(name in endpoints));
  return Object.fromEntries(others.map((name) => [`GOOGLE_${name.toUpperCase()}`, `${base}not-emulated/${name}/`]));
}

/** Returns the URL with a trailing slash, which the provider requires for every endpoint. */
function baseOf(cloudUrl: string): string {
  return cloudUrl.endsWith("/") ? cloudUrl : `${cloudUrl}/`;
}
