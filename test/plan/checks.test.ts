import { checks, type MigrationSpec, planMigration, withRemedy } from "../../lib/plan";
import messages from "../fixtures/checks/messages.json";
import { makeChainCertificate } from "../support/made-chain";
import { checkCases } from "./check-cases";

const now = new Date("2026-11-21T00:00:00Z");
/** Checks that look at proxies of the app, which only the constructs know. */
const ofAppProxies = ["proxy-holds-other-map", "proxy-in-other-stack", "proxy-kind-mismatch"];

/** Checks that look at certificates of the app, tested in test/constructs/app-certificates.test.ts. */
const ofAppCertificates = ["certificate-awaits-traffic"];
/** Checks that depend on the version of the provider, tested in test/constructs/write-only-keys.test.ts. */
const ofProviderVersion = ["private-key-write-only-unsupported"];
/** Checks of names that 'naming' returns, tested in test/plan/naming.test.ts. */
const ofNaming = ["naming-invalid", "resource-name-invalid", "resource-name-repeated", "resource-name-without-digest"];

/** Checks that need the roots of public CAs, tested in test/plan/uploaded-lifetime.test.ts. */
const ofPublicRoots = ["certificate-lifetime-exceeded"];

const codesOf = (spec: MigrationSpec) => planMigration(spec, { now }).findings.map(({ code }) => code);

test("has a case for every check", () => {
  const tested = [
    ...checkCases.map(({ code }) => code),
    ...ofAppProxies,
    ...ofAppCertificates,
    ...ofProviderVersion,
    ...ofNaming,
    ...ofPublicRoots,
  ].sort();
  expect(tested).toEqual(Object.keys(checks).sort());
});

describe.each(checkCases)("$code", ({ code, refused, accepted }) => {
  test("is found, with a message that explains the fix", () => {
    const found = planMigration(refused, { now }).findings.find((finding) => finding.code === code);
    expect(found?.severity).toBe(checks[code].severity);
    expect(found && withRemedy(found)).toBe((messages as Record<string, string>)[code]);
  });

  test("is not found in the most similar valid spec", () => {
    expect(codesOf(accepted)).not.toContain(code);
    const errors = planMigration(accepted, { now }).findings.filter(({ severity }) => severity === "error");
    expect(errors).toEqual([]);
  });
});

test("reports all mistakes at once, errors first", () => {
  const codes = codesOf({
    name: "shop",
    certificates: [{ domains: ["localhost", "example.com"] }, { name: "B", domains: ["example.com"] }],
    dns: { kind: "cloudDns", zones: { "example.com": "com", "example.net": "net" } },
    labels: { Team: "web" },
  });
  expect(codes).toEqual([
    "hostname-in-two-certificates",
    "hostname-not-public",
    "label-key-invalid",
    "name-invalid",
    "zone-unused",
  ]);
});

describe("refuses a name that appears as a key in two spellings, in any order", () => {
  const zone = { "example.com": "com" };
  const authorization = (name: string) => `projects/p/locations/global/dnsAuthorizations/${name}`;

  test.each<[string, Partial<MigrationSpec>]>([
    ["zones", { dns: { kind: "cloudDns", zones: { ...zone, "Example.com": "other" } } }],
    [
      "existingAuthorizations",
      { existingAuthorizations: { "Example.com": authorization("a"), "example.com.": authorization("b") } },
    ],
    [
      "traffic.previous",
      { traffic: { to: "previous", previous: { "example.com": { a: [] }, "EXAMPLE.COM": { a: [] } } } },
    ],
  ])("%s", (_, change) => {
    const spec = {
      name: "shop",
      certificates: [{ domains: ["example.com"] }],
      dns: { kind: "cloudDns", zones: zone },
      ...change,
    } as const;
    expect(codesOf(spec)).toContain("key-repeated");
  });
});

describe("a self-managed PEM", () => {
  const authority = makeChainCertificate({ commonName: "Authority", isAuthority: true });
  const leaf = makeChainCertificate({ commonName: "example.com", names: ["example.com"], issuer: authority });
  const codesFor = (certificatePem: string) =>
    codesOf({
      name: "shop",
      certificates: [{ kind: "selfManaged", certificatePem, privateKeyVariable: "key" }],
      dns: { kind: "external" },
    });

  test("is accepted if its leaf comes first", () => {
    expect(codesFor(`${leaf.pem}${authority.pem}`)).toEqual([]);
  });

  test("is refused if its leaf comes after its issuer", () => {
    expect(codesFor(`${authority.pem}${leaf.pem}`)).toEqual(["certificate-pem-unusable"]);
  });

  test("is refused if it is invalid, with this error only and none about missing domains", () => {
    expect(codesFor("not a certificate")).toEqual(["certificate-pem-unusable"]);
  });

  test("is refused if a part of its chain is damaged", () => {
    expect(codesFor(`${leaf.pem}${authority.pem.replace(/\n[^-]/, "\n*")}`)).toEqual(["certificate-pem-unusable"]);
  });
});

