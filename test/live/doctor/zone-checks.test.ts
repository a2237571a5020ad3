import { type DelegationReading, findDelegation } from "../../../lib/dns";
import { createDnsView } from "../../../lib/live/doctor";
import { checkCaa } from "../../../lib/live/doctor/caa-checks";
import { checkChallenge } from "../../../lib/live/doctor/challenge-checks";
import { checkHostname } from "../../../lib/live/doctor/hostname-checks";
import { checkDelegation, checkOwnServers } from "../../../lib/live/doctor/zone-checks";
import { type Internet, startInternet, startOddServer, type ZoneOfTest } from "../../dns/servers";
import { subjectOfTest } from "./subjects";
import { named } from "./world";

/**
 * The fake public resolver has all records; the registry is at .2, and the name servers of domains start at .3.
 */
const registry = "127.0.0.2";
const soa = (apex: string): readonly [string, number, string] => ["SOA", 300, `ns1.${apex}. a.${apex}. 1 1 1 1 60`];

function delegations(...domains: readonly (readonly [domain: string, ...servers: string[]])[]): ZoneOfTest {
  const records = domains.map(([domain, ...servers]) => [domain, [["NS", 300, ...servers.map((name) => `${name}.`)]]]);
  return {
    com: [soa("com"), ["NS", 300, "a.gtld.com."]],
    "a.gtld.com": [["A", 300, registry]],
    ...Object.fromEntries(records),
  };
}

function zoneOf(apex: string, ttlSeconds: number, ...servers: readonly string[]): ZoneOfTest {
  return {
    [apex]: [soa(apex), ["NS", 300, ...servers.map((name) => `${name}.`)], ["A", ttlSeconds, "198.51.100.1"]],
  };
}

const delegated = delegations(
  ["good.com", "ns.good.com"],
  ["moved.com", "ns.moved.com", "gone.moved.com"],
  ["dead.com", "ns.dead.com", "silent.dead.com"],
  ["down.com", "ns.down.com"],
  ["hidden.com", "ns.hidden.com"],
);

let internet: Internet;
const stopping = new AbortController();
const view = () =>
  createDnsView({
    resolvers: [internet.resolver],
    nameServerPort: internet.port,
    signal: stopping.signal,
  });

beforeAll(async () => {
  internet = await startInternet(
    {
      "127.0.0.1": {
        com: { com: delegated.com ?? [], "a.gtld.com": [["A", 300, registry]], "nobodys.com": [["TXT", 5, "x"]] },
        "good.com": { ...zoneOf("good.com", 20, "ns.good.com"), "ns.good.com": [["A", 300, "127.0.0.3"]] },
        "moved.com": {
          // Resolvers still return the previous name servers.
          ...zoneOf("moved.com", 300, "ns.old.net"),
          "ns.moved.com": [["A", 300, "127.0.0.3"]],
        },
        "dead.com": { "ns.dead.com": [["A", 300, "127.0.0.3"]], "silent.dead.com": [["A", 300, "127.0.0.9"]] },
        "down.com": { "ns.down.com": [["A", 300, "127.0.0.9"]] },
        "hidden.com": { ...zoneOf("hidden.com", 300, "ns.hidden.com"), "ns.hidden.com": [["A", 300, "127.0.0.9"]] },
      },
      [registry]: { com: delegated },
      "127.0.0.3": {
        "good.com": zoneOf("good.com", 7_200, "ns.good.com"),
        "moved.com": zoneOf("moved.com", 300, "ns.moved.com"),
      },
    },
    {
      "127.0.0.1": ({ name, type }) =>
        (name === "dead.com." && type === "NS") || /^(nobody\.)?down\.com\.$/.test(name)
          ? { rcode: "SERVFAIL" }
          : undefined,
    },
  );
});
afterAll(() => internet[Symbol.asyncDispose]());

test.each<readonly [string, DelegationReading]>([
  ["good.com", { ok: true, apex: "good.com", nameServers: ["ns.good.com"], from: "parent" }],
  ["a.b.good.com", { ok: true, apex: "good.com", nameServers: ["ns.good.com"], from: "parent" }],
  ["moved.com", { ok: true, apex: "moved.com", nameServers: ["gone.moved.com", "ns.moved.com"], from: "parent" }],
  ["dead.com", { ok: true, apex: "dead.com", nameServers: ["ns.dead.com", "silent.dead.com"], from: "parent" }],
  ["nobodys.com", { ok: true, apex: "com", nameServers: ["a.gtld.com"], from: "resolver" }],
])("queries the parent's servers for the delegation of %s", async (name, delegation) => {
  expect(await findDelegation(name, view())).toEqual(delegation);
});

