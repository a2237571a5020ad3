import { Certificate, CertificateIssuer } from "../../lib";
import { migrate } from "../support/migrate";
import { newStack, onlyAddress, onlyResource, resourcesOf, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

const caPool = "projects/p/locations/europe-west6/caPools/internal";
const configType = "google_certificate_manager_certificate_issuance_config";
const certificateType = "google_certificate_manager_certificate";

test("certificates of one private CA share an issuance config, need no authorization, and have gates", () => {
  const stack = newStack();
  const issuer = CertificateIssuer.caPool(caPool, {
    lifetime: "21d",
    rotationWindowPercentage: 50,
    keyAlgorithm: "ECDSA_P256",
  });
  migrate(stack, {
    certificates: [
      Certificate.privateCa({ domains: ["status.corp.internal"], issuer }),
      Certificate.privateCa({ domains: ["ci.corp.internal"], issuer }),
    ],
  });
  const synthesized = synthesize(stack);
  const config = onlyAddress(synthesized, configType);

  expect(onlyResource(synthesized, configType)).toMatchObject({
    key_algorithm: "ECDSA_P256",
    lifetime: "1814400s",
    location: "global",
    rotation_window_percentage: 50,
    certificate_authority_config: { certificate_authority_service_config: { ca_pool: caPool } },
    lifecycle: { create_before_destroy: true },
  });
  expect(Object.values(resourcesOf(synthesized, certificateType)).map(({ managed }) => managed)).toEqual([
    { domains: ["ci.corp.internal"], issuance_config: `\${${config}.id}` },
    { domains: ["status.corp.internal"], issuance_config: `\${${config}.id}` },
  ]);
  expect(resourcesOf(synthesized, "google_certificate_manager_dns_authorization")).toEqual({});
  expect(Object.keys(resourcesOf(synthesized, "terraform_data"))).toHaveLength(3);
  expect(mistakesOf(synthesized)).toEqual([]);
});

test("an existing issuance config is only referenced, and the output marks the certificate", () => {
  const stack = newStack();
  const existingIssuanceConfig = "projects/p/locations/global/certificateIssuanceConfigs/corp";
  migrate(stack, {
    certificates: [
      Certificate.privateCa({
        domains: ["status.corp.internal"],
        issuer: CertificateIssuer.issuanceConfig(existingIssuanceConfig),
      }),
    ],
  });
  const synthesized = synthesize(stack);
  const output = synthesized.output?.cert_migration?.value as
    | { readonly migrations: Readonly<Record<string, { readonly certificates: readonly object[] }>> }
    | undefined;

  expect(resourcesOf(synthesized, configType)).toEqual({});
  expect(onlyResource(synthesized, certificateType).managed).toEqual({
    domains: ["status.corp.internal"],
    issuance_config: existingIssuanceConfig,
  });
  expect(Object.values(output?.migrations ?? {})[0]?.certificates).toMatchObject([
    { kind: "managed", isPrivatelyIssued: true },
  ]);
});
