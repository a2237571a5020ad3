import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { makeClientPki } from "../support/client-certificates";
import { startTestCloud, type TestCloud } from "../support/cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(90_000);

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

const region = "europe-west1";
const { root, intermediate, client } = makeClientPki();
const stores = [
  { trust_anchors: [{ pem_certificate: root.pem }], intermediate_cas: [{ pem_certificate: intermediate.pem }] },
];
const trustConfigPath = `/v1/projects/p1/locations/${region}/trustConfigs/clients`;

function stackOf(mode: string, trust: object): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project: "p1", region } },
    resource: {
      google_certificate_manager_trust_config: { main: { name: "clients", location: region, ...trust } },
      google_network_security_server_tls_policy: {
        main: {
          name: `clients-${mode.toLowerCase().replaceAll("_", "-")}`,
          location: region,
          mtls_policy: {
            client_validation_mode: mode,
            client_validation_trust_config: "${google_certificate_manager_trust_config.main.id}",
          },
          lifecycle: {
            create_before_destroy: true,
            // The response of the service contains the project number.
            ignore_changes: ["mtls_policy[0].client_validation_trust_config"],
          },
        },
      },
    },
  };
}

test("trust configs change in place without a mask, and a changed mode replaces the policy", async () => {
  await using terraform = await openTerraform(provider);
  const allowing = "ALLOW_INVALID_OR_MISSING_CLIENT_CERT";
  const allowlisted_certificates = [{ pem_certificate: client().pem }];
  await terraform.apply(stackOf(allowing, { trust_stores: stores, labels: { team: "pay" } }));
  expect(await terraform.plan()).toBe(0);
  expect(await cloud.make("GET", trustConfigPath)).toMatchObject({
    trustStores: [
      { trustAnchors: [{ pemCertificate: root.pem }], intermediateCas: [{ pemCertificate: intermediate.pem }] },
    ],
  });

  await terraform.apply(stackOf(allowing, { trust_stores: stores, allowlisted_certificates }));
  expect(await terraform.plan()).toBe(0);
  const changed = await cloud.make("GET", trustConfigPath);
  expect(changed).toHaveProperty("allowlistedCertificates");
  expect(changed.labels ?? {}).not.toHaveProperty("team");

  await terraform.apply(stackOf("REJECT_INVALID", { trust_stores: stores }));
  expect(await terraform.plan()).toBe(0);
  expect((await cloud.make("GET", trustConfigPath)).allowlistedCertificates ?? []).toEqual([]);
  expect(
    cloud.requests().flatMap(({ method, mutation }) => (mutation ? [method?.replace(/^.*\.locations\./, "")] : [])),
  ).toEqual([
    "trustConfigs.create",
    "serverTlsPolicies.create",
    "trustConfigs.patch",
    "trustConfigs.patch",
    "serverTlsPolicies.create",
    "serverTlsPolicies.delete",
  ]);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect((await cloud.call("GET", trustConfigPath)).status).toBe(404);
});