test("reports mistakes in the records of a name at the name, in its own spelling", () => {
  const previous = { "Example.com": { a: ["not an address"] } };
  const spec: MigrationSpec = {
    name: "shop",
    certificates: [{ domains: ["example.com"] }],
    dns: { kind: "external" },
    traffic: { to: "previous", previous },
  };
  expect(planMigration(spec, { now }).findings).toMatchObject([
    { code: "traffic-previous-invalid", subject: "/traffic/previous/Example.com" },
  ]);
});

describe.each([
  ["ipv4Address", "2001:db8::7"],
  ["ipv6Address", "203.0.113.7"],
] as const)("refuses a forwarding rule whose %s is %s", (field, address) => {
  test.each([
    ["whatever addresses are stated", { addresses: ["203.0.113.7"] }],
    ["where none are stated", {}],
  ])("%s", (_, stated) => {
    const spec: MigrationSpec = {
      name: "shop",
      certificates: [{ domains: ["example.com"] }],
      dns: { kind: "external" },
      loadBalancer: {
        kind: "globalExternal",
        newTargetHttpsProxy: { urlMap: "um", forwardingRules: { [field]: address } },
        ...stated,
      },
    };
    const at = `/loadBalancer/newTargetHttpsProxy/forwardingRules/${field}`;

    expect(planMigration(spec, { now }).findings).toMatchObject([{ code: "address-invalid", subject: at }]);
  });
});

describe("the address of a forwarding rule", () => {
  const spec = (address: string, field: "ipv4Address" | "ipv6Address", change: object = {}): MigrationSpec => ({
    name: "shop",
    certificates: [{ domains: ["example.com"] }],
    dns: { kind: "external" },
    loadBalancer: {
      kind: "globalExternal",
      newTargetHttpsProxy: { urlMap: "um", forwardingRules: { [field]: address } },
    },
    ...change,
  });
  const findings = (...given: Parameters<typeof spec>) => planMigration(spec(...given), { now }).findings;

  test.each([
    ["ipv4Address", "203.0.113.7"],
    ["ipv4Address", "shop-ip"],
    ["ipv4Address", "global/addresses/shop-ip"],
    ["ipv4Address", "regions/europe-west1/addresses/shop"],
    ["ipv4Address", "projects/example.com:shop/global/addresses/shop"],
    ["ipv4Address", "https://www.googleapis.com/compute/v1/projects/p/global/addresses/shop"],
    ["ipv4Address", "https://compute.googleapis.com/compute/beta/projects/p/regions/europe-west1/addresses/shop"],
    ["ipv4Address", "${google_compute_global_address.shop.address}"],
    ["ipv6Address", "2001:db8::7"],
    ["ipv6Address", "2600:1234::/96"],
    ["ipv6Address", "global/addresses/shop"],
  ] as const)("%s may be %s", (field, address) => {
    expect(findings(address, field)).toEqual([]);
  });

  test.each([
    ["ipv4Address", "203.0.113"],
    ["ipv4Address", "999.1.1.1"],
    ["ipv4Address", "203.0.113.7/32"],
    ["ipv4Address", "hello world"],
    ["ipv4Address", ""],
    ["ipv4Address", "Shop"],
    ["ipv4Address", "shop-"],
    ["ipv4Address", "example.com"],
    ["ipv4Address", "global/forwardingRules/shop"],
    ["ipv4Address", "projects/p/addresses/shop"],
    ["ipv6Address", "2001:db8::/129"],
    ["ipv6Address", "2001:db8::7::"],
  ] as const)("%s can't be '%s', which is reported at its place", (field, address) => {
    const at = `/loadBalancer/newTargetHttpsProxy/forwardingRules/${field}`;
    expect(findings(address, field)).toMatchObject([{ code: "address-invalid", subject: at, severity: "error" }]);
  });

  test("is reported if it refers to a resource with an unknown value, and traffic moves", () => {
    const traffic = { to: "loadBalancer", previous: { "example.com": { a: ["198.51.100.1"] } } } as const;
    expect(findings("shop-ip", "ipv4Address", { traffic }).map(withRemedy)).toContain(
      "the load balancer has no known address: 'shop-ip' refers to an address without its value; set 'loadBalancer.addresses'",
    );
  });
});
