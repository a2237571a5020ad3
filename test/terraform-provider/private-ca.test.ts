import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startTestCloud, type TestCloud } from "../support/cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(120_000);

let cloud: TestCloud;
let provider: TerraformProvider;

beforeAll(async () => {
  cloud = await startTestCloud({ behavior: { operationMs: 0 } });
  provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
});

afterAll(async () => {
  await provider.close();
  await cloud.stop();
});

const place = "projects/p1/locations/europe-west6";
const config = "projects/p1/locations/global/certificateIssuanceConfigs/config";

/** A pool with a root, and a certificate that the pool issues. */
function stackOf(authority: object = {}, pool: object = {}): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project: "p1" } },
    resource: {
      google_privateca_ca_pool: {
        main: { name: "internal", location: "europe-west6", tier: "ENTERPRISE", ...pool },
      },
      google_privateca_certificate_authority: {
        main: {
          certificate_authority_id: "root",
          pool: "${google_privateca_ca_pool.main.name}",
          location: "europe-west6",
          key_spec: { algorithm: "EC_P256_SHA256" },
          config: {
            subject_config: { subject: { common_name: "Corp Root", organization: "Corp" } },
            x509_config: {
              ca_options: { is_ca: true },
              key_usage: {
                base_key_usage: { cert_sign: true, crl_sign: true },
                extended_key_usage: { server_auth: true },
              },
            },
          },
          deletion_protection: false,
          skip_grace_period: true,
          ...authority,
        },
      },
      google_certificate_manager_certificate_issuance_config: {
        main: {
          name: "config",
          lifetime: "1814400s",
          rotation_window_percentage: 34,
          key_algorithm: "ECDSA_P256",
          certificate_authority_config: {
            certificate_authority_service_config: { ca_pool: "${google_privateca_ca_pool.main.id}" },
          },
        },
      },
      google_certificate_manager_certificate: {
        main: {
          name: "status",
          managed: {
            domains: ["status.corp.internal"],
            issuance_config: "${google_certificate_manager_certificate_issuance_config.main.id}",
          },
          depends_on: ["google_privateca_certificate_authority.main"],
        },
      },
    },
  };
}

test("makes a pool, its CA and a certificate that they issue, plans no further change, and destroys all", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(stackOf());
  const authority = `${place}/caPools/internal/certificateAuthorities/root`;
  expect((await cloud.make("GET", `/v1/${authority}`)).state).toBe("ENABLED");
  await cloud.clock.advance(60_000);
  const { managed } = await cloud.make("GET", "/v1/projects/p1/locations/global/certificates/status");
  expect(managed).toMatchObject({ state: "ACTIVE", issuanceConfig: config });
  expect(await terraform.plan()).toBe(0);

  // The last enabled CA of a pool to which an issuance config refers can't be disabled.
  const { type, lifetime, keySpec, config: caConfig } = await cloud.make("GET", `/v1/${authority}`);
  const next = `${place}/caPools/internal/certificateAuthorities/next`;
  const body = { type, lifetime, keySpec, config: caConfig };
  await cloud.make("POST", `/v1/${place}/caPools/internal/certificateAuthorities?certificateAuthorityId=next`, body);
  await cloud.make("POST", `/v1/${next}:enable`, {});
  await terraform.apply(stackOf({ desired_state: "DISABLED" }, { labels: { team: "a" } }));
  expect((await cloud.make("GET", `/v1/${authority}`)).state).toBe("DISABLED");
  expect((await cloud.make("GET", `/v1/${place}/caPools/internal`)).labels).toMatchObject({ team: "a" });
  expect(await terraform.plan()).toBe(0);

  await cloud.make("POST", `/v1/${next}:disable`, { ignoreDependentResources: true });
  await cloud.make("DELETE", `/v1/${next}?skipGracePeriod=true`);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect((await cloud.make("GET", `/v1/${place}/caPools`)).caPools).toEqual([]);
});
