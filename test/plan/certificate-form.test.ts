import fc from "fast-check";
import {
  type CertificateSpec,
  type MigrationSpec,
  parseMigrationDocument,
  planMigration,
  serializePlan,
} from "../../lib/plan";
import { makeCertificate } from "../support/make-certificate";
import { runs } from "../support/runs";

const { certificatePem, privateKeyPem } = makeCertificate(["upload.example.com"]);
const caPool = "projects/p/locations/global/caPools/internal";
const existingIssuanceConfig = "projects/p/locations/global/certificateIssuanceConfigs/internal";
const id = "projects/p/locations/global/certificates/known";

const planOf = (...certificates: readonly CertificateSpec[]) =>
  planMigration({ name: "shop", certificates, dns: { kind: "external" } });

const errorsOf = (certificate: object) =>
  planOf(certificate)
    .findings.filter(({ severity }) => severity === "error")
    .map(({ code, subject }) => `${code} ${subject}`);

/** Each row: a certificate, and the same certificate as earlier releases wrote it. */
const pairs: readonly (readonly [kind: string, certificate: CertificateSpec, former: CertificateSpec])[] = [
  ["managed", { kind: "managed", domains: ["a.example.com"] }, { domains: ["a.example.com"] }],
  [
    "self-managed",
    { kind: "selfManaged", certificatePem, privateKeyPem },
    { selfManaged: { certificatePem, privateKeyPem } },
  ],
  [
    "self-managed with a variable",
    { kind: "selfManaged", certificatePem, privateKeyVariable: "key", privateKeyStorage: "state" },
    { selfManaged: { certificatePem, privateKeyVariable: "key", privateKeyStorage: "state" } },
  ],
  [
    "private CA",
    { kind: "privateCa", domains: ["a.corp.internal"], caPool, lifetime: "21d", rotationWindowPercentage: 50 },
    { domains: ["a.corp.internal"], issuedBy: { caPool, lifetime: "21d", rotationWindowPercentage: 50 } },
  ],
  [
    "private CA with an issuance config",
    { kind: "privateCa", domains: ["a.corp.internal"], existingIssuanceConfig },
    { domains: ["a.corp.internal"], issuedBy: { existingIssuanceConfig } },
  ],
  [
    "existing",
    { kind: "existing", domains: ["known.example.com"], id },
    { domains: ["known.example.com"], existingCertificateId: id },
  ],
];

test.each(pairs)("a %s certificate of an earlier release has the same plan and the same warnings", (_, now, former) => {
  const rest = fc.record(
    {
      name: fc.constant("shop"),
      primary: fc.boolean(),
      alternatives: fc.constant([id]),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(rest, (others) => {
      const [plan, formerPlan] = [planOf({ ...now, ...others }), planOf({ ...former, ...others })];
      expect(serializePlan(formerPlan)).toBe(serializePlan(plan));
      const messagesOf = ({ findings }: typeof plan) => findings.map(({ code, message }) => `${code} ${message}`);
      expect(messagesOf(formerPlan)).toEqual(messagesOf(plan));
    }),
    runs(20),
  );
});

test.each<[string, object, readonly string[]]>([
  ["a certificate without domains", { kind: "managed" }, ["property-missing /certificates/0"]],
  [
    "a CA pool of a managed certificate",
    { kind: "managed", domains: ["a.example.com"], caPool },
    ["property-unknown /certificates/0/caPool"],
  ],
  [
    "an upload that exists already",
    { kind: "existing", id, domains: ["a.example.com"], certificatePem },
    ["property-unknown /certificates/0/certificatePem"],
  ],
  [
    "another generation of an existing certificate",
    { kind: "existing", id, domains: ["a.example.com"], generation: 1 },
    ["property-unknown /certificates/0/generation"],
  ],
  [
    "a member of an earlier release beside 'kind'",
    { kind: "selfManaged", selfManaged: { certificatePem, privateKeyPem } },
    ["property-missing /certificates/0", "property-unknown /certificates/0/selfManaged"],
  ],
  ["an unknown kind", { kind: "public", domains: ["a.example.com"] }, ["value-not-allowed /certificates/0/kind"]],
  [
    "a malformed id",
    { kind: "existing", id: "known", domains: ["a.example.com"] },
    ["certificate-id-malformed /certificates/0/id"],
  ],
  [
    "a malformed id of an earlier release",
    { existingCertificateId: "known", domains: ["a.example.com"] },
    ["certificate-id-malformed /certificates/0/existingCertificateId"],
  ],
  [
    "a malformed CA pool",
    { kind: "privateCa", domains: ["a.corp.internal"], caPool: "pool" },
    ["ca-pool-malformed /certificates/0/caPool"],
  ],
  ["no key", { kind: "selfManaged", certificatePem }, ["private-key-missing /certificates/0"]],
])("refuses %s at its place", (_, certificate, errors) => {
  expect(errorsOf(certificate)).toEqual(errors);
});

test("reads the files of an upload in both forms", () => {
  const read = (certificate: string): MigrationSpec | undefined => {
    const text = `name: shop\ndns: {kind: external}\ncertificates:\n  - ${certificate}\n`;
    const parsed = parseMigrationDocument(text, { source: "m.yaml", readFile: (path) => `contents of ${path}` });
    return "spec" in parsed ? parsed.spec : undefined;
  };
  expect(read("{kind: selfManaged, certificatePem: file:a.pem, privateKeyPem: file:a.key}")?.certificates).toEqual([
    { kind: "selfManaged", certificatePem: "contents of a.pem", privateKeyPem: "contents of a.key" },
  ]);
  expect(read("{selfManaged: {certificatePem: file:a.pem, privateKeyPem: file:a.key}}")?.certificates).toEqual([
    { selfManaged: { certificatePem: "contents of a.pem", privateKeyPem: "contents of a.key" } },
  ]);
});
