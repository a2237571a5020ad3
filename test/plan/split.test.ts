import fc from "fast-check";
import { type MigrationSpec, planMigration, type SplitOptions, splitMigration } from "../../lib/plan";

const dns = { kind: "cloudDns", zones: { "example.com": "com", "example.net": "net" } } as const;
const hosts = (count: number, from = 1): MigrationSpec["certificates"] =>
  Array.from({ length: count }, (_, index) => ({ domains: [`h${from + index}.example.com`] }));
const fleet = (certificates: MigrationSpec["certificates"], change: Partial<MigrationSpec> = {}): MigrationSpec => ({
  name: "fleet",
  certificates,
  dns,
  ...change,
});

function codesOf(spec: MigrationSpec, options: SplitOptions): readonly string[] {
  try {
    splitMigration(spec, options);
    return [];
  } catch (error) {
    return (error as { readonly problems: readonly { readonly code: string }[] }).problems.map(({ code }) => code);
  }
}

const domainsOf = (spec: MigrationSpec) => spec.certificates.flatMap(({ domains = [] }) => domains);

describe("a migration that fits into one stack", () => {
  it("is that stack, complete", () => {
    const spec = fleet(
      [{ domains: ["example.com", "*.example.com"] }, { name: "shop", domains: ["shop.example.net"] }],
      {
        mustServe: ["www.example.com"],
        traffic: {
          hostnames: ["shop.example.net"],
          to: "previous",
          previous: { "shop.example.net": { a: ["198.51.100.1"] } },
        },
      },
    );
    expect(splitMigration(spec, { maxEntriesPerMap: 100 })).toEqual({
      stacks: [
        {
          name: "fleet-1",
          entries: 3,
          spec: { ...spec, name: "fleet-1", traffic: { ...spec.traffic, ingressLabel: "cert-migration-ingress-1" } },
        },
      ],
      assigned: { "*.example.com": "fleet-1", "example.com": "fleet-1", "shop.example.net": "fleet-1" },
    });
  });
});

it.each([
  ["as many entries as a map may have", { maxEntriesPerMap: 100 }, 1],
  ["an entry more than a map may have", { maxEntriesPerMap: 99 }, 2],
  ["as many certificates as a stack may have", { maxEntriesPerMap: 1_000, maxCertificatesPerStack: 100 }, 1],
  ["a certificate more than a stack may have", { maxEntriesPerMap: 1_000, maxCertificatesPerStack: 99 }, 2],
])("a fleet with %s: %j is in %d stacks", (_, options, expected) => {
  expect(splitMigration(fleet(hosts(100)), options).stacks).toHaveLength(expected);
});

it("a fleet is spread over stacks, each below the limit, with every hostname in exactly one", () => {
  const { stacks, assigned } = splitMigration(fleet(hosts(1_000)), { maxEntriesPerMap: 100 });
  expect(stacks).toHaveLength(16);
  for (const { entries } of stacks) expect(entries).toBeLessThanOrEqual(100);
  expect(stacks.flatMap(({ spec }) => domainsOf(spec)).sort()).toEqual(domainsOf(fleet(hosts(1_000))).sort());
  expect(Object.keys(assigned)).toHaveLength(1_000);
});

it("a fleet keeps every certificate in its stack when hostnames are added, also past all limits, and reports where new certificates are", () => {
  const before = splitMigration(fleet(hosts(150)), { maxEntriesPerMap: 100 });
  const after = splitMigration(fleet(hosts(900)), { maxEntriesPerMap: 100, assigned: before.assigned });
  expect(after.assigned).toMatchObject(before.assigned);
  expect(before.stacks).toHaveLength(2);
  expect(after.stacks.length).toBeGreaterThan(8);
  for (const { entries } of after.stacks) expect(entries).toBeLessThanOrEqual(100);
});

it("a fleet keeps every certificate in its stack without a record, as long as the number of stacks is the same", () => {
  const before = splitMigration(fleet(hosts(800)), { maxEntriesPerMap: 100 });
  const after = splitMigration(fleet(hosts(1_000)), { maxEntriesPerMap: 100 });
  expect(after.assigned).toMatchObject(before.assigned);
});

