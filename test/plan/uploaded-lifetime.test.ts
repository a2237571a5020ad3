import { rootCertificates } from "node:tls";
import { describeReplacement, type MigrationSpec, planMigration, uploadedReplacements } from "../../lib/plan";
import { certificatesIn, isIssuedByOneOf } from "../../lib/x509";
import { makeCertificate, makeChain } from "../support/make-certificate";

const dayMs = 24 * 60 * 60 * 1_000;
const later = new Date("2060-01-01T00:00:00Z");

function specOf(certificatePem: string): MigrationSpec {
  return {
    name: "shop",
    certificates: [
      { kind: "selfManaged", name: "pay", domains: ["pay.example.com"], certificatePem, privateKeyVariable: "key" },
    ],
    dns: { kind: "external" },
  };
}

/** A certificate that is its own root. */
function issuedOn(day: string, days: number) {
  const notBefore = new Date(`${day}T00:00:00Z`);
  const notAfter = new Date(notBefore.getTime() + days * dayMs);
  return makeCertificate(["pay.example.com"], { notBefore, notAfter }).certificatePem;
}

function warningsOf(certificatePem: string, roots: readonly string[], now?: Date): readonly string[] {
  const { findings } = planMigration(specOf(certificatePem), { publicRoots: () => roots, ...(now && { now }) });
  return findings.map(({ code, message }) => `${code}: ${message}`);
}

test.each<[day: string, days: number, most: number | undefined]>([
  ["2026-03-14", 398, undefined],
  ["2026-03-15", 200, undefined],
  ["2026-03-15", 201, 200],
  ["2027-03-14", 200, undefined],
  ["2027-03-15", 101, 100],
  ["2029-03-14", 100, undefined],
  ["2029-03-15", 48, 47],
  ["2029-03-15", 47, undefined],
])("a certificate of a public CA that was issued on %s for %s days breaks the limit of %s days", (day, days, most) => {
  const pem = issuedOn(day, days);
  const found = warningsOf(pem, [...rootCertificates.slice(0, 3), pem]);
  if (most === undefined) return expect(found).toEqual([]);
  expect(found).toEqual([
    expect.stringContaining(
      `was issued on ${day} and is valid for ${days} days; since ${day}, public CAs may issue at most ${most}`,
    ),
  ]);
  // The same certificate of another CA has no limit.
  expect(warningsOf(pem, rootCertificates)).toEqual([]);
});

test("a chain without its root ends in the root that has signed its last certificate", () => {
  const { certificatePem, rootPem } = makeChain("pay.example.com", later);
  // It was issued before the limits.
  expect(warningsOf(certificatePem, [rootPem])).toEqual([]);
  expect(isIssuedByOneOf(certificatesIn(certificatePem), [rootPem])).toBe(true);
  expect(isIssuedByOneOf(certificatesIn(certificatePem), rootCertificates)).toBe(false);
  // A rehearsal trusts the replacement of an upload itself.
  expect(isIssuedByOneOf(certificatesIn(certificatePem), [certificatePem])).toBe(true);
  // A root of the same name that has signed nothing of the chain.
  const namesake = makeCertificate(["x.example.com"], { commonName: "Chain Root", key: 1 }).certificatePem;
  expect(isIssuedByOneOf(certificatesIn(certificatePem), [namesake])).toBe(false);
});

test.each<[days: number, left: number, isSoon: boolean]>([
  [398, 31, false],
  [398, 29, true],
  [47, 16, false],
  [47, 15, true],
  [30, 9, true],
])("a certificate of %s days with %s days left ends soon: %s", (days, left, isSoon) => {
  const now = new Date(Date.parse("2026-01-01T00:00:00Z") + (days - left) * dayMs);
  const found = warningsOf(issuedOn("2026-01-01", days), [], now);
  expect(found.map((finding) => finding.split(":")[0])).toEqual(isSoon ? ["certificate-expires-soon"] : []);
});

test("the next replacement begins when two thirds of the lifetime are used; a reference has none", () => {
  const plan = planMigration(specOf(issuedOn("2026-06-01", 90)));
  expect(uploadedReplacements(plan).map(describeReplacement)).toEqual([
    "certificate 'pay' is uploaded and ends on 2026-08-30; replace it from 2026-07-31 on",
  ]);
  expect(uploadedReplacements(planMigration(specOf("${var.certificate}")))).toEqual([]);
});
