import type { LiveEntry } from "../../../lib/google";
import { assessPass } from "../../../lib/live/monitor";
import type { SourceMigration } from "../../../lib/source";

const parent = "projects/my-project/locations/global";
const certificate = `${parent}/certificates/shop`;
const entry: LiveEntry = { name: "e", hostname: "shop.example.com", state: "ACTIVE", certificates: [certificate] };
const now = new Date("2026-11-21T12:00:00Z");
const validity = { notBefore: now, notAfter: new Date("2027-02-19T12:00:00Z") };

const migration: SourceMigration = {
  path: "shop",
  name: "shop",
  phase: "serve",
  gate: "wait",
  loadBalancer: "globalExternal",
  certificates: [
    {
      name: "shop",
      id: certificate,
      kind: "managed",
      domains: ["shop.example.com"],
      location: "global",
      scope: "DEFAULT",
    },
  ],
  entries: [{ id: "e", hostname: "shop.example.com", certificates: ["shop"] }],
  authorizations: [],
  records: [],
  proxies: [],
  addresses: { ipv4: ["192.0.2.1"], ipv6: [] },
};

/** Returns the findings about a served certificate. @param listed SHA-256 in Certificate Manager; absent if unknown */
function findings(served: string, listed: string | undefined, change: Partial<LiveEntry> = {}, address = "192.0.2.1") {
  const live = { name: certificate, kind: "managed", state: "ACTIVE", domains: ["shop.example.com"] } as const;
  const observed = {
    certificates: [
      { ...live, attempts: [], ...(listed === undefined ? {} : { leaf: { ...validity, fingerprintSha256: listed } }) },
    ],
    entries: [{ ...entry, ...change }],
    records: new Map(),
    addresses: new Map(),
  };
  const results = [{ hostname: "shop.example.com", address, ok: true, fingerprintSha256: served }];
  const found = assessPass([[migration, observed]], { results }, now).findings;
  return found
    .filter(({ code }) => code === "other-certificate")
    .map(({ severity, subject, message }) => `${severity} ${subject}: ${message}`);
}

test("shows a hostname whose entry names a certificate of others without the state of a certificate", () => {
  const foreign = { ...migration, entries: [{ hostname: "shop.example.com", certificates: ["elsewhere"] }] };
  const nothing = { certificates: [], entries: [], records: new Map(), addresses: new Map() };
  const { hostnames } = assessPass([[foreign, nothing]], { results: [] }, now);
  expect(hostnames).toEqual([
    { migration: "shop", hostname: "shop.example.com", record: expect.any(String), handshake: "unknown" },
  ]);
});

const other = `warning shop.example.com: 192.0.2.1 serves another certificate than ${certificate}`;

test.each<[string, readonly string[], readonly string[]]>([
  ["another certificate than Certificate Manager has is a warning", findings("bb", "aa"), [other]],
  ["the same certificate is good", findings("aa", "aa"), []],
  ["a certificate that can't be read may be the served one", findings("bb", undefined), []],
  ["a pending entry is not yet served", findings("bb", "aa", { state: "PENDING" }), []],
  [
    "an entry may name the certificate by the project's number",
    findings("aa", "aa", { certificates: [certificate.replace("my-project", "123456")] }),
    [],
  ],
  ["the address of another migration tells nothing", findings("bb", "aa", {}, "192.0.2.2"), []],
])("%s", (_, found, expected) => {
  expect(found).toEqual(expected);
});

test("shows every certificate of a hostname: the first one of its entry, or of a proxy without a map, and its alternatives", () => {
  const [first] = migration.certificates as readonly [SourceMigration["certificates"][number]];
  const rsa = { ...first, name: "rsa", id: `${parent}/certificates/rsa`, kind: "selfManaged" } as const;
  const foreign = `${parent}/certificates/foreign`;
  const live = { kind: "selfManaged", state: "ACTIVE", domains: ["shop.example.com"], attempts: [] } as const;
  const leaf = { ...validity, fingerprintSha256: "aa" };
  const observed = {
    certificates: [certificate, rsa.id, foreign].map((name) => ({ ...live, name, leaf })),
    entries: [],
    records: new Map(),
    addresses: new Map(),
  };
  const shown = (change: Partial<SourceMigration>) =>
    assessPass([[{ ...migration, ...change }, observed]], { results: [] }, now).hostnames.map((hostname) => [
      hostname.certificate,
      hostname.alternatives?.map((other) => [other.certificate, other.certificateState, other.daysToExpiry]),
    ]);
  const certificates = [first, rsa];
  const entry = { hostname: "shop.example.com", certificates: ["shop", "rsa", foreign, "unknown"] };
  const alternatives = [rsa.id, foreign].map((id) => [id, "ACTIVE", 90]);
  expect(shown({ certificates, entries: [entry] })).toEqual([[certificate, alternatives]]);
  expect(shown({ certificates, entries: [{ ...entry, certificates: [foreign] }] })).toEqual([[foreign, undefined]]);
  const both = [certificate, [[rsa.id, "ACTIVE", 90]]];
  expect(shown({ certificates, entries: [] })).toEqual([both, both]);
});
