import { joinPasses, type MonitorPass, partsOf } from "../../../lib/live/monitor";
import { hostnamesOf } from "../../../lib/live/status";
import { type SourceMigration, sourceFromSpec } from "../../../lib/source";

function migrationFor(name: string, certificates: readonly object[]): SourceMigration {
  const spec = { name, project: "my-project", certificates, dns: { kind: "external" } };
  return sourceFromSpec(JSON.stringify(spec), { source: "spec", project: "my-project" })
    .migrations[0] as SourceMigration;
}

const namesOf = (migrations: readonly SourceMigration[]) =>
  migrations.flatMap((migration) => hostnamesOf(migration).map(({ hostname }) => hostname));

const shop = migrationFor("shop", [
  { domains: ["a.example.com", "b.example.com"] },
  { domains: ["c.example.com", "e.example.com"] },
]);
const blog = migrationFor("blog", [{ domains: ["d.example.com"] }]);

test.each<[string, number, readonly (readonly string[])[]]>([
  ["1", 1, [["a.example.com"], ["b.example.com"], ["c.example.com"], ["e.example.com"], ["d.example.com"]]],
  [
    "3, in parts that may contain several migrations",
    3,
    [
      ["a.example.com", "b.example.com", "c.example.com"],
      ["e.example.com", "d.example.com"],
    ],
  ],
  ["5", 5, [["a.example.com", "b.example.com", "c.example.com", "e.example.com", "d.example.com"]]],
])("divides hostnames in their order into parts of at most %s", (_, most, expected) => {
  expect(partsOf([shop, blog], most).map((part) => namesOf(part.migrations()))).toEqual(expected);
});

test("gives a part the certificates and records of its hostnames, and a whole migration as it is", () => {
  const [first, second, third] = partsOf([shop, blog], 2).map((part) => part.migrations());
  expect(first).toEqual([
    {
      ...shop,
      entries: shop.entries.slice(0, 2),
      certificates: shop.certificates.slice(0, 1),
      records: shop.records.slice(0, 2),
      authorizations: shop.authorizations.slice(0, 2),
    },
  ]);
  expect(second?.[0]?.records.map(({ domain }) => domain)).toEqual(["c.example.com", "e.example.com"]);
  expect(third).toEqual([blog]);
});

test("keeps the records of all domains of a certificate in each part that has one of its hostnames", () => {
  const [first, second] = partsOf([shop], 1).flatMap((part) => part.migrations());
  expect([first, second].map((part) => part?.records.map(({ domain }) => domain))).toEqual([
    ["a.example.com", "b.example.com"],
    ["a.example.com", "b.example.com"],
  ]);
});

test("keeps what no hostname needs with the first hostname: the certificate of a PRIMARY entry, and further domains", () => {
  const { entries, ...rest } = migrationFor("shop", [
    { domains: ["a.example.com", "further.example.com"], hostnames: ["a.example.com"] },
    { domains: ["b.example.com"] },
    { domains: ["primary.example.com"] },
  ]);
  const migration = {
    ...rest,
    entries: entries.map((entry) =>
      entry.hostname === "primary.example.com" ? { ...entry, hostname: "PRIMARY" } : entry,
    ),
  };
  const parts = partsOf([migration], 1).flatMap((part) => part.migrations());
  expect(parts.map(({ certificates }) => certificates.map(({ domains }) => domains[0]))).toEqual([
    ["a.example.com", "primary.example.com"],
    ["b.example.com"],
  ]);
  expect(parts.map(({ records }) => records.map(({ domain }) => domain))).toEqual([
    ["a.example.com", "further.example.com", "primary.example.com"],
    ["b.example.com"],
  ]);
});

test("divides a migration that has only a PRIMARY entry by the domains of its certificates", () => {
  const migration = { ...shop, entries: [{ hostname: "PRIMARY", certificates: [] }] };
  expect(partsOf([migration], 3).map((part) => namesOf(part.migrations()))).toEqual([
    ["a.example.com", "b.example.com", "c.example.com"],
    ["e.example.com"],
  ]);
});

test("joins the hostnames of all parts in their order, and reports a finding about a shared certificate once, errors first", () => {
  const hostname = (name: string) =>
    ({ hostname: name, migration: "shop", record: "done", handshake: "done" }) as const;
  const finding = (severity: "error" | "warning", subject: string) =>
    ({ code: "renewal-at-risk", severity, subject, message: "m", remedy: "r" }) as const;
  const passes: readonly MonitorPass[] = [
    { hostnames: [hostname("b"), hostname("a")], findings: [finding("warning", "shared")] },
    { hostnames: [hostname("c")], findings: [finding("error", "own"), finding("warning", "shared")] },
  ];
  expect(joinPasses(passes)).toEqual({
    hostnames: [hostname("b"), hostname("a"), hostname("c")],
    findings: [finding("error", "own"), finding("warning", "shared")],
  });
});
