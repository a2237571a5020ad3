import { plannedNames, primariesOf, targetsOf } from "../../../lib/live/verify";
import type { SourceMigration } from "../../../lib/source";

const id = (name: string) => `projects/p/locations/global/certificates/${name}`;

function migration(change: Partial<SourceMigration> = {}): SourceMigration {
  const certificate = (name: string, ...domains: readonly string[]) =>
    ({ name, id: id(name), kind: "managed", domains, location: "global", scope: "DEFAULT" }) as const;
  return {
    path: "prod/shop",
    name: "shop",
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    certificates: [certificate("shop", "example.com", "*.example.com"), certificate("pay", "pay.example.net")],
    entries: [
      { hostname: "example.com", certificates: ["shop"] },
      { hostname: "*.example.com", certificates: ["shop", id("elsewhere")] },
    ],
    authorizations: [],
    records: [],
    map: { id: "projects/p/locations/global/certificateMaps/map" },
    proxies: [],
    addresses: { ipv4: ["203.0.113.7"], ipv6: [] },
    ...change,
  };
}

test("checks every entry at every address, with the certificates of its entry", () => {
  const addresses = { ipv4: ["203.0.113.7"], ipv6: ["2001:db8::7"] };
  expect(targetsOf([migration({ addresses })])).toEqual([
    { hostname: "*.example.com", addresses: ["203.0.113.7"], planned: [id("shop"), id("elsewhere")] },
    { hostname: "*.example.com", addresses: ["2001:db8::7"], planned: [id("shop"), id("elsewhere")] },
    { hostname: "example.com", addresses: ["203.0.113.7"], planned: [id("shop")] },
    { hostname: "example.com", addresses: ["2001:db8::7"], planned: [id("shop")] },
  ]);
});

test("checks a name whose traffic moves too, with the certificates that the load balancer chooses for it", () => {
  const traffic = { to: "loadBalancer", hostnames: ["www.example.com", "other.example.org"], records: [] } as const;
  const entries = [...migration().entries, { hostname: "PRIMARY", certificates: ["pay"] }];
  const targets = targetsOf([migration({ traffic, entries })]);
  expect(targets.map(({ hostname, planned }) => [hostname, planned])).toEqual([
    ["*.example.com", [id("shop"), id("elsewhere")]],
    ["example.com", [id("shop")]],
    ["other.example.org", [id("pay")]],
    ["www.example.com", [id("shop"), id("elsewhere")]],
  ]);
});

test("without a map, uses the certificates of the plan that cover the name", () => {
  const { map: _, ...direct } = migration({ entries: [], loadBalancer: "regionalExternal" });
  expect(targetsOf([direct]).map(({ hostname, planned }) => [hostname, planned])).toEqual([
    ["*.example.com", [id("shop")]],
    ["example.com", [id("shop")]],
    ["pay.example.net", [id("pay")]],
  ]);
  expect(primariesOf([direct])).toEqual([{ address: "203.0.113.7", hasPrimary: true }]);
});

test("recognizes an uploaded certificate if each certificate of the name is uploaded, with its PEM in the plan", () => {
  const [shop, pay] = migration().certificates;
  if (shop === undefined || pay === undefined) throw new Error("there are two certificates");
  const upload = (certificate: typeof shop, uploadedPem: string) =>
    ({ ...certificate, kind: "selfManaged", uploadedPem }) as const;
  const entries = [
    { hostname: "a.example.com", certificates: ["shop"] },
    { hostname: "b.example.com", certificates: ["shop", "pay"] },
    { hostname: "c.example.com", certificates: ["shop", id("elsewhere")] },
  ];
  const uploadsOf = (...certificates: SourceMigration["certificates"]) =>
    targetsOf([migration({ certificates, entries })]).map(({ uploads }) => uploads);
  expect(uploadsOf(upload(shop, "PEM 1"), upload(pay, "PEM 2"))).toEqual([["PEM 1"], ["PEM 1", "PEM 2"], undefined]);
  expect(uploadsOf(upload(shop, "PEM 1"), pay)).toEqual([["PEM 1"], undefined, undefined]);
  const both = targetsOf([
    migration({ certificates: [upload(shop, "PEM 1"), pay], entries: entries.slice(0, 1) }),
    migration({ certificates: [upload(shop, "PEM 3"), pay], entries: entries.slice(0, 1) }),
  ]);
  expect(both.map(({ uploads }) => uploads)).toEqual([["PEM 1", "PEM 3"]]);
});

test("accepts any certificate that is valid for the name if one ID is unknown", () => {
  const entries = [{ hostname: "example.com", certificates: ["shop", "${google_certificate.c.id}"] }];
  expect(targetsOf([migration({ entries })])).toEqual([{ hostname: "example.com", addresses: ["203.0.113.7"] }]);
});

test("combines the same name in two migrations: each with its own addresses and certificates, and either certificate at a shared address", () => {
  const other = migration({
    path: "prod/other",
    entries: [{ hostname: "example.com", certificates: ["pay"] }],
    addresses: { ipv4: ["203.0.113.7", "203.0.113.8"], ipv6: [] },
  });
  const targets = targetsOf([migration(), other]).filter(({ hostname }) => hostname === "example.com");
  expect(targets).toEqual([
    { hostname: "example.com", addresses: ["203.0.113.7"], planned: [id("shop"), id("pay")], servedBy: [0, 1] },
    { hostname: "example.com", addresses: ["203.0.113.8"], planned: [id("pay")], servedBy: [1] },
  ]);
  expect(plannedNames(targets)).toEqual([id("pay"), id("shop")]);
});

test("uses given names instead of those of the plan", () => {
  expect(targetsOf([migration()], ["a.example.com"])).toEqual([
    { hostname: "a.example.com", addresses: ["203.0.113.7"], planned: [id("shop"), id("elsewhere")] },
  ]);
});

test("expects PRIMARY for clients without SNI", () => {
  expect(primariesOf([migration()])).toEqual([{ address: "203.0.113.7", hasPrimary: false }]);
  const entries = [{ hostname: "PRIMARY", certificates: ["shop"] }];
  expect(primariesOf([migration({ entries })])).toEqual([
    { address: "203.0.113.7", hasPrimary: true, planned: [id("shop")] },
  ]);
});
