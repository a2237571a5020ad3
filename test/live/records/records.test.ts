import {
  authorizationParents,
  type ChallengeRecord,
  gatherRecords,
  needsAuthorizations,
  zoneFile,
} from "../../../lib/live/records";
import { type SourceRecord, sourceFromSpec } from "../../../lib/source";
import { leastCpuTimeOf } from "../../support/cpu-time";
import { shopSpec } from "../../support/migration-spec";

const { migrations } = sourceFromSpec(shopSpec, { source: "s", project: "p1" });
const [shop] = migrations;
const live = (shop?.authorizations ?? []).map(({ id = "", domain }) => ({
  name: id,
  domain,
  record: { name: `_acme-challenge.${domain}.`, data: `${domain.length}.authorize.certificatemanager.goog.` },
}));

test("reads missing values of a spec from the authorizations, once for each location", () => {
  expect(needsAuthorizations(migrations)).toBe(true);
  expect(authorizationParents(migrations)).toEqual(["projects/p1/locations/global"]);
  expect(gatherRecords(migrations, live)).toEqual({
    records: [
      {
        domain: "example.com",
        name: "_acme-challenge.example.com.",
        type: "CNAME",
        data: "11.authorize.certificatemanager.goog.",
        published: "cloudDns",
        zone: "example.com",
        relativeName: "_acme-challenge",
      },
      {
        domain: "pay.example.net",
        name: "_acme-challenge.pay.example.net.",
        type: "CNAME",
        data: "15.authorize.certificatemanager.goog.",
        published: "cloudDns",
        zone: "example.net",
        relativeName: "_acme-challenge.pay",
      },
    ],
    unknown: [],
  });
});

test("reports a domain without an existing authorization as unknown", () => {
  const { records, unknown } = gatherRecords(migrations, live.slice(1));
  expect([records.map(({ domain }) => domain), unknown]).toEqual([["pay.example.net"], ["example.com"]]);
});

test("keeps the name and the target that outputs contain, whatever the authorization has", () => {
  const [authorization] = live;
  const known = { name: "n.example.com.", data: "d.goog.", published: "external" as const };
  const migration = { ...shop!, records: [{ domain: authorization!.domain, ...known }] };
  expect(gatherRecords([migration], live).records).toMatchObject([{ name: known.name, data: known.data }]);
});

test("needs less than half a second of CPU time for 20,000 records", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({
    domain: `h${index}.example`,
    id: `a${index}`,
    location: "global",
  }));
  const made = many.map(({ domain, id }) => ({ name: id, domain, record: { name: `n.${domain}.`, data: "d.goog." } }));
  const records = many.map(({ domain }) => ({ domain, published: "external" as const }));
  const migration = { ...shop!, authorizations: many, records };
  const takenMs = leastCpuTimeOf(() => expect(gatherRecords([migration], made).records).toHaveLength(20_000), 500);
  expect(takenMs).toBeLessThan(500);
});

test("needs the authorizations if a record of a migration has no name or no target", () => {
  const known = { domain: "a.example", name: "n.a.example.", data: "d.", published: "external" as const };
  const { name: _name, ...nameless } = known;
  const { data: _data, ...targetless } = known;
  const needs = (...records: readonly SourceRecord[]) => needsAuthorizations([{ ...shop!, records }]);
  expect([needs(known), needs(known, nameless), needs(targetless, known)]).toEqual([false, true, true]);
});

test("reads authorizations only for records without name or target", () => {
  const known = { domain: "a.example", name: "n.a.example.", data: "d.", published: "external" as const };
  const authorizations = ["a", "b"].map((label) => ({
    domain: `${label}.example`,
    id: `projects/${label}/locations/global/dnsAuthorizations/x`,
    location: "global",
  }));
  const { name: _name, ...nameless } = { ...known, domain: "b.example" };
  const { data: _data, ...targetless } = { ...known, domain: "b.example" };
  const parents = (...records: readonly SourceRecord[]) =>
    authorizationParents([{ ...shop!, authorizations, records }]);
  expect([parents(known), parents(known, nameless), parents(known, targetless)]).toEqual([
    [],
    ["projects/b/locations/global"],
    ["projects/b/locations/global"],
  ]);
});