test("returns an error for a name outside every zone", async () => {
  expect(await findDelegation("a.shop.org", view())).toEqual({ ok: false, at: "a.shop.org", detail: "REFUSED" });
});

test.each([
  ["good.com", [], []],
  ["moved.com", ["name-server-lame moved.com"], ["gone.moved.com, to which moved.com is delegated, has no address"]],
  [
    "dead.com",
    ["name-server-lame dead.com", "name-server-lame dead.com", "zone-unanswered dead.com"],
    [
      "ns.dead.com, to which dead.com is delegated, answers REFUSED",
      expect.stringMatching(/^silent\.dead\.com, .* does not answer/),
      "dead.com is delegated to ns.dead.com, silent.dead.com, and none of them answers for it",
    ],
  ],
  [
    "down.com",
    ["name-server-lame down.com", "zone-unanswered down.com"],
    [expect.stringMatching(/does not answer/), "down.com is delegated to ns.down.com, and none of them answers for it"],
  ],
  [
    "nobodys.com",
    ["zone-unanswered nobodys.com"],
    ["no name server answers for nobodys.com: com does not delegate it"],
  ],
])("decides whether a server answers for %s: %j", async (domain, codes, whats) => {
  const dns = view();
  const delegationOf = (name: string) => findDelegation(name, dns);
  const { findings } = await checkOwnServers(domain, { delegationOf, dns, unusedLabel: "nobody" });
  expect(named(findings)).toEqual(codes);
  expect(findings.map(({ message: what }) => what)).toEqual(whats);
});

test("does not blame a zone whose name servers answer resolvers but not this machine", async () => {
  const dns = view();
  const delegationOf = (name: string) => findDelegation(name, dns);
  expect(await checkOwnServers("hidden.com", { delegationOf, dns, unusedLabel: "nobody" })).toEqual({
    findings: [],
    unknown: ["ns.hidden.com: they answer resolvers and not this machine"],
  });
});

test("compares a Cloud DNS zone with its parent's delegation", async () => {
  const dns = view();
  const zone = { project: "p1", name: "moved", domain: "moved.com", records: ["_acme-challenge.moved.com"] };
  const live = { name: "moved", domain: "moved.com", isPrivate: false, isSigned: false, nameServers: ["ns.old.net"] };
  const { findings } = await checkDelegation(zone, live, (name) => findDelegation(name, dns), dns);
  expect(findings.map(({ code, message: what }) => `${code}: ${what}`)).toContain(
    "zone-not-delegated: moved.com is delegated to gone.moved.com, ns.moved.com, and the zone moved is at ns.old.net",
  );
});

test.each([
  ["good.com", ["ns.good.com", "ns2.good.com"], "not to ns2.good.com"],
  ["moved.com", ["ns.moved.com"], "also to gone.moved.com"],
  ["moved.com", ["ns.moved.com", "ns2.moved.com"], "also to gone.moved.com and not to ns2.moved.com"],
])(
  "reports that the parent delegates %s to only some of the name servers %j of the zone",
  async (domain, nameServers, what) => {
    const dns = view();
    const zone = { project: "p1", name: "z", domain, records: [] };
    const live = { name: "z", domain, isPrivate: false, isSigned: false, nameServers };
    const { findings } = await checkDelegation(zone, live, (name) => findDelegation(name, dns), dns);
    expect(findings.map(({ code, subject, message }) => [code, subject, message])).toEqual([
      ["delegation-incomplete", domain, `${domain} is delegated ${what}, beside the name servers of the zone z`],
    ]);
  },
);

test("accepts a delegation to all name servers of the zone", async () => {
  const dns = view();
  const zone = { project: "p1", name: "z", domain: "good.com", records: [] };
  const live = { name: "z", domain: "good.com", isPrivate: false, isSigned: false, nameServers: ["ns.good.com"] };
  expect((await checkDelegation(zone, live, (name) => findDelegation(name, dns), dns)).findings).toEqual([]);
});

