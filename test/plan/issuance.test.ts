import { type IssuedBySpec, type MigrationSpec, planMigration } from "../../lib/plan";

const pool = "projects/p/locations/europe-west6/caPools/internal";

const spec: MigrationSpec = {
  name: "shop",
  certificates: [
    { kind: "privateCa", domains: ["status.corp.internal"], caPool: pool },
    { kind: "privateCa", domains: ["ci.corp.internal", "*.ci.corp.internal"], caPool: pool },
    { domains: ["shop.example.com"] },
  ],
  dns: { kind: "external" },
  mustServe: ["status.corp.internal", "shop.example.com"],
};

const plan = (change: Partial<MigrationSpec> = {}) => planMigration({ ...spec, ...change });

test("makes one issuance config for equal settings, and no authorization for names of the private CA", () => {
  const { issuanceConfigs = [], authorizations, records, certificates, entries, findings } = plan();
  const [config] = issuanceConfigs;

  expect(issuanceConfigs).toHaveLength(1);
  expect(config).toMatchObject({
    caPool: pool,
    lifetimeSeconds: 2_592_000,
    rotationWindowPercentage: 66,
    keyAlgorithm: "RSA_2048",
    location: "global",
  });
  expect(config?.name).toMatch(/^internal-[0-9a-f]{12}$/);
  expect(authorizations.map(({ domain }) => domain)).toEqual(["shop.example.com"]);
  expect(records.map(({ domain }) => domain)).toEqual(["shop.example.com"]);
  expect(certificates).toMatchObject([
    { id: "ci.corp.internal", kind: "managed", authorizations: [], issuance: { config: config?.name } },
    { id: "shop.example.com", kind: "managed", authorizations: [{ domain: "shop.example.com" }] },
    { id: "status.corp.internal", kind: "managed", authorizations: [], issuance: { config: config?.name } },
  ]);
  expect(entries.map(({ hostname }) => hostname)).toContain("status.corp.internal");
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("changed settings make another config and another certificate", () => {
  const certificate = { domains: ["status.corp.internal"] };
  const namesOf = (issuedBy: IssuedBySpec) => {
    const { issuanceConfigs = [], certificates } = plan({
      certificates: [{ kind: "privateCa", ...certificate, ...issuedBy }],
      mustServe: [],
    });
    return [...issuanceConfigs, ...certificates].map((one) => ("name" in one ? one.name : ""));
  };
  const base = { caPool: pool };
  const changed = [
    base,
    { caPool: `${pool}2` },
    { ...base, lifetime: "21d" },
    { ...base, rotationWindowPercentage: 50 },
    { ...base, keyAlgorithm: "ECDSA_P256" },
  ] as const;

  expect(new Set(changed.flatMap(namesOf)).size).toBe(2 * changed.length);
  expect(namesOf({ ...base, lifetime: "2592000s" })).toEqual(namesOf({ ...base, lifetime: "30d" }));
});

test("an existing issuance config is used, and none is made", () => {
  const existingIssuanceConfig = "projects/p/locations/global/certificateIssuanceConfigs/corp";
  const { issuanceConfigs, certificates } = plan({
    certificates: [{ kind: "privateCa", domains: ["status.corp.internal"], existingIssuanceConfig }],
    mustServe: [],
  });

  expect(issuanceConfigs).toBeUndefined();
  expect(certificates).toMatchObject([{ issuance: { existingId: existingIssuanceConfig } }]);
});

test("a name that no public CA certifies is refused without a private CA", () => {
  const { findings } = plan({ certificates: [{ domains: ["status.corp.internal"] }], mustServe: [] });

  expect(findings.map(({ code }) => code)).toContain("hostname-not-public");
});

test("a zone may be for a private domain, with records of traffic and an ingress name", () => {
  const { findings, traffic } = plan({
    certificates: [{ kind: "privateCa", domains: ["status.corp.internal"], caPool: pool }],
    dns: { kind: "cloudDns", zones: { "corp.internal": "corp-internal" } },
    loadBalancer: { kind: "globalExternal", addresses: ["203.0.113.7"] },
    traffic: { to: "loadBalancer", previous: { "status.corp.internal": { cname: "old.example.org" } } },
    mustServe: [],
  });

  expect(findings.map(({ code }) => code)).toEqual(["private-ca-external"]);
  expect(traffic?.records.map(({ hostname, type, data }) => [hostname, type, data])).toEqual([
    ["cert-migration-ingress.corp.internal", "A", ["203.0.113.7"]],
    ["status.corp.internal", "CNAME", ["cert-migration-ingress.corp.internal."]],
  ]);
});

describe("an issuance config or CA pool", () => {
  const codesFor = (issuedBy: IssuedBySpec, change: Partial<MigrationSpec> = {}) =>
    plan({
      certificates: [{ kind: "privateCa", domains: ["status.corp.internal"], ...issuedBy }],
      mustServe: [],
      ...change,
    })
      .findings.filter(({ severity }) => severity === "error")
      .map(({ code }) => code);
  const regional: Partial<MigrationSpec> = { loadBalancer: { kind: "regionalExternal", region: "europe-west6" } };
  const config = (location: string) => ({
    existingIssuanceConfig: `projects/p/locations/${location}/certificateIssuanceConfigs/corp`,
  });

  test.each<[string, Parameters<typeof codesFor>, readonly string[]]>([
    ["accepts a config of the certificate's region", [config("europe-west6"), regional], []],
    ["refuses a config of another region", [config("europe-west1"), regional], ["certificate-location-mismatch"]],
    ["accepts a pool of any region for a global certificate", [{ caPool: pool }], []],
    ["accepts a pool of the certificate's region", [{ caPool: pool }, regional], []],
    [
      "refuses a pool of another region",
      [{ caPool: pool.replace("west6", "west1") }, regional],
      ["ca-pool-location-mismatch"],
    ],
    ["refuses a pool with a malformed project", [{ caPool: pool.replace("/p/", "/p p/") }], ["ca-pool-malformed"]],
    ["refuses a pool with a malformed location", [{ caPool: pool.replace("west6", "West6") }], ["ca-pool-malformed"]],
    ["refuses a pool with a malformed name", [{ caPool: `${pool} 2` }], ["ca-pool-malformed"]],
    ["refuses another resource", [{ caPool: pool.replace("caPools", "pools") }], ["ca-pool-malformed"]],
  ])("%s", (_, args, expected) => {
    expect(codesFor(...args)).toEqual(expected);
  });
});

test.each([
  [24, false],
  [25, true],
  [75, true],
  [76, false],
])("a rotation window of %d %% leaves 7 days on both sides of 28: %s", (percentage, isValid) => {
  const issuedBy = { caPool: pool, lifetime: "28d", rotationWindowPercentage: percentage };
  const { findings } = plan({
    certificates: [{ kind: "privateCa", domains: ["status.corp.internal"], ...issuedBy }],
    mustServe: [],
  });
  expect(findings.some(({ code }) => code === "issuance-rotation-invalid")).toBe(!isValid);
});
