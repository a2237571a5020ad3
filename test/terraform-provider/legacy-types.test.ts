import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startTestCloud, type TestCloud } from "../support/cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

let cloud: TestCloud;
let provider: TerraformProvider;

beforeAll(async () => {
  cloud = await startTestCloud({ behavior: { operationMs: 0, propagationMs: 0 } });
  provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
});

afterAll(async () => {
  await provider.close();
  await cloud.stop();
});

/** Types of Compute Engine that Certificate Manager and newer health checks follow. */
function stackOf(port: number, policy: object): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project: "p1", region: "europe-west1" } },
    data: { google_compute_ssl_policy: { found: { name: "strict", depends_on: ["google_compute_ssl_policy.main"] } } },
    output: { tls: { value: "${data.google_compute_ssl_policy.found.min_tls_version}" } },
    resource: {
      google_compute_http_health_check: { main: { name: "legacy", port } },
      google_compute_ssl_policy: { main: { name: "strict", ...policy } },
      google_compute_region_ssl_policy: { main: { name: "regional", region: "europe-west1", ...policy } },
      google_compute_managed_ssl_certificate: {
        main: { name: "managed", managed: { domains: ["shop.example.com."] } },
      },
      google_compute_backend_service: {
        main: {
          name: "web",
          health_checks: ["${google_compute_http_health_check.main.id}"],
          log_config: { enable: true },
          circuit_breakers: { max_connections: 8 },
        },
      },
      google_compute_url_map: {
        main: { name: "web", default_service: "${google_compute_backend_service.main.id}" },
      },
      google_compute_target_https_proxy: {
        main: {
          name: "web",
          url_map: "${google_compute_url_map.main.id}",
          ssl_certificates: ["${google_compute_managed_ssl_certificate.main.id}"],
          ssl_policy: "${google_compute_ssl_policy.main.id}",
        },
      },
    },
  };
}

const compute = "/compute/v1/projects/p1";

test("applies a load balancer with legacy types, changes it in place and destroys it", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(stackOf(80, { profile: "CUSTOM", custom_features: ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"] }));
  expect(await terraform.plan()).toBe(0);
  expect(await cloud.make("GET", `${compute}/global/httpHealthChecks/legacy`)).toMatchObject({ port: 80 });
  expect(await cloud.make("GET", `${compute}/global/sslCertificates/managed`)).toMatchObject({ type: "MANAGED" });
  // Defaults of blocks inside the resource are sent as well.
  expect(await cloud.make("GET", `${compute}/global/backendServices/web`)).toMatchObject({
    logConfig: { enable: true, sampleRate: 1 },
    circuitBreakers: { maxConnections: 8, maxRequests: 1_024, maxPendingRequests: 1_024, maxRetries: 3 },
  });

  const changed = await terraform.apply(stackOf(8080, { profile: "MODERN", min_tls_version: "TLS_1_2" }));
  expect(changed).toContain("0 added, 3 changed, 0 destroyed");
  for (const place of ["global/sslPolicies/strict", "regions/europe-west1/sslPolicies/regional"]) {
    const policy = await cloud.make("GET", `${compute}/${place}`);
    expect(policy).toMatchObject({ profile: "MODERN", minTlsVersion: "TLS_1_2" });
    expect(policy).not.toHaveProperty("customFeatures");
  }
  expect(await cloud.make("GET", `${compute}/global/httpHealthChecks/legacy`)).toMatchObject({ port: 8080 });
  expect(await terraform.plan()).toBe(0);
  expect(JSON.parse(await terraform.succeed("output", "-json", "tls"))).toBe("TLS_1_2");

  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect(await cloud.call("GET", `${compute}/global/sslPolicies/strict`)).toMatchObject({ status: 404 });
});
