import fc from "fast-check";
import { type LoadBalancerSpec, type MigrationSpec, type SplitOptions, splitMigration } from "../../lib/plan";

const fleet: MigrationSpec = {
  name: "fleet",
  certificates: Array.from({ length: 10 }, (_, index) => ({ domains: [`h${index}.example.com`] })),
  dns: { kind: "cloudDns", zones: { "example.com": "com" } },
};

type Problems = readonly { readonly code: string; readonly message: string }[];

function problemsOf(spec: MigrationSpec, options: unknown): Problems {
  try {
    splitMigration(spec, options as SplitOptions);
    return [];
  } catch (error) {
    return (error as { readonly problems: Problems }).problems;
  }
}

const limitMissing = "maxEntriesPerMap is missing; give a whole number from 1";

test.each<[what: string, options: unknown, messages: readonly string[]]>([
  ["none", undefined, [limitMissing]],
  ["no limit", {}, [limitMissing]],
  ["a limit of certificates alone", { maxCertificatesPerStack: 5 }, [limitMissing]],
  [
    "a limit that is misspelt",
    { maxEntriesPerMaps: 5 },
    ["'maxEntriesPerMaps' is not an option of a split; is 'maxEntriesPerMap' meant?", limitMissing],
  ],
  [
    "invalid limits",
    { maxEntriesPerMap: "5", maxCertificatesPerStack: 0.5 },
    [
      "maxEntriesPerMap '5' is not a limit; give a whole number from 1",
      "maxCertificatesPerStack '0.5' is not a limit; give a whole number from 1",
    ],
  ],
  [
    "an invalid record",
    { maxEntriesPerMap: 5, assigned: "x" },
    [
      "assigned 'x' is not a mapping of hostnames to stacks; pass the value of 'assigned' that the previous split returned",
    ],
  ],
  [
    "stacks that no split has named",
    { maxEntriesPerMap: 5, assigned: { a: 3, b: "../x y", c: "shop-1", d: "fleet-01", e: "fleet-2" } },
    ["3", "../x y", "shop-1", "fleet-01"].map(
      (stack, index) =>
        `assigned '${"abcd"[index]}': '${stack}' is not a stack of 'fleet', which are 'fleet-1' and so on; pass the value of 'assigned' that the previous split returned`,
    ),
  ],
])("checks the options of a split before anything else: %s", (_, options, messages) => {
  expect(problemsOf(fleet, options).map(({ message }) => message)).toEqual(messages);
});

it("reports ten mistakes of a kind, and the number of others", () => {
  const assigned = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`h${index}`, "shop-1"]));
  expect(problemsOf(fleet, { maxEntriesPerMap: 5, assigned }).at(-1)?.message).toBe("and 9990 more like these");
  expect(problemsOf(fleet, { maxEntriesPerMap: 5, assigned })).toHaveLength(11);
  const pairs = fleet.certificates.map(({ domains = [] }) => ({ domains: [...domains, `*.${domains[0]}`] }));
  const large = { ...fleet, certificates: [...pairs, { domains: ["a.example.com", "b.example.com"] }] };
  expect(problemsOf(large, { maxEntriesPerMap: 1 }).map(({ message }) => message)).toEqual([
    "certificate 'a.example.com' has 2 entries, more than one stack takes; raise the limits, or put its hostnames into several certificates",
    ...Array.from({ length: 9 }, (_, index) => expect.stringContaining(`certificate 'h${index}.example.com' has 2`)),
    "and 1 more like these",
  ]);
});

it("reads what a split wrote", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/), fc.integer({ min: 1, max: 10 }), (name, most) => {
      const spec = { ...fleet, name };
      const { assigned } = splitMigration(spec, { maxEntriesPerMap: most });
      expect(splitMigration(spec, { maxEntriesPerMap: most, assigned }).assigned).toEqual(assigned);
    }),
    { numRuns: 30 },
  );
});

const adopted = (name: string) => ({
  name,
  urlMap: "web",
  sslCertificates: [],
  sslPolicy: "",
  quicOverride: "UNSET" as const,
  tlsEarlyData: "UNSET" as const,
  httpKeepAliveTimeoutSeconds: 0,
  serverTlsPolicy: "",
  description: "",
});
const adoptedSsl = {
  name: "tls",
  backendService: "b",
  sslCertificates: [],
  sslPolicy: "",
  proxyHeader: "UNSET" as const,
  description: "",
};
const kind = "globalExternal" as const;
const rules = (ipv4Address: string) => ({ newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address } } });
const split = (loadBalancerOf: (stack: string) => LoadBalancerSpec, change: Partial<MigrationSpec> = {}) =>
  problemsOf({ ...fleet, ...change }, { maxEntriesPerMap: 3, loadBalancerOf });
const numberOf = (stack: string) => Number(stack.split("-")[1]);

