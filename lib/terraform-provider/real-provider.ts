import { openBindings, providerSchema } from "./schema";

/** Where a rehearsal cloud is, for the real google provider. */
export interface RealProviderOptions {
  /** Where the cloud answers, as in `http://127.0.0.1:8080/`. */
  readonly cloudUrl: string;
  /** Any text will do: the cloud records credentials and never checks them. @default "rehearsal" */
  readonly accessToken?: string;
}

/**
 * Services of the resource types and data sources that the stand-in knows: where each API is below the cloud's address, by the argument's name. What the
 * provider itself has for them are the same paths below each service's own host.
 */
export const endpoints = {
  certificate_manager_custom_endpoint: "v1/",
  // The data source of a project reads its billing account as well.
  cloud_billing_custom_endpoint: "v1/",
  compute_custom_endpoint: "compute/v1/",
  dns_custom_endpoint: "dns/v1/",
  logging_custom_endpoint: "v2/",
  // Its paths begin with the version.
  monitoring_custom_endpoint: "",
  resource_manager_custom_endpoint: "v1/",
  resource_manager_v3_custom_endpoint: "v3/",
  service_usage_custom_endpoint: "v1/",
  storage_custom_endpoint: "storage/v1/",
} as const;

const besideStandIn = [
  "google_compute_http_health_check",
  "google_compute_managed_ssl_certificate",
  "google_compute_region_ssl_policy",
  "google_compute_ssl_policy",
  "google_logging_project_bucket_config",
] as const;

/** Whether the cloud has a resource type that the stand-in keeps in the state alone: with the real provider it is made there. */
export function isInCloudBesideStandIn(type: string): boolean {
  return besideStandIn.some((each) => each === type);
}

/** The endpoint that a resource type or a data source of the provider asks, by what its name begins with; undefined for what asks nobody. */
export function endpointOf(type: string): keyof typeof endpoints | undefined {
  return servicePrefixes.find(([prefix]) => type.startsWith(prefix))?.[1];
}

const servicePrefixes: readonly (readonly [string, keyof typeof endpoints])[] = [
  ["google_certificate_manager_", "certificate_manager_custom_endpoint"],
  ["google_compute_", "compute_custom_endpoint"],
  ["google_dns_", "dns_custom_endpoint"],
  ["google_logging_", "logging_custom_endpoint"],
  ["google_monitoring_", "monitoring_custom_endpoint"],
  ["google_project_service", "service_usage_custom_endpoint"],
  ["google_project", "resource_manager_custom_endpoint"],
  ["google_storage_", "storage_custom_endpoint"],
];

/**
 * What the provider block says so that the real provider rehearses, on machines that can install it: the same stack, without the stand-in. By the provider's
 * documentation, "Custom Endpoints" of its reference.
 */
export function realProviderArguments({
  cloudUrl,
  accessToken = "rehearsal",
}: RealProviderOptions): Readonly<Record<string, string | boolean>> {
  const base = baseOf(cloudUrl);
  const custom = Object.entries(endpoints).map(([name, path]) => [name, `${base}${path}`]);
  return { ...Object.fromEntries(custom), access_token: accessToken, user_project_override: false };
}

/**
 * The environment that leads every other service of the provider to the cloud as well, which answers 501 for it: nothing that a stack has reaches the world
 * outside. As variables, because a provider of another version ignores those that it does not know, and refuses arguments that it does not know.
 */
export function realProviderEnvironment({ cloudUrl }: RealProviderOptions): Readonly<Record<string, string>> {
  const base = baseOf(cloudUrl);
  const { attributes } = providerSchema(openBindings());
  const others = [...attributes.keys()].filter((name) => name.endsWith("_custom_endpoint") && !(name in endpoints));
  return Object.fromEntries(others.map((name) => [`GOOGLE_${name.toUpperCase()}`, `${base}not-emulated/${name}/`]));
}

/** With a slash at its end, as the provider insists on for every endpoint. */
function baseOf(cloudUrl: string): string {
  return cloudUrl.endsWith("/") ? cloudUrl : `${cloudUrl}/`;
}