test("lists unknown domains in the order of their names", () => {
  const records = ["b", "a", "c"].map((label) => ({ domain: `${label}.example`, published: "external" as const }));
  expect(gatherRecords([{ ...shop!, records }])).toEqual({
    records: [],
    unknown: ["a.example", "b.example", "c.example"],
  });
});

test("fails for a record without an authorization, because its project is unknown", () => {
  const migration = { ...shop!, records: [{ domain: "other.example", published: "external" as const }] };
  expect(() => authorizationParents([migration])).toThrow(
    "the project of the authorization for 'other.example' is not known; give --project",
  );
});

test("fails without a project, because the authorizations' project is unknown", () => {
  const unknown = sourceFromSpec(shopSpec, { source: "s" }).migrations;
  expect(() => authorizationParents(unknown)).toThrow("give --project");
});

test("writes names relative to the registered domain without a zone in the plan", () => {
  const external = shopSpec
    .replace(/^dns:.*$/m, "dns: { kind: external }")
    .replace("pay.example.net]", "pay.example.co.uk]");
  const spec = external.slice(0, external.indexOf("traffic:"));
  const source = sourceFromSpec(spec, { source: "s", project: "p1" }).migrations;
  const made = (source[0]?.authorizations ?? []).map(({ id = "", domain }) => ({
    name: id,
    domain,
    record: { name: `_acme-challenge.${domain}.`, data: "x.goog." },
  }));
  expect(gatherRecords(source, made).records.map(({ zone, relativeName }) => `${relativeName} in ${zone}`)).toEqual([
    "_acme-challenge in example.com",
    "_acme-challenge.pay in example.co.uk",
  ]);
});

test("prefers the planned zone of a record to the registered domain", () => {
  const record = { domain: "pay.eu.example.net", name: "_acme-challenge.pay.eu.example.net.", data: "d.goog." };
  const planned = { ...record, zone: "eu.example.net", published: "cloudDns" as const };
  expect(gatherRecords([{ ...shop!, records: [planned] }]).records).toEqual([
    { ...planned, type: "CNAME", relativeName: "_acme-challenge.pay" },
  ]);
});

test("writes a zone file with an origin for each zone, and a trailing dot for every target", () => {
  expect(zoneFile(gatherRecords(migrations, live).records, 300)).toBe(
    [
      "$ORIGIN example.com.",
      "_acme-challenge\t300\tIN\tCNAME\t11.authorize.certificatemanager.goog.",
      "",
      "$ORIGIN example.net.",
      "_acme-challenge.pay\t300\tIN\tCNAME\t15.authorize.certificatemanager.goog.",
      "",
    ].join("\n"),
  );
});

test.each([
  "no-dot.example",
  "two words.example.",
  "a.example.\n$INCLUDE /etc/passwd",
  "a;b.example.",
  `${"a".repeat(64)}.example.`,
  "..",
  "",
])("keeps a target %j out of a zone file", (data) => {
  const [record] = live;
  const broken = [{ ...record!, record: { ...record!.record, data } }];
  expect(() => gatherRecords(migrations, broken)).toThrow(expect.objectContaining({ code: "record-malformed" }));
});

test.each(["a.example\n$INCLUDE /etc/passwd", "a.example'; rm -rf ~ '", "a.example$(id)"])(
  "keeps a domain %j without records out of zone files and commands",
  (domain) => {
    const records = [{ domain, name: "n.example.", data: "d.", published: "external" as const }];
    expect(() => gatherRecords([{ ...shop!, records }])).toThrow(expect.objectContaining({ code: "record-malformed" }));
  },
);

test("sends no request for records that outputs contain", () => {
  const known: ChallengeRecord[] = [];
  const withRecords = [
    { ...shop!, records: [{ domain: "a.example", name: "n.a.example.", data: "d.", published: "external" as const }] },
  ];
  known.push(...gatherRecords(withRecords).records);
  expect(needsAuthorizations(withRecords)).toBe(false);
  expect(known.map(({ name, data }) => [name, data])).toEqual([["n.a.example.", "d."]]);
});