test.each<[what: string, loadBalancerOf: (stack: string) => LoadBalancerSpec, code: string, named: string]>([
  [
    "an adopted HTTPS proxy",
    () => ({ kind, adoptTargetHttpsProxies: [adopted("web")] }),
    "split-proxy-shared",
    "the same target HTTPS proxy 'web', which takes one map",
  ],
  [
    "an adopted SSL proxy",
    () => ({ kind, adoptTargetSslProxies: [adoptedSsl] }),
    "split-proxy-shared",
    "the same target SSL proxy 'tls', which",
  ],
  [
    "a new proxy's name",
    () => ({ kind, newTargetHttpsProxy: { urlMap: "web", name: "web" } }),
    "split-proxy-shared",
    "the same target HTTPS proxy 'web', which",
  ],
  [
    "a proxy that one adopts and another makes, in the same project",
    (stack) =>
      stack === "fleet-1"
        ? { kind, project: "p", adoptTargetHttpsProxies: [adopted("web")] }
        : { kind, newTargetHttpsProxy: { urlMap: "web", name: stack === "fleet-2" ? "web" : stack }, project: "p" },
    "split-proxy-shared",
    "the stacks 'fleet-1', 'fleet-2' have the same target HTTPS proxy 'web' of project 'p'",
  ],
  [
    "the address of a forwarding rule",
    () => ({ kind, ...rules("203.0.113.7") }),
    "split-address-shared",
    "the same address '203.0.113.7', whose port 443 leads to one proxy",
  ],
  [
    "the resource of an address, by its link and by its id",
    (stack) => ({
      kind,
      ...rules(`${stack === "fleet-1" ? "https://www.googleapis.com/compute/v1/" : ""}projects/p/global/addresses/web`),
    }),
    "split-address-shared",
    "the same address 'projects/p/global/addresses/web', whose",
  ],
  [
    "where the load balancer answers",
    (stack) => ({
      kind,
      addresses: {
        ipv6: [stack === "fleet-1" ? "2001:DB8:0::1" : "2001:db8::1"],
        ipv4: [`203.0.113.${numberOf(stack)}`],
      },
    }),
    "split-address-shared",
    "the same address '2001:db8::1', whose",
  ],
  [
    "where the load balancer answers, by IPv4 alone",
    () => ({ kind, addresses: { ipv4: ["203.0.113.7"] } }),
    "split-address-shared",
    "the same address '203.0.113.7', whose",
  ],
  [
    "where the load balancer answers, by IPv6 alone",
    () => ({ kind, addresses: { ipv6: ["2001:db8::1"] } }),
    "split-address-shared",
    "the same address '2001:db8::1', whose",
  ],
])("refuses conflicting stacks by name: %s", (_, loadBalancerOf, code, named) => {
  const problems = split(loadBalancerOf);
  expect(problems).toEqual([{ code, message: expect.stringContaining(named) }]);
  expect(problems[0]?.message).toMatch(/^the stacks 'fleet-1', .*; let 'loadBalancerOf' give each stack its own$/);
});

it("refuses conflicting stacks by the name of an address in one project, which one names and others have from the migration", () => {
  const own = (stack: string) => (stack === "fleet-1" ? { project: "my-project" } : {});
  const problems = split((stack) => ({ kind, ...rules("web"), ...own(stack) }), { project: "my-project" });
  expect(problems).toEqual([
    {
      code: "split-address-shared",
      message: expect.stringMatching(/^the stacks 'fleet-1', .* have the same address 'web' of project 'my-project', /),
    },
  ]);
});

it("refuses conflicting stacks even if all of them have the address of the whole", () => {
  const spec = { ...fleet, loadBalancer: { kind, addresses: ["203.0.113.7"] } };
  expect(problemsOf(spec, { maxEntriesPerMap: 3 })).toMatchObject([{ code: "split-address-shared" }]);
});

test.each<[what: string, loadBalancerOf: (stack: string) => LoadBalancerSpec]>([
  ["proxies that are named for their stack", (stack) => ({ kind, adoptTargetHttpsProxies: [adopted(stack)] })],
  [
    "a proxy of the same name in each project",
    (stack) => ({ kind, project: stack, adoptTargetHttpsProxies: [adopted("web")] }),
  ],
  ["new proxies without a name", () => ({ kind, newTargetHttpsProxy: { urlMap: "web" } })],
  ["addresses of their own", (stack) => ({ kind, ...rules(`203.0.113.${numberOf(stack)}`) })],
  [
    "addresses whose IDs differ only in the last character, which a message would cut off",
    (stack) => ({
      kind,
      ...rules(
        `projects/${"p".repeat(30)}/regions/northamerica-northeast1/addresses/${"a".repeat(62)}${numberOf(stack)}`,
      ),
    }),
  ],
  [
    "references, which mean something else in each stack",
    () => ({ kind, ...rules("${google_compute_global_address.web.address}") }),
  ],
  [
    "the same internal address in networks of their own",
    (stack) => ({
      kind: "crossRegionInternal",
      newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "10.0.0.5", network: stack } },
    }),
  ],
  [
    "the address of a proxy that takes certificates of several",
    () => ({ kind: "crossRegionInternal", addresses: ["10.0.0.5"] }),
  ],
])("accepts stacks with %s", (_, loadBalancerOf) => {
  const internal = loadBalancerOf("fleet-1").kind === "crossRegionInternal";
  const change = internal ? { loadBalancer: { kind: "crossRegionInternal" as const } } : {};
  expect(split(loadBalancerOf, change)).toEqual([]);
});

it("accepts a migration that fits into one stack", () => {
  const spec = { ...fleet, loadBalancer: { kind, adoptTargetHttpsProxies: [adopted("web")] } };
  expect(problemsOf(spec, { maxEntriesPerMap: 100 })).toEqual([]);
});
