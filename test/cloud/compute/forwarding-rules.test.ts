import { makeCertificate } from "../../support/make-certificate";
import { base, type Compute, loadBalancer, manager, refusal, startCompute } from "./start-compute";

const path = "p1/global/forwardingRules/r1";
const { backendService, urlMap, proxy, rule } = loadBalancer;
const { certificatePem: certificate, privateKeyPem: privateKey } = makeCertificate(["shop.example.com"]);
const europe = "p1/regions/europe-west1";

async function startWithProxies(): Promise<Compute> {
  const cloud = await startCompute();
  await cloud.make(
    backendService,
    urlMap,
    proxy,
    ["p1/global/sslCertificates", { name: "s1", certificate, privateKey }],
    [
      "p1/global/targetHttpsProxies",
      { name: "x2", urlMap: "global/urlMaps/u1", sslCertificates: ["global/sslCertificates/s1"] },
    ],
    ["p1/global/backendServices", { name: "internal", loadBalancingScheme: "INTERNAL_MANAGED" }],
    ["p1/global/urlMaps", { name: "internal", defaultService: "global/backendServices/internal" }],
    [
      "p1/global/targetHttpsProxies",
      {
        name: "everywhere",
        urlMap: "global/urlMaps/internal",
        sslCertificates: [`${manager}/global/certificates/everywhere`],
      },
    ],
    ["p1/global/targetHttpProxies", { name: "h1", urlMap: "global/urlMaps/u1" }],
    [`${europe}/backendServices`, { name: "b1", loadBalancingScheme: "EXTERNAL_MANAGED" }],
    [`${europe}/urlMaps`, { name: "u1", defaultService: "regions/europe-west1/backendServices/b1" }],
    [
      `${europe}/targetHttpsProxies`,
      {
        name: "x1",
        urlMap: "regions/europe-west1/urlMaps/u1",
        sslCertificates: [`${manager}/europe-west1/certificates/c1`],
      },
    ],
  );
  return cloud;
}

it("a forwarding rule is returned with full links, defaults and fingerprints", async () => {
  await using cloud = await startWithProxies();
  await cloud.make([
    rule[0],
    { name: "r1", target: "global/targetHttpsProxies/x1", portRange: "443", labels: { env: "test" } },
  ]);
  expect(await cloud.get(path)).toEqual({
    kind: "compute#forwardingRule",
    id: expect.stringMatching(/^\d+$/),
    creationTimestamp: "2026-11-21T00:00:00.000Z",
    name: "r1",
    selfLink: `${base}/global/forwardingRules/r1`,
    target: `${base}/global/targetHttpsProxies/x1`,
    IPAddress: expect.stringMatching(/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/),
    IPProtocol: "TCP",
    portRange: "443-443",
    loadBalancingScheme: "EXTERNAL",
    networkTier: "PREMIUM",
    labels: { env: "test" },
    labelFingerprint: expect.any(String),
    fingerprint: expect.any(String),
  });
});

it.each([
  ["no port, and answers none", { portRange: undefined }, { name: "r1", target: expect.any(String) }],
  ["a port", { portRange: "8443" }, { portRange: "8443-8443" }],
  ["a range of one port", { portRange: "8443-8443" }, { portRange: "8443-8443" }],
  ["an address of IPv4", { IPAddress: "198.51.100.9" }, { IPAddress: "198.51.100.9" }],
  ["an address of IPv6 in any spelling", { IPAddress: "2001:DB8:0::7" }, { IPAddress: "2001:db8::7" }],
  [
    "an address drawn of IPv6",
    { IPAddress: undefined, ipVersion: "IPV6" },
    { IPAddress: expect.stringMatching(/^2001:db8:/), ipVersion: "IPV6" },
  ],
  [
    "a proxy by full link",
    { target: `${base}/global/targetHttpsProxies/x2` },
    { target: `${base}/global/targetHttpsProxies/x2` },
  ],
  [
    "a proxy without TLS",
    { target: "global/targetHttpProxies/h1", portRange: "80" },
    { target: `${base}/global/targetHttpProxies/h1`, portRange: "80-80" },
  ],
  [
    "the scheme of an internal load balancer of all regions",
    { target: "global/targetHttpsProxies/everywhere", loadBalancingScheme: "INTERNAL_MANAGED", IPAddress: undefined },
    { IPAddress: expect.stringMatching(/^10\.128\./), loadBalancingScheme: "INTERNAL_MANAGED" },
  ],
])("a forwarding rule accepts %s", async (_, change, expected) => {
  await using cloud = await startWithProxies();
  await cloud.make([rule[0], { ...rule[1], ...change }]);
  expect(await cloud.get(path)).toMatchObject(expected);
});