it("a fleet moves about half of the certificates without a record when the number of stacks doubles: all of them to new stacks", () => {
  const before = splitMigration(fleet(hosts(280)), { maxEntriesPerMap: 100 });
  const after = splitMigration(fleet(hosts(320)), { maxEntriesPerMap: 100 });
  expect([before.stacks.length, after.stacks.length]).toEqual([4, 8]);
  const moved = Object.entries(before.assigned).filter(([id, stack]) => after.assigned[id] !== stack);
  expect(moved.length / 280).toBeGreaterThan(0.4);
  expect(moved.length / 280).toBeLessThan(0.6);
  const old = new Set(before.stacks.map(({ name }) => name));
  expect(moved.filter(([id]) => old.has(after.assigned[id] ?? ""))).toEqual([]);
});

it("a fleet keeps every certificate in its stack when others are removed", () => {
  const before = splitMigration(fleet(hosts(150)), { maxEntriesPerMap: 100 });
  const { assigned } = splitMigration(fleet(hosts(100, 51)), { maxEntriesPerMap: 100, assigned: before.assigned });
  expect(before.assigned).toMatchObject(assigned);
});

const shops = (change: (host: string, index: number) => MigrationSpec["certificates"][number]) =>
  fleet(Array.from({ length: 200 }, (_, index) => change(`h${index}.example.com`, index)));

test.each<[string, (host: string, index: number) => MigrationSpec["certificates"][number]]>([
  ["a domain more, which comes first", (host) => ({ domains: [`a.${host}`, host, `*.${host}`] })],
  ["only its wildcard as domain", (host) => ({ domains: [`*.${host}`] })],
  ["a name", (host, index) => ({ name: `shop-${index}`, domains: [host, `*.${host}`] })],
  [
    "another order and a name that is the host of another one",
    (host, index) => ({ name: `h${199 - index}.example.com`, domains: [`*.${host}`, host] }),
  ],
])("a fleet keeps every hostname in its stack when each certificate gets %s", (_, change) => {
  const options = { maxEntriesPerMap: 50 };
  const { assigned } = splitMigration(
    shops((host) => ({ domains: [host, `*.${host}`] })),
    options,
  );
  const after = splitMigration(shops(change), { maxEntriesPerMap: 100, assigned }).assigned;
  const moved = Object.keys(assigned).filter((host) => host in after && after[host] !== assigned[host]);
  expect([Object.keys(assigned).length, moved]).toEqual([400, []]);
});

it("a fleet accepts 10,000 hostnames", () => {
  const { stacks } = splitMigration(fleet(hosts(10_000)), { maxEntriesPerMap: 1_000 });
  expect(stacks.map(({ name }) => name)).toEqual(Array.from({ length: 16 }, (_, index) => `fleet-${index + 1}`));
  for (const { entries } of stacks) expect(entries).toBeLessThanOrEqual(1_000);
});

it("a fleet is split by the number of certificates too", () => {
  const certificates = hosts(20);
  const { stacks } = splitMigration(fleet(certificates), { maxEntriesPerMap: 100, maxCertificatesPerStack: 5 });
  for (const { spec } of stacks) expect(spec.certificates.length).toBeLessThanOrEqual(5);
  expect(stacks.flatMap(({ spec }) => spec.certificates)).toHaveLength(20);
});

