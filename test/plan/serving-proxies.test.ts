import { type MigrationSpec, planMigration, type ServingProxySpec } from "../../lib/plan";

const web: ServingProxySpec = {
  proxy: "projects/p/global/targetHttpsProxies/web",
  addresses: ["203.0.113.7", "2001:DB8::7"],
  certificates: [{ id: "projects/p/global/sslCertificates/old", domains: ["Shop.Example.com"] }],
};

function plan(servingProxies: readonly ServingProxySpec[], change: Partial<MigrationSpec> = {}) {
  return planMigration({
    name: "shop",
    certificates: [{ domains: ["shop.example.com"] }],
    dns: { kind: "external" },
    loadBalancer: { kind: "globalExternal", servingProxies },
    ...change,
  });
}

test("plans proxies in the order of their IDs, with their addresses as those of the load balancer", () => {
  const api = { proxy: "projects/p/global/targetHttpsProxies/api", addresses: ["203.0.113.8"] };
  const { attachment, findings } = plan([web, api]);
  expect(findings).toEqual([]);
  expect(attachment.servingProxies).toEqual([
    { id: api.proxy, addresses: ["203.0.113.8"], certificates: [] },
    {
      id: web.proxy,
      addresses: ["2001:db8::7", "203.0.113.7"],
      certificates: [{ id: "projects/p/global/sslCertificates/old", domains: ["shop.example.com"] }],
    },
  ]);
  expect(attachment.addresses).toEqual({ ipv4: ["203.0.113.7", "203.0.113.8"], ipv6: ["2001:db8::7"] });
});

test("mentions no serving proxies in a plan without them", () => {
  expect(plan([]).attachment).not.toHaveProperty("servingProxies");
});

test.each<[string, ServingProxySpec, string]>([
  ["an address that is a name", { ...web, addresses: ["web"] }, "/loadBalancer/servingProxies/0/addresses/0"],
  [
    "a proxy of another kind",
    { ...web, proxy: "projects/p/global/targetTcpProxies/web" },
    "/loadBalancer/servingProxies/0/proxy",
  ],
  [
    "a regional proxy",
    { ...web, proxy: "projects/p/regions/r/targetHttpsProxies/web" },
    "/loadBalancer/servingProxies/0/proxy",
  ],
  ["no address", { ...web, addresses: [] }, "/loadBalancer/servingProxies/0/addresses"],
  [
    "a regional certificate",
    { ...web, certificates: [{ id: "projects/p/regions/r/sslCertificates/c", domains: ["a.example.com"] }] },
    "/loadBalancer/servingProxies/0/certificates/0/id",
  ],
  [
    "a certificate without domains",
    { ...web, certificates: [{ id: "projects/p/global/sslCertificates/c", domains: [] }] },
    "/loadBalancer/servingProxies/0/certificates/0/domains",
  ],
])("refuses %s", (_, proxy, subject) => {
  const { findings } = plan([proxy]);
  expect(findings).toEqual([expect.objectContaining({ code: "serving-proxy-invalid", subject })]);
});

test("accepts a target SSL proxy, and warns that its own configuration needs google 7.19", () => {
  const ssl = { ...web, proxy: "projects/p/global/targetSslProxies/web", addresses: ["203.0.113.9"] };
  const { attachment, findings } = plan([web, ssl]);
  expect(attachment.servingProxies?.map(({ id }) => id)).toEqual([web.proxy, ssl.proxy]);
  expect(findings.map(({ code, severity, subject }) => [code, severity, subject])).toEqual([
    ["serving-ssl-proxy", "warning", "/loadBalancer/servingProxies/1/proxy"],
  ]);
});

test("refuses a proxy that is listed twice, and a load balancer without a map", () => {
  expect(plan([web, web]).findings.map(({ code }) => code)).toEqual(["serving-proxy-invalid"]);
  const loadBalancer = { kind: "regionalExternal", region: "europe-west1", servingProxies: [web] } as const;
  expect(plan([web], { loadBalancer }).findings.map(({ code }) => code)).toContain("serving-proxy-invalid");
});
