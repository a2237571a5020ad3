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
