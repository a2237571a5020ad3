import { TerraformVariable } from "cdktf";
import {
  Certificate,
  CertificateIssuer,
  type CertificateSpec,
  DnsPublication,
  InputError,
  LoadBalancer,
  ManagedCertMigration,
  PrivateKey,
} from "../../lib";
import { makeCertificate } from "../support/make-certificate";
import { migrate, refusal } from "../support/migrate";
import { newStack, synthesize } from "../support/synth";

const { certificatePem, privateKeyPem } = makeCertificate(["upload.example.com"]);
const caPool = "projects/p/locations/global/caPools/internal";
const config = "projects/p/locations/global/certificateIssuanceConfigs/internal";
const id = "projects/p/locations/global/certificates/known";

/** Each row: a factory, the same certificate as data, and as data of earlier releases. */
const rows: readonly (readonly [string, Certificate, CertificateSpec, CertificateSpec])[] = [
  [
    "managed",
    Certificate.managed({ domains: ["a.example.com"], primary: true }),
    { kind: "managed", domains: ["a.example.com"], primary: true },
    { domains: ["a.example.com"], primary: true },
  ],
  [
    "selfManaged with a variable",
    Certificate.selfManaged({ certificatePem, privateKey: PrivateKey.variable("key", { storage: "state" }) }),
    { kind: "selfManaged", certificatePem, privateKeyVariable: "key", privateKeyStorage: "state" },
    { selfManaged: { certificatePem, privateKeyVariable: "key", privateKeyStorage: "state" } },
  ],
  [
    "selfManaged with a text",
    Certificate.selfManaged({ certificatePem, privateKey: PrivateKey.pem(privateKeyPem) }),
    { kind: "selfManaged", certificatePem, privateKeyPem },
    { selfManaged: { certificatePem, privateKeyPem } },
  ],
  [
    "privateCa with a pool",
    Certificate.privateCa({
      domains: ["a.corp.internal"],
      issuer: CertificateIssuer.caPool(caPool, { lifetime: "21d", rotationWindowPercentage: 50 }),
    }),
    { kind: "privateCa", domains: ["a.corp.internal"], caPool, lifetime: "21d", rotationWindowPercentage: 50 },
    { domains: ["a.corp.internal"], issuedBy: { caPool, lifetime: "21d", rotationWindowPercentage: 50 } },
  ],
  [
    "privateCa with an issuance config",
    Certificate.privateCa({ domains: ["a.corp.internal"], issuer: CertificateIssuer.issuanceConfig(config) }),
    { kind: "privateCa", domains: ["a.corp.internal"], existingIssuanceConfig: config },
    { domains: ["a.corp.internal"], issuedBy: { existingIssuanceConfig: config } },
  ],
  [
    "existing",
    Certificate.existing(id, { domains: ["known.example.com"] }),
    { kind: "existing", id, domains: ["known.example.com"] },
    { existingCertificateId: id, domains: ["known.example.com"] },
  ],
];

test.each(rows)(
  "%s gives the same stack as its data, and as data of earlier releases",
  (_, certificate, now, former) => {
    const ofProps = newStack();
    new ManagedCertMigration(ofProps, "shop", {
      name: "shop",
      certificates: [certificate],
      dns: DnsPublication.external(),
      loadBalancer: LoadBalancer.globalExternal(),
    });
    const ofData = (spec: CertificateSpec) => {
      const stack = newStack();
      ManagedCertMigration.fromSpec(stack, "shop", {
        name: "shop",
        certificates: [spec],
        dns: { kind: "external" },
        loadBalancer: { kind: "globalExternal" },
      });
      return JSON.stringify(synthesize(stack));
    };
    expect(ofData(now)).toBe(JSON.stringify(synthesize(ofProps)));
    expect(ofData(former)).toBe(ofData(now));
  },
);

test("accepts a token as key and certificate", () => {
  const stack = newStack();
  const key = new TerraformVariable(stack, "key", { type: "string", sensitive: true });
  const pem = new TerraformVariable(stack, "pem", { type: "string" });
  const certificate = Certificate.selfManaged({
    domains: ["example.com"],
    certificatePem: pem.stringValue,
    privateKey: PrivateKey.pem(key.stringValue),
  });
  expect(refusal(() => migrate(stack, { certificates: [certificate] }))).toEqual([]);
});

test("refuses a plain object and other values in place of a certificate, each with its place and all other mistakes", () => {
  const certificates = [{ domains: ["example.com"] }, Certificate.managed({ domains: ["localhost"] }), 5, null];
  const act = () => migrate(newStack(), { certificates: certificates as never });
  expect(refusal(act)).toEqual(["value-wrong-type", "value-wrong-type", "value-wrong-type", "hostname-not-public"]);
  expect(act).toThrow(
    "prod/shop: 'certificates[0]' is not a Certificate; use Certificate.managed, Certificate.fromSpec or another factory",
  );
});

test.each<[string, () => unknown, string]>([
  [
    "no options",
    () => Certificate.managed(undefined as never),
    "value-wrong-type: Certificate.managed: the options are undefined; use a mapping",
  ],
  [
    "a kind in the options",
    () => Certificate.managed({ kind: "existing", domains: [] } as never),
    "property-unknown: Certificate.managed: unknown property 'kind'; the factory sets the kind",
  ],
  [
    "no private key",
    () => Certificate.selfManaged({ certificatePem } as never),
    "property-missing: Certificate.selfManaged: 'privateKey' is missing; use PrivateKey.variable or PrivateKey.pem",
  ],
  [
    "a text as private key",
    () => Certificate.selfManaged({ certificatePem, privateKey: privateKeyPem as never }),
    "value-wrong-type: Certificate.selfManaged: 'privateKey' is not a PrivateKey; use PrivateKey.variable or PrivateKey.pem",
  ],
  [
    "a text as issuer",
    () => Certificate.privateCa({ domains: ["a.corp.internal"], issuer: caPool as never }),
    "value-wrong-type: Certificate.privateCa: 'issuer' is not a CertificateIssuer; use CertificateIssuer.caPool or CertificateIssuer.issuanceConfig",
  ],
])("a factory refuses %s", (_, act, message) => {
  expect(messageOf(act)).toBe(message);
});

test.each<[string, Certificate]>([
  ["a CA pool of a managed certificate", Certificate.managed({ domains: ["example.com"], caPool } as never)],
  [
    "another generation of an existing certificate",
    Certificate.existing(id, { domains: ["a.b"], generation: 1 } as never),
  ],
])("a migration refuses %s, which the types do not have", (_, certificate) => {
  expect(refusal(() => migrate(newStack(), { certificates: [certificate] }))).toEqual(["property-unknown"]);
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "";
}