describe("parts that stay together", () => {
  const apart = { maxEntriesPerMap: 3, maxCertificatesPerStack: 2 };

  it("are certificates that need the same domain authorized", () => {
    const { assigned } = splitMigration(
      fleet([{ domains: ["*.example.com"] }, { name: "root", domains: ["example.com"] }, ...hosts(20)]),
      apart,
    );
    expect(assigned["*.example.com"]).toBe(assigned["example.com"]);
  });

  it("are certificates that one entry lists", () => {
    const second = { name: "second", domains: ["a.example.com"] };
    const first = { name: "first", domains: ["a.example.com"], alternatives: ["second"] };
    const { stacks } = splitMigration(fleet([first, second, ...hosts(20)]), apart);
    const names = stacks.map(({ spec }) => spec.certificates.flatMap(({ name = [] }) => name).sort());
    expect(names.filter((list) => list.length > 0)).toEqual([["first", "second"]]);
  });

  it("are a host's records and the stack that has its entry, and the wildcard's entry only if no other exists", () => {
    const previous = { "www.example.com": { a: ["198.51.100.1"] }, "other.example.com": { a: ["198.51.100.2"] } };
    const { stacks, assigned } = splitMigration(
      fleet([{ domains: ["*.example.com"] }, { domains: ["www.example.com"] }, ...hosts(20)], {
        mustServe: ["other.example.com", "www.example.com"],
        traffic: { hostnames: Object.keys(previous), to: "previous", previous },
      }),
      apart,
    );
    const stackOf = (id: string) => stacks.find(({ name }) => name === assigned[id])?.spec;
    expect(assigned["*.example.com"]).not.toBe(assigned["www.example.com"]);
    expect(stackOf("*.example.com")).toMatchObject({
      mustServe: ["other.example.com"],
      traffic: { previous: { "other.example.com": previous["other.example.com"] } },
    });
    expect(Object.keys(stackOf("*.example.com")?.traffic?.previous ?? {})).toEqual(["other.example.com"]);
    expect(Object.keys(stackOf("www.example.com")?.traffic?.previous ?? {})).toEqual(["www.example.com"]);
    const without = stacks.filter(
      ({ name }) => ![assigned["*.example.com"], assigned["www.example.com"]].includes(name),
    );
    expect(without.map(({ spec }) => spec.traffic)).toEqual(without.map(() => undefined));
  });

  it("are zones and their contents", () => {
    const { stacks, assigned } = splitMigration(fleet([{ domains: ["a.example.net"] }, ...hosts(20)]), apart);
    const zones = Object.fromEntries(
      stacks.map(({ name, spec }) => [name, spec.dns.kind === "cloudDns" ? Object.keys(spec.dns.zones) : []]),
    );
    const expected = stacks.map(({ name, spec }) => {
      const suffixes = new Set(domainsOf(spec).map((domain) => domain.split(".").slice(-2).join(".")));
      return [name, ["example.com", "example.net"].filter((zone) => suffixes.has(zone))];
    });
    expect(zones).toEqual(Object.fromEntries(expected));
    expect(zones[assigned["a.example.net"] ?? ""]).toContain("example.net");
  });
});

describe("a load balancer without a map", () => {
  const direct = { loadBalancer: { kind: "regionalInternal", region: "europe-west3" } } as const;

  it("still assigns hostnames to stacks", () => {
    const spec = fleet(hosts(12), direct);
    const options = { maxEntriesPerMap: 9, maxCertificatesPerStack: 4 };
    const { assigned } = splitMigration(spec, options);
    expect(Object.keys(assigned)).toHaveLength(12);
    const renamed = spec.certificates.map((one, index) => ({ ...one, name: `c${index}` }));
    expect(splitMigration(fleet(renamed, direct), { ...options, assigned }).assigned).toEqual(assigned);
  });
});

const proxy = { newTargetHttpsProxy: { urlMap: "web" } };
const manyHosts = fleet(hosts(10));

