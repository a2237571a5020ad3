import type { LiveCertificate, LiveEntry } from "../../../lib/google";
import type { RecordCheck } from "../../../lib/live/records";
import { assessStatus, type Observed, type StatusVerification } from "../../../lib/live/status";
import { type SourceMigration, sourceFromSpec } from "../../../lib/source";

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
const moved: Observed = {
  certificates: [live],
  records: new Map([[hostname, "published"]]),
  map: { name: migration.map?.id ?? "", proxies: ["//compute/x"], addresses: [] },
  entries: [liveEntry],
  addresses: new Map([[hostname, { ok: true, data: ["203.0.113.7"] }]]),
};

function step(number: number, change: Partial<Observed>, of: SourceMigration = migration): string {
  const found = assessStatus(of, { ...moved, ...change })[0]?.steps[number - 1];
  return `${found?.state} ${found?.code ?? ""}: ${found?.reason ?? ""}`.replace(/ ?: ?$/, "");
}

const check = (verdict: string, ...found: readonly string[]) =>
  new Map([
    [
      hostname,
      { record: { name: `_acme-challenge.${hostname}.` }, verdict, found, fix: "mend it" } as unknown as RecordCheck,
    ],
  ]);
const addresses = (...data: readonly string[]) => new Map([[hostname, { ok: true as const, data }]]);
const failed = {
  ...live,
  state: "FAILED",
  attempts: [{ domain: hostname, state: "FAILED", failureReason: "CAA" }],
};

test.each<[string, number, Partial<Observed>, string]>([
  [
    "a certificate that is not there",
    1,
    { certificates: [] },
    `todo certificate-not-made: The certificate ${live.name} does not exist yet.`,
  ],
  [
    "an authorization that is not made",
    2,
    { records: new Map() },
    "todo authorization-not-made: The authorization for shop.example.com does not exist yet.",
  ],
  [
    "a record that is not there",
    2,
    { records: check("record-missing") },
    "todo record-missing: The CNAME record _acme-challenge.shop.example.com is missing.",
  ],
  [
    "a record that is not there, where a wildcard answers",
    2,
    { records: check("record-under-wildcard", "lb.old.net.") },
    "todo record-under-wildcard: A wildcard record answers in place of the CNAME record _acme-challenge.shop.example.com: lb.old.net.",
  ],
  [
    "a record that leads elsewhere",
    2,
    { records: check("record-wrong", "x.") },
    "failed record-wrong: The CNAME record _acme-challenge.shop.example.com leads to another authorization: x.",
  ],
  [
    "DNS that does not answer for a record",
    2,
    { records: check("record-unanswered") },
    "unknown record-unanswered: DNS did not answer for _acme-challenge.shop.example.com: no reason was given.",
  ],
  [
    "a certificate on its way",
    3,
    { certificates: [{ ...live, state: "PROVISIONING" }] },
    "waiting certificate-provisioning: The certificate is PROVISIONING: the certificate is being issued or renewed; a certificate that was ACTIVE before still serves.",
  ],
  [
    "a failed certificate",
    3,
    { certificates: [failed] },
    "failed domain-caa: The certificate is FAILED: shop.example.com: a CAA record forbids the certificate, or could not be looked up. There is 1 more reason.",
  ],
  ["a map without the hostname", 4, { entries: [] }, "todo entry-not-made: The map has no entry for the hostname."],
  [
    "an entry that another program created",
    4,
    { entries: [{ ...liveEntry, name: "theirs" }] },
    "failed entry-foreign: The entry theirs has the hostname, and this migration has not made it.",
  ],
  [
    "an entry with the certificate of before",
    4,
    { entries: [{ ...liveEntry, certificates: ["projects/p/locations/global/certificates/old"] }] },
    "todo entry-other-certificate: The entry names projects/p/locations/global/certificates/old instead of its certificate.",
  ],
  [
    "an entry that has the certificate by the project's number",
    5,
    { entries: [{ ...liveEntry, certificates: [live.name.replace("projects/p/", "projects/123/")] }] },
    "done",
  ],
  [
    "an entry on its way",
    5,
    { entries: [{ ...liveEntry, state: "PENDING" }] },
    "waiting entry-pending: The entry is PENDING: not every front end has it yet.",
  ],
  [
    "a map that is not there",
    6,
    { entries: [], map: undefined as never },
    "todo map-not-made: The certificate map does not exist yet.",
  ],
  [
    "a map that no proxy has",
    6,
    { map: { name: "m", proxies: [], addresses: [] } },
    "todo map-not-attached: No target proxy has the certificate map.",
  ],
  [
    "traffic at the previous provider",
    8,
    { addresses: addresses("198.51.100.1") },
    "todo traffic-elsewhere: The hostname leads to 198.51.100.1, and not to the load balancer.",
  ],
  [
    "traffic at both sides",
    8,
    { addresses: addresses("203.0.113.7", "198.51.100.1") },
    "failed traffic-split: The hostname leads to the load balancer and elsewhere at once: 203.0.113.7, 198.51.100.1.",
  ],
  ["a name without addresses", 8, { addresses: addresses() }, "todo address-missing: The hostname has no address."],
  [
    "DNS that does not answer",
    8,
    { addresses: new Map([[hostname, { ok: false, detail: "ESERVFAIL" }]]) },
    "unknown address-unanswered: DNS did not answer for the hostname (ESERVFAIL).",
  ],
])("%s is shown at step %i", (_, number, change, expected) => {
  expect(step(number, change)).toBe(expected);
});

const nameless: SourceMigration = {
  ...migration,
  certificates: migration.certificates.map(({ id: _, ...rest }) => rest),
};