it.each([
  ["no target", { target: undefined }, "400 required: Required field 'resource.target' not specified"],
  [
    "a port out of range",
    { portRange: "65536" },
    "400 invalid: Invalid value for field 'resource.portRange': '65536'. Must be a port from 1 to 65535.",
  ],
  [
    "port 0",
    { portRange: "0" },
    "400 invalid: Invalid value for field 'resource.portRange': '0'. Must be a port from 1 to 65535.",
  ],
  [
    "more than one port",
    { portRange: "443-444" },
    "400 invalid: Invalid value for field 'resource.portRange': '443-444'. A rule to a target proxy has a single port.",
  ],
  [
    "an invalid port",
    { portRange: "https" },
    "400 invalid: Invalid value for field 'resource.portRange': 'https'. Must be a port from 1 to 65535.",
  ],
  [
    "a list of ports",
    { ports: ["443"] },
    `400 invalid: Invalid value for field 'resource.ports': '["443"]'. A rule to a target proxy has a portRange.`,
  ],
  [
    "another protocol",
    { IPProtocol: "UDP" },
    "400 invalid: Invalid value for field 'resource.IPProtocol': 'UDP'. A rule to a target proxy is for TCP.",
  ],
  [
    "a missing target",
    { target: "global/targetHttpsProxies/x9" },
    "404 notFound: The resource 'projects/p1/global/targetHttpsProxies/x9' was not found",
  ],
  [
    "a target of a region",
    { target: "regions/europe-west1/targetHttpsProxies/x1" },
    "400 invalid: Invalid value for field 'resource.target': 'regions/europe-west1/targetHttpsProxies/x1'. This is not a global one, as the resource that refers to it is.",
  ],
  [
    "all Google APIs by Private Service Connect",
    { target: "all-apis", loadBalancingScheme: "" },
    "501 notImplemented: the rehearsal cloud does not emulate forwarding rules of Private Service Connect (target all-apis)",
  ],
  [
    "the Google APIs of VPC Service Controls",
    { target: "vpc-sc", loadBalancingScheme: "" },
    "501 notImplemented: the rehearsal cloud does not emulate forwarding rules of Private Service Connect (target vpc-sc)",
  ],
  [
    "a service attachment of Private Service Connect",
    { target: "projects/p2/regions/europe-west1/serviceAttachments/s", loadBalancingScheme: "" },
    "501 notImplemented: the rehearsal cloud does not emulate forwarding rules of Private Service Connect (target projects/p2/regions/europe-west1/serviceAttachments/s)",
  ],
  [
    "a target that is not emulated",
    { target: "global/targetTcpProxies/t" },
    "501 notImplemented: the rehearsal cloud does not emulate forwarding rules to targetTcpProxies",
  ],
  [
    "a backend service as target",
    { target: undefined, backendService: "global/backendServices/b1" },
    "501 notImplemented: the rehearsal cloud does not emulate forwarding rules to a backendService",
  ],
  [
    "a scheme that is not emulated",
    { loadBalancingScheme: "INTERNAL_SELF_MANAGED" },
    "501 notImplemented: the rehearsal cloud does not emulate forwarding rules of the loadBalancingScheme INTERNAL_SELF_MANAGED",
  ],
  [
    "an invalid address",
    { IPAddress: "203.0.113.300" },
    "400 invalid: Invalid value for field 'resource.IPAddress': '203.0.113.300'. Must be an IP address or the URL of a reserved one.",
  ],
  [
    "a missing reserved address",
    { IPAddress: "global/addresses/a9" },
    "404 notFound: The resource 'projects/p1/global/addresses/a9' was not found",
  ],
  [
    "an address of the other version",
    { ipVersion: "IPV6" },
    "400 invalid: Invalid value for field 'resource.ipVersion': 'IPV6'. The address 203.0.113.7 is of IPV4.",
  ],
  [
    "a certificate map behind an internal load balancer",
    { loadBalancingScheme: "INTERNAL_MANAGED", IPAddress: undefined },
    "400 invalid: Invalid value for field 'resource.loadBalancingScheme': 'INTERNAL_MANAGED'. A target proxy with a certificate map can't be used with it.",
  ],
  [
    "certificates of Certificate Manager without a map behind a global external load balancer",
    { target: "global/targetHttpsProxies/everywhere" },
    "400 invalid: Invalid value for field 'resource.loadBalancingScheme': 'EXTERNAL_MANAGED'. Certificates of Certificate Manager are attached to a global external load balancer by a certificate map.",
  ],
  [
    "labels that the service doesn't take",
    { labels: { Env: "test" } },
    "400 invalid: Invalid value for field 'resource.labels.Env': 'test'. Labels are lower-case letters, digits, '_' and '-', at most 63; a key begins with a letter.",
  ],
])("a forwarding rule fails with %s", async (_, change, expected) => {
  await using cloud = await startWithProxies();
  expect(refusal(await cloud.call("POST", rule[0], { ...rule[1], ...change }))).toBe(expected);
  expect(await cloud.call("GET", path)).toMatchObject({ status: 404 });
});