test("accepts a delegation of a Cloud DNS zone to other names of its servers", async () => {
  const dns = view();
  const zone = { project: "p1", name: "moved", domain: "moved.com", records: [] };
  const live = {
    name: "moved",
    domain: "moved.com",
    isPrivate: false,
    isSigned: false,
    nameServers: ["ns1.moved.com"],
  };
  expect(await checkDelegation(zone, live, (name) => findDelegation(name, dns), dns)).toMatchObject({ findings: [] });
});

test("reads a TTL from the zone's own servers, not the remaining TTL of a resolver", async () => {
  const dns = view();
  const { findings } = await checkHostname("good.com", subjectOfTest(), {
    dns,
    delegationOf: (name) => findDelegation(name, dns),
    now: new Date("2026-11-21T12:00:00Z"),
    unusedLabel: "nobody",
  });
  expect(findings.map(({ message: what, remedy }) => [what, remedy])).toEqual([
    [
      "the TTL of A of good.com is 7200 s",
      "lower the TTL to 60 s now, and move traffic after 2026-11-21T14:00:00.000Z, when the caches of resolvers have expired",
    ],
  ]);
});

test("compares address families only if traffic moves: a migration in place keeps the addresses of each name", async () => {
  const dns = view();
  const delegationOf = (name: string) => findDelegation(name, dns);
  const codes = async (change: Parameters<typeof subjectOfTest>[0]) => {
    const subject = subjectOfTest({
      ...change,
      balancer: { addresses: { ipv4: ["203.0.113.7"], ipv6: ["2001:db8::7"] }, ...change?.balancer },
    });
    const options = { dns, delegationOf, now: new Date("2026-11-21T12:00:00Z"), unusedLabel: "nobody" };
    return (await checkHostname("good.com", subject, options)).findings.map(({ code }) => code);
  };
  expect(await codes({})).toContain("ipv6-new");
  const proxy = { id: "projects/p1/global/targetHttpsProxies/web", addresses: ["203.0.113.7"], certificates: [] };
  const other = { ...proxy, id: `${proxy.id}-6`, addresses: ["2001:db8::7"] };
  expect(await codes({ balancer: { servingProxies: [proxy, other] } })).toEqual(["ttl-long"]);
});

test("does not report addresses of a wildcard that leads to a pool as a conflict with a validation record", async () => {
  let answers = 0;
  await using pool = await startOddServer(({ questions: [question] = [] }) => {
    answers += 1;
    const { name = "" } = question ?? {};
    return question?.type === "A" ? { answers: [{ type: "A", name, ttl: 5, data: `192.0.2.${answers}` }] } : {};
  });
  const dns = createDnsView({ resolvers: [pool.server], nameServerPort: "none", signal: stopping.signal });
  const delegation = { ok: true, apex: "shop.com", nameServers: ["ns.shop.com"], from: "parent" } as const;
  const { findings } = await checkChallenge(
    { domain: "shop.com", challenge: "_acme-challenge.shop.com", published: "external" },
    { dns, delegationOf: async () => delegation, zone: "shop.com", targetsOfProject: new Set(), unusedLabel: "nobody" },
  );
  expect(findings).toEqual([]);
});

test("reports failed DNSSEC of a hostname, its CAA records, its validation record and its zone", async () => {
  await using forged = await startOddServer(({ flags = 0 }) => ({ flags: (flags & 0x10) === 0 ? 2 : 0 }));
  const dns = createDnsView({ resolvers: [forged.server], nameServerPort: "none", signal: stopping.signal });
  const delegationOf = (name: string) => findDelegation(name, dns);
  const results = await Promise.all([
    checkHostname("shop.com", subjectOfTest(), { dns, delegationOf, now: new Date(), unusedLabel: "nobody" }),
    checkCaa("shop.com", dns),
    checkOwnServers("shop.com", { delegationOf, dns, unusedLabel: "nobody" }),
    checkChallenge(
      { domain: "shop.com", challenge: "_acme-challenge.shop.com", published: "external" },
      { dns, delegationOf, zone: "shop.com", targetsOfProject: new Set(), unusedLabel: "nobody" },
    ),
  ]);
  expect(results.map(({ findings }) => named(findings))).toEqual([
    ["dnssec-bogus shop.com"],
    ["dnssec-bogus shop.com"],
    ["dnssec-bogus shop.com"],
    ["dnssec-bogus _acme-challenge.shop.com"],
  ]);
});