test.each<[string, number, string, SourceMigration]>([
  [
    "a certificate without a project",
    1,
    "unknown certificate-id-unknown: The certificate's id is not known.",
    nameless,
  ],
  [
    "a migration that issues alone",
    4,
    'todo phase-issue: The migration is in phase "issue", which makes no map entries.',
    { ...migration, phase: "issue", entries: [] },
  ],
  [
    "a load balancer that takes certificates directly",
    6,
    "unknown attachment-unseen: Certificate Manager does not list the proxies of the certificate.",
    { ...migration, loadBalancer: "regionalExternal" },
  ],
  [
    "a load balancer without a known address",
    8,
    "unknown addresses-unknown: The addresses of the load balancer are not known.",
    { ...migration, addresses: { ipv4: [], ipv6: [] } },
  ],
])("%s is shown as expected at step %i", (_, number, expected, of) => {
  expect(step(number, {}, of)).toBe(expected);
});

test("names a proxy of the plan that does not have the map", () => {
  const id = "projects/p/global/targetHttpsProxies/web";
  const named: SourceMigration = { ...migration, proxies: [{ id }] };
  expect(step(6, {}, named)).toBe(`todo map-not-attached: The certificate map is not attached to ${id}.`);
  const proxies = ["//compute.googleapis.com/projects/123/global/targetHttpsProxies/web"];
  expect(step(6, { map: { name: "m", proxies, addresses: [] } }, named)).toBe("done");
});

describe("the seventh step depends on the handshakes", () => {
  const address = "203.0.113.7";
  const good = { hostname, address, ok: true };
  const bad = {
    hostname,
    address,
    ok: false,
    code: "name-mismatch",
    message: "for www",
    remedy: "look for the entry",
  };
  const both = { ...migration, addresses: { ipv4: [address], ipv6: ["2001:db8::7"] } };
  const seventh = (verification: StatusVerification, change: Partial<Observed> = {}, of = migration) =>
    assessStatus(of, { ...moved, ...change }, verification)[0]?.steps[6];

  test("a hostname that was served at every address completes the last step", () => {
    const [status] = assessStatus(migration, moved, { results: [good] });
    expect(status?.steps.map(({ state }) => state)).toEqual(Array(8).fill("done"));
    expect(status).not.toHaveProperty("current");
  });

  test("a hostname that was not served has failed, with the code and the remedy of verify", () => {
    expect(seventh({ results: [good, bad] })).toMatchObject({
      state: "failed",
      code: "name-mismatch",
      reason: "At 203.0.113.7, the served certificate is for other names (for www).",
      next: "look for the entry",
    });
  });

  test("reports no failure as long as the map is not attached", () => {
    const map = { name: "m", proxies: [], addresses: [] };
    expect(seventh({ results: [bad] }, { map })).toMatchObject({ state: "todo", code: "name-mismatch" });
  });

  test.each([
    ["it has not been verified", { results: [{ ...good, hostname: "other.example.com" }] }, "not-verified"],
    ["an address was left out", { results: [good] }, "not-verified-everywhere"],
  ])("is unknown if %s", (_, verification, code) => {
    expect(seventh(verification, {}, both)).toMatchObject({ state: "unknown", code });
  });

  test.each([
    ["2026-11-21T10:00:00.000Z", "unknown", "verification-outdated"],
    ["2026-11-21T10:00:01.000Z", "done", undefined],
  ])("treats what was verified at %s, when the entry changed just after or before, as %s", (time, state, code) => {
    const entries = [{ ...liveEntry, updateTime: "2026-11-21T10:00:00.500Z" }];
    const step7 = seventh({ results: [good], time: new Date(time) }, { entries });
    expect([step7?.state, step7?.code]).toEqual([state, code]);
  });
});

test("waits only for a handshake after all other steps", () => {
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
  expect(status?.current?.next).toBe("cert-migration verify --hostname shop.example.com --address 203.0.113.7");
});

test("does not wait for entries if certificates are attached directly", () => {
  const direct: SourceMigration = { ...migration, loadBalancer: "regionalExternal", entries: [] };
  expect([4, 5, 6].map((number) => step(number, {}, direct).split(" ")[0])).toEqual(["none", "none", "unknown"]);
});

test("needs no record for an uploaded certificate", () => {
  const uploaded = {
    ...migration,
    certificates: migration.certificates.map((one) => ({ ...one, kind: "selfManaged" as const })),
  };
  expect(step(2, { records: new Map() }, uploaded)).toMatch(/^none /);
});

describe("a load balancer that serves the hostname already", () => {
  const inPlaceSpec = `name: one
certificates: [{ domains: [shop.example.com] }]
dns: { kind: external }
loadBalancer:
  kind: globalExternal
  servingProxies: [{ proxy: projects/p/global/targetHttpsProxies/web, addresses: [203.0.113.7] }]
`;
  const inPlace = sourceFromSpec(inPlaceSpec, { source: "s", project: "p" }).migrations[0] as SourceMigration;
  const web = "//compute.googleapis.com/projects/1/global/targetHttpsProxies/web";

  test("has no step 8, wherever the hostname resolves", () => {
    expect(step(8, { addresses: addresses("198.51.100.1") }, inPlace)).toBe(
      "none : The load balancer serves the hostname already, and its addresses stay.",
    );
  });

  test("has done step 6 when its owner has attached the map", () => {
    const map = { name: "m", proxies: [web], addresses: [] };
    expect(step(6, { map }, inPlace)).toBe("done");
    expect(step(6, { map: { ...map, proxies: [web.replace("web", "other")] } }, inPlace)).toBe(
      "todo map-not-attached: The certificate map is not attached to projects/p/global/targetHttpsProxies/web.",
    );
  });
});