test.each<[what: string, spec: MigrationSpec, options: SplitOptions, code: string]>([
  ["for an invalid limit", manyHosts, { maxEntriesPerMap: 0 }, "split-limit-invalid"],
  [
    "for certificates that share domains and are too many",
    fleet([{ domains: ["a.example.com", "b.example.com"] }]),
    { maxEntriesPerMap: 1 },
    "split-group-too-large",
  ],
  [
    "where a stack's certificates have outgrown it",
    fleet([{ domains: ["a.example.com", "b.example.com"] }]),
    { maxEntriesPerMap: 1, assigned: { "a.example.com": "fleet-1" } },
    "split-stack-full",
  ],
  [
    "where a certificate joins what is deployed apart",
    fleet([
      { name: "a", domains: ["example.com", "b.example.com"] },
      { name: "b", domains: ["*.example.com"] },
    ]),
    { maxEntriesPerMap: 9, assigned: { "b.example.com": "fleet-1", "*.example.com": "fleet-2" } },
    "split-joins-stacks",
  ],
  [
    "where a certificate takes over hostnames of another stack",
    fleet([{ name: "a", domains: ["a.example.com", "b.example.com"] }]),
    { maxEntriesPerMap: 9, assigned: { "a.example.com": "fleet-1", "b.example.com": "fleet-2" } },
    "split-joins-stacks",
  ],
  [
    "where stacks would share a proxy",
    { ...manyHosts, loadBalancer: { kind: "globalExternal", ...proxy } },
    { maxEntriesPerMap: 3 },
    "split-proxy-shared",
  ],
  [
    "where stacks would share a map",
    { ...manyHosts, existingCertificateMap: "projects/p/locations/global/certificateMaps/m" },
    { maxEntriesPerMap: 3 },
    "split-map-shared",
  ],
  [
    "for mistakes of the migration",
    fleet([{ domains: ["not a name"] }]),
    { maxEntriesPerMap: 3 },
    "hostname-bad-character",
  ],
])("refuses a split %s", (_, spec, options, code) => {
  expect(codesOf(spec, options)).toContain(code);
});

it("accepts a split whose proxies are given for each stack", () => {
  const loadBalancerOf = (stack: string) => ({
    kind: "globalExternal" as const,
    newTargetHttpsProxy: { urlMap: stack },
  });
  const { stacks } = splitMigration(
    { ...manyHosts, loadBalancer: { kind: "globalExternal", ...proxy } },
    { maxEntriesPerMap: 3, loadBalancerOf },
  );
  expect(stacks.map(({ name, spec }) => [name, spec.loadBalancer?.newTargetHttpsProxy?.urlMap])).toEqual(
    stacks.map(({ name }) => [name, name]),
  );
});

describe("for any fleet", () => {
  const label = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");
  const certificate = fc.uniqueArray(label, { minLength: 1, maxLength: 3 });
  const disjoint = fc
    .array(certificate, { minLength: 1, maxLength: 60 })
    .map((lists) => lists.map((names, index) => ({ domains: names.map((name) => `${name}.${index}x.example.com`) })));

  it("stacks authorize different domains, stay below the limit, plan without mistakes, and do not depend on order", () => {
    fc.assert(
      fc.property(disjoint, fc.integer({ min: 3, max: 20 }), (certificates, maxEntriesPerMap) => {
        const { stacks, assigned } = splitMigration(fleet(certificates), { maxEntriesPerMap });
        const plans = stacks.map(({ spec }) => planMigration(spec));
        const domains = plans.flatMap(({ authorizations }) => authorizations.map(({ domain }) => domain));
        expect(new Set(domains).size).toBe(domains.length);
        expect(plans.flatMap(({ findings }) => findings)).toEqual([]);
        expect(plans.map(({ entries }) => entries.length)).toEqual(stacks.map(({ entries }) => entries));
        expect(stacks.every(({ entries }) => entries <= maxEntriesPerMap)).toBe(true);
        expect(splitMigration(fleet([...certificates].reverse()), { maxEntriesPerMap }).assigned).toEqual(assigned);
      }),
      { numRuns: 100 },
    );
  });

  it("no hostname moves when the fleet grows", () => {
    fc.assert(
      fc.property(disjoint, fc.nat(60), (certificates, kept) => {
        const options = { maxEntriesPerMap: 7 };
        const { assigned } = splitMigration(fleet(certificates.slice(0, Math.max(1, kept))), options);
        expect(splitMigration(fleet(certificates), { ...options, assigned }).assigned).toMatchObject(assigned);
      }),
      { numRuns: 100 },
    );
  });
});
