import type { LiveCertificate, LiveEntry } from "../../../lib/google";
import {
  assessStatus,
  type Observed,
  type RecordCheck,
  type SourceMigration,
  sourceFromSpec,
} from "../../../lib/migrate";

const spec = `name: one
certificates: [{ domains: [shop.example.com] }]
dns: { kind: external }
loadBalancer: { kind: globalExternal, addresses: [203.0.113.7] }
`;
const migration = sourceFromSpec(spec, { source: "s", project: "p" }).migrations[0] as SourceMigration;
const hostname = "shop.example.com";
const [certificate] = migration.certificates;
const [entry] = migration.entries;

const live: LiveCertificate = {
  name: certificate?.id ?? "",
  kind: "managed",
  state: "ACTIVE",
  domains: [hostname],
  attempts: [],
};
const liveEntry: LiveEntry = { name: entry?.id ?? "", hostname, state: "ACTIVE", certificates: [live.name] };
const published = { verdict: "published", found: [] } as unknown as RecordCheck;
const moved: Observed = {
  certificates: [live],
  authorizations: [],
  records: new Map([[hostname, published]]),
  map: { name: migration.map?.id ?? "", proxies: ["//compute/x"], addresses: [] },
  entries: [liveEntry],
  addresses: new Map([[hostname, { ok: true, data: ["203.0.113.7"] }]]),
};

function step(number: number, change: Partial<Observed>, of: SourceMigration = migration): string {
  const found = assessStatus(of, { ...moved, ...change })[0]?.steps[number - 1];
  return `${found?.state} ${found?.reason ?? ""}`.trim();
}

const check = (verdict: string, ...found: readonly string[]) =>
  new Map([[hostname, { verdict, found, fix: "mend it" } as unknown as RecordCheck]]);
const addresses = (...data: readonly string[]) => new Map([[hostname, { ok: true as const, data }]]);
const failed = {
  ...live,
  state: "FAILED",
  attempts: [{ domain: hostname, state: "FAILED", failureReason: "CAA" }],
};

test.each<[string, number, Partial<Observed>, RegExp]>([
  ["a certificate that is not there", 1, { certificates: [] }, /^todo there is no projects\/p\//],
  ["an authorization that is not made", 2, { records: new Map() }, /^todo the authorization for shop/],
  ["a record that is not there", 2, { records: check("record-missing") }, /^todo record-missing$/],
  ["a record that leads elsewhere", 2, { records: check("record-wrong", "x.") }, /^failed record-wrong: x\.$/],
  ["DNS that does not answer for a record", 2, { records: check("record-unanswered") }, /^unknown record-unanswered$/],
  ["a certificate on its way", 3, { certificates: [{ ...live, state: "PROVISIONING" }] }, /^waiting PROVISIONING$/],
  ["a failed certificate", 3, { certificates: [failed] }, /^failed FAILED; shop\.example\.com is FAILED \(CAA\)/],
  ["a map without the hostname", 4, { entries: [] }, /^todo the map has no entry/],
  [
    "an entry that somebody else made",
    4,
    { entries: [{ ...liveEntry, name: "theirs" }] },
    /^failed theirs has the hostname$/,
  ],
  ["an entry on its way", 5, { entries: [{ ...liveEntry, state: "PENDING" }] }, /^waiting PENDING/],
  [
    "a map that no proxy has",
    6,
    { map: { name: "m", proxies: [], addresses: [] } },
    /^todo no target proxy has the map$/,
  ],
  ["traffic at the old side", 8, { addresses: addresses("198.51.100.1") }, /^todo it leads to 198\.51\.100\.1$/],
  ["traffic at both sides", 8, { addresses: addresses("203.0.113.7", "198.51.100.1") }, /^failed it leads to 203/],
  ["a name without addresses", 8, { addresses: addresses() }, /^todo it has no address$/],
  ["DNS that does not answer", 8, { addresses: new Map() }, /^unknown DNS did not answer/],
])("%s shows at step %i", (_, number, change, expected) => {
  expect(step(number, change)).toMatch(expected);
});

test("what is through all steps waits for a handshake alone", () => {
  const [status] = assessStatus(migration, moved);
  expect(status?.steps.map(({ state }) => state)).toEqual([
    "done",
    "done",
    "done",
    "done",
    "done",
    "done",
    "unknown",
    "done",
  ]);
  expect(status?.current?.next).toBe("cert-migration verify --hostname 'shop.example.com' --address 203.0.113.7");
});

test("where certificates are attached directly there are no entries to wait for", () => {
  const direct: SourceMigration = { ...migration, loadBalancer: "regionalExternal", entries: [] };
  expect([4, 5, 6].map((number) => step(number, {}, direct).split(" ")[0])).toEqual(["none", "none", "unknown"]);
});

test("a certificate that is uploaded needs no record", () => {
  const uploaded = {
    ...migration,
    certificates: migration.certificates.map((one) => ({ ...one, kind: "selfManaged" as const })),
  };
  expect(step(2, { records: new Map() }, uploaded)).toMatch(/^none /);
});
