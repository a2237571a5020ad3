import {
  authorizationParents,
  type ChallengeRecord,
  gatherRecords,
  needsAuthorizations,
  zoneFile,
} from "../../../lib/live/records";
import { sourceFromSpec } from "../../../lib/source";
import { shopSpec } from "../../support/migration-spec";

const { migrations } = sourceFromSpec(shopSpec, { source: "s", project: "p1" });
const [shop] = migrations;
const live = (shop?.authorizations ?? []).map(({ id = "", domain }) => ({
  name: id,
  domain,
  record: { name: `_acme-challenge.${domain}.`, data: `${domain.length}.authorize.certificatemanager.goog.` },
}));

test("what a spec does not know is taken from the authorizations, of each location once", () => {
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

test("a domain whose authorization is not made yet is said to be unknown", () => {
  const { records, unknown } = gatherRecords(migrations, live.slice(1));
  expect([records.map(({ domain }) => domain), unknown]).toEqual([["pay.example.net"], ["example.com"]]);
});

test("without a project nobody knows where the authorizations are", () => {
  const unknown = sourceFromSpec(shopSpec, { source: "s" }).migrations;
  expect(() => authorizationParents(unknown)).toThrow("give --project");
});

test("without a zone in the plan, names are relative to the domain that was registered", () => {
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

test("a zone file has an origin for each zone, and every target its trailing dot", () => {
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
])("a target %j does not get into a zone file", (data) => {
  const [record] = live;
  const broken = [{ ...record!, record: { ...record!.record, data } }];
  expect(() => gatherRecords(migrations, broken)).toThrow(expect.objectContaining({ code: "record-malformed" }));
});

test.each(["a.example\n$INCLUDE /etc/passwd", "a.example'; rm -rf ~ '", "a.example$(id)"])(
  "a domain %j that no record is under gets neither into a zone file nor into a command",
  (domain) => {
    const records = [{ domain, name: "n.example.", data: "d.", published: "external" as const }];
    expect(() => gatherRecords([{ ...shop!, records }])).toThrow(expect.objectContaining({ code: "record-malformed" }));
  },
);

test("records that outputs know are asked of nobody", () => {
  const known: ChallengeRecord[] = [];
  const withRecords = [
    { ...shop!, records: [{ domain: "a.example", name: "n.a.example.", data: "d.", published: "external" as const }] },
  ];
  known.push(...gatherRecords(withRecords).records);
  expect(needsAuthorizations(withRecords)).toBe(false);
  expect(known.map(({ name, data }) => [name, data])).toEqual([["n.a.example.", "d."]]);
});