it.each([
  ["the same address and port", { name: "r2" }, 400],
  ["the same address in another spelling", { name: "r2", portRange: "443-443" }, 400],
  ["the same address and another port", { name: "r2", portRange: "444" }, 200],
  ["another address and the same port", { name: "r2", IPAddress: "203.0.113.8" }, 200],
])("a forwarding rule beside a rule with %s is answered with the expected status", async (_, change, status) => {
  await using cloud = await startWithProxies();
  await cloud.make(rule);
  const answer = await cloud.call("POST", rule[0], { ...rule[1], ...change });
  expect(answer.status).toBe(status);
  if (status === 400)
    expect(refusal(answer)).toBe(
      "400 invalid: Invalid value for field 'resource.IPAddress': '203.0.113.7'. Specified IP address is in-use and would result in a conflict.",
    );
});

describe("changing a forwarding rule", () => {
  it("attaches it to another proxy in place", async () => {
    await using cloud = await startWithProxies();
    await cloud.make(rule);
    const before = await cloud.get(path);
    await cloud.make([`${path}/setTarget`, { target: "global/targetHttpsProxies/x2" }]);
    const target = `${base}/global/targetHttpsProxies/x2`;
    expect(await cloud.get(path)).toEqual({ ...before, target, fingerprint: expect.any(String) });
    expect(cloud.compute.frontends()).toMatchObject([{ proxy: { link: target } }]);
  });

  it("fails to attach it to a proxy that its scheme does not allow", async () => {
    await using cloud = await startWithProxies();
    await cloud.make(rule);
    const answer = await cloud.call("POST", `${path}/setTarget`, { target: "global/targetHttpsProxies/everywhere" });
    expect(answer.status).toBe(400);
  });

  it("moves it from the classic load balancer to the current one", async () => {
    await using cloud = await startWithProxies();
    await cloud.make([rule[0], { ...rule[1], loadBalancingScheme: "EXTERNAL" }]);
    expect(await cloud.call("PATCH", path, { loadBalancingScheme: "EXTERNAL_MANAGED" })).toMatchObject({ status: 200 });
    expect(await cloud.get(path)).toMatchObject({ loadBalancingScheme: "EXTERNAL_MANAGED" });
  });

  it.each([
    [
      "its address",
      { IPAddress: "203.0.113.8" },
      "400 invalid: Invalid value for field 'resource.IPAddress': '203.0.113.8'. It can't be patched; allowGlobalAccess, externalManagedBackendBucketMigrationState, externalManagedBackendBucketMigrationTestingPercentage, loadBalancingScheme, networkTier, sourceIpRanges can.",
    ],
    [
      "its name",
      { name: "r2" },
      "400 invalid: Invalid value for field 'resource.name': 'r2'. A resource can't be renamed.",
    ],
    [
      "external to internal",
      { loadBalancingScheme: "INTERNAL_MANAGED" },
      "400 invalid: Invalid value for field 'resource.loadBalancingScheme': 'INTERNAL_MANAGED'. It can't be changed from EXTERNAL_MANAGED.",
    ],
  ])("fails to patch %s", async (_, body, expected) => {
    await using cloud = await startWithProxies();
    await cloud.make(rule);
    expect(refusal(await cloud.call("PATCH", path, body))).toBe(expected);
  });
});

describe("a regional forwarding rule", () => {
  it("refers to a proxy of its region", async () => {
    await using cloud = await startWithProxies();
    const body = { ...rule[1], target: "regions/europe-west1/targetHttpsProxies/x1" };
    await cloud.make([`${europe}/forwardingRules`, body]);
    expect(await cloud.get(`${europe}/forwardingRules/r1`)).toMatchObject({
      selfLink: `${base}/regions/europe-west1/forwardingRules/r1`,
      region: `${base}/regions/europe-west1`,
      target: `${base}/regions/europe-west1/targetHttpsProxies/x1`,
    });
  });

  it.each([
    ["EXTERNAL", "STANDARD", "global", 200],
    ["EXTERNAL", "STANDARD", "regions/europe-west1", 200],
    ["EXTERNAL", "PREMIUM", "global", 400],
    ["EXTERNAL_MANAGED", "STANDARD", "global", 400],
  ])("of the scheme %s in the tier %s, to a proxy in %s, is answered with %d", async (scheme, tier, scope, status) => {
    await using cloud = await startWithProxies();
    const target = `${scope}/targetHttpsProxies/x1`;
    const body = { ...rule[1], target, loadBalancingScheme: scheme, networkTier: tier };
    expect((await cloud.call("POST", `${europe}/forwardingRules`, body)).status).toBe(status);
    const proxies = cloud.compute.frontends().map(({ proxy }) => proxy.link);
    expect(proxies).toEqual(status === 200 ? [`${base}/${target}`] : []);
  });

  it("fails to refer to a global proxy in the premium tier", async () => {
    await using cloud = await startWithProxies();
    expect(refusal(await cloud.call("POST", `${europe}/forwardingRules`, rule[1]))).toBe(
      "400 invalid: Invalid value for field 'resource.target': 'global/targetHttpsProxies/x1'. This is not one of the region europe-west1, as the resource that refers to it is.",
    );
  });
});
