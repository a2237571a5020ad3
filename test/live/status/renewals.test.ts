import type { LiveCertificate } from "../../../lib/google";
import type { RecordCheck } from "../../../lib/live/records";
import { assessRenewals, type Observed } from "../../../lib/live/status";
import { type SourceMigration, sourceFromSpec } from "../../../lib/source";
import { makeCertificate } from "../../support/make-certificate";

const hostname = "shop.example.com";
const spec = "name: one\ncertificates: [{ domains: [shop.example.com] }]\ndns: { kind: external }\n";
const migration = sourceFromSpec(spec, { source: "s", project: "p" }).migrations[0] as SourceMigration;
const issuedAt = Date.parse("2026-11-01T00:00:00Z");
const dayMs = 86_400_000;
const validity = { notBefore: new Date(issuedAt), notAfter: new Date(issuedAt + 90 * dayMs) };
const managed: LiveCertificate = {
  name: migration.certificates[0]?.id ?? "",
  kind: "managed",
  state: "ACTIVE",
  domains: [hostname],
  attempts: [],
  certificatePem: makeCertificate([hostname], validity).certificatePem,
};

/** Returns code and message of each finding on the first day. */
function findings(of: SourceMigration, observed: Partial<Observed>): readonly string[] {
  const nothing = { certificates: [managed], records: new Map(), entries: [], addresses: new Map() };
  const found = assessRenewals([of, { ...nothing, ...observed }], validity.notBefore);
  return found.map(({ code, message }) => `${code} ${message}`);
}

const unanswered = (detail: string) =>
  ({
    record: { name: `_acme-challenge.${hostname}.` },
    verdict: "record-unanswered",
    found: [detail],
  }) as unknown as RecordCheck;
const cause = (why: string) =>
  `renewal-at-risk ${hostname}: the CNAME record _acme-challenge.${hostname} can't be read (${why}); 90 days left, until 2027-01-30`;

test.each<[string, readonly string[]]>([
  ["ESERVFAIL", [cause("SERVFAIL")]],
  ["SERVFAIL", [cause("SERVFAIL")]],
  ["bogus", [cause("DNSSEC validation fails")]],
  ["ETIMEOUT", []],
  ["ECONNREFUSED", []],
  ["EREFUSED", []],
])("a CNAME whose look-up ends with %s is an obstacle only if its server fails", (detail, expected) => {
  expect(findings(migration, { records: new Map([[hostname, unanswered(detail)]]) })).toEqual(expected);
});

const foreignId = "projects/p/locations/global/certificates/rsa";
const uploaded: LiveCertificate = {
  ...managed,
  name: foreignId,
  kind: "selfManaged",
  certificatePem: makeCertificate([hostname], {
    ...validity,
    notAfter: new Date(issuedAt + 3 * dayMs),
    notBefore: new Date(issuedAt - 80 * dayMs),
  }).certificatePem,
};
const withEntry = (name: string, ...certificates: readonly string[]): SourceMigration => ({
  ...migration,
  entries: [{ hostname: name, certificates: [migration.certificates[0]?.name ?? "", ...certificates] }],
});
const own = {
  name: "rsa",
  id: foreignId,
  kind: "selfManaged",
  domains: [],
  location: "global",
  scope: "DEFAULT",
} as const;
const soon = "uploaded-expires-soon shop.example.com: 3 days left, until 2026-11-04";

test.each<[string, SourceMigration, readonly string[]]>([
  ["a certificate that an entry names by its id", withEntry(hostname, foreignId), [soon]],
  ["a certificate that only the PRIMARY entry names", withEntry("PRIMARY", foreignId), [soon]],
  [
    "an alternative of the migration",
    { ...withEntry(hostname, "rsa"), certificates: [...migration.certificates, own] },
    [soon],
  ],
  ["no certificate that no entry names", withEntry(hostname), []],
  ["no certificate whose id is not known", withEntry(hostname, "projects/p/locations/global/certificateMaps/rsa"), []],
])("judges %s", (_, of, expected) => {
  expect(findings(of, { certificates: [managed, uploaded] })).toEqual(expected);
});

test("a missing CNAME does not stop the renewal of an alternative of a private CA", () => {
  const missing = { record: { name: `_acme-challenge.${hostname}.` }, verdict: "record-missing", found: [] } as unknown;
  const records = new Map([[hostname, missing as RecordCheck]]);
  const privately: LiveCertificate = { ...managed, name: foreignId, issuanceConfig: "i" };
  expect(findings(withEntry(hostname, foreignId), { certificates: [privately], records })).toEqual([]);
  expect(findings(withEntry(hostname), { records })).toHaveLength(1);
});
