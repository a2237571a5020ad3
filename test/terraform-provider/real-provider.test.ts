import { realProviderArguments, realProviderEnvironment } from "../../lib/terraform-provider";
import { cloudKinds, dataKinds, keptRows } from "../../lib/terraform-provider/resources";
import { openBindings, providerSchema } from "../../lib/terraform-provider/schema";

const cloudUrl = "http://127.0.0.1:8080";
const { attributes } = providerSchema(openBindings());
const endpointsOfSchema = [...attributes.keys()].filter((name) => name.endsWith("_custom_endpoint"));

/** Endpoint of each resource type and data source, by the beginning of its name. */
const endpointsByPrefix: readonly (readonly [string, string])[] = [
  ["google_certificate_manager_", "certificate_manager_custom_endpoint"],
  ["google_compute_", "compute_custom_endpoint"],
  ["google_dns_", "dns_custom_endpoint"],
  ["google_logging_", "logging_custom_endpoint"],
  ["google_monitoring_", "monitoring_custom_endpoint"],
  ["google_network_security_", "network_security_custom_endpoint"],
  ["google_privateca_", "privateca_custom_endpoint"],
  ["google_project_service", "service_usage_custom_endpoint"],
  ["google_project", "resource_manager_custom_endpoint"],
  ["google_storage_", "storage_custom_endpoint"],
];

test("sets the cloud's endpoints with arguments that the real provider has", () => {
  const settings = realProviderArguments({ cloudUrl });
  expect(settings).toEqual({
    access_token: "rehearsal",
    certificate_manager_custom_endpoint: "http://127.0.0.1:8080/v1/",
    cloud_billing_custom_endpoint: "http://127.0.0.1:8080/v1/",
    compute_custom_endpoint: "http://127.0.0.1:8080/compute/v1/",
    dns_custom_endpoint: "http://127.0.0.1:8080/dns/v1/",
    logging_custom_endpoint: "http://127.0.0.1:8080/v2/",
    monitoring_custom_endpoint: "http://127.0.0.1:8080/",
    network_security_custom_endpoint: "http://127.0.0.1:8080/v1/",
    privateca_custom_endpoint: "http://127.0.0.1:8080/v1/",
    resource_manager_custom_endpoint: "http://127.0.0.1:8080/v1/",
    resource_manager_v3_custom_endpoint: "http://127.0.0.1:8080/v3/",
    service_usage_custom_endpoint: "http://127.0.0.1:8080/v1/",
    storage_custom_endpoint: "http://127.0.0.1:8080/storage/v1/",
  });
  expect(Object.keys(settings).filter((name) => !attributes.has(name))).toEqual([]);
});

test("has an endpoint of the cloud for every resource type and data source of the stand-in", () => {
  const settings = realProviderArguments({ cloudUrl });
  const types = [...cloudKinds, ...keptRows, ...dataKinds].map(({ type }) => type);
  // This data source only repeats the provider block.
  const requesting = types.filter((type) => type !== "google_client_config");
  const endpointOf = (type: string) => endpointsByPrefix.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "";
  expect(requesting.filter((type) => !Object.hasOwn(settings, endpointOf(type)))).toEqual([]);
});

test("sends every other service of the provider to the cloud too, which supports none of them", () => {
  const environment = realProviderEnvironment({ cloudUrl });
  const settings = realProviderArguments({ cloudUrl });
  const led = [
    ...Object.keys(settings),
    ...Object.keys(environment).map((name) => name.slice("GOOGLE_".length).toLowerCase()),
  ];
  expect(endpointsOfSchema.length).toBeGreaterThan(100);
  expect(endpointsOfSchema.filter((name) => !led.includes(name))).toEqual([]);
  expect(environment.GOOGLE_PUBSUB_CUSTOM_ENDPOINT).toBe("http://127.0.0.1:8080/not-emulated/pubsub_custom_endpoint/");
});

test("writes every endpoint in the provider's required form: with a path and a final slash", () => {
  const all = [
    ...Object.values(realProviderArguments({ cloudUrl })),
    ...Object.values(realProviderEnvironment({ cloudUrl })),
  ];
  const urls = all.filter((value): value is string => typeof value === "string" && value.startsWith("http"));
  expect(urls.filter((url) => !/.*\/[^/]+\/$/.test(url))).toEqual([]);
});
