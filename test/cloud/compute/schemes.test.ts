import { base, type Compute, loadBalancer, manager, refusal, startCompute } from "./start-compute";

const { backendService, urlMap, proxy, rule } = loadBalancer;
const schemes = ["EXTERNAL", "EXTERNAL_MANAGED", "INTERNAL_MANAGED"] as const;
const certificates = [`${manager}/global/certificates/everywhere`];

/** A backend service, a URL map and a proxy without TLS for each scheme, all by its name. */
async function startWithSchemes(): Promise<Compute> {
  const cloud = await startCompute();
  for (const scheme of schemes) {
    const name = scheme.toLowerCase().replace("_", "-");
    await cloud.make(
      ["p1/global/backendServices", { name, loadBalancingScheme: scheme }],
      ["p1/global/urlMaps", { name, defaultService: `global/backendServices/${name}` }],
      ["p1/global/targetHttpProxies", { name, urlMap: `global/urlMaps/${name}` }],
    );
  }
  return cloud;
}

it.each([
  ["EXTERNAL", "external", true],
  ["EXTERNAL", "external-managed", true],
  ["EXTERNAL", "internal-managed", false],
  ["EXTERNAL_MANAGED", "external", false],
  ["EXTERNAL_MANAGED", "external-managed", true],
  ["EXTERNAL_MANAGED", "internal-managed", false],
  ["INTERNAL_MANAGED", "external", false],
  ["INTERNAL_MANAGED", "external-managed", false],
  ["INTERNAL_MANAGED", "internal-managed", true],
])("a forwarding rule of %s may have the backend service %s: %s", async (loadBalancingScheme, name, isAllowed) => {
  await using cloud = await startWithSchemes();
  const body = { name: "r1", target: `global/targetHttpProxies/${name}`, portRange: "80", loadBalancingScheme };
  expect((await cloud.call("POST", "p1/global/forwardingRules", body)).status).toBe(isAllowed ? 200 : 400);
});

it("a refusal names the backend service of the other scheme", async () => {
  await using cloud = await startWithSchemes();
  const target = "global/targetHttpProxies/external";
  const body = { name: "r1", target, portRange: "80", loadBalancingScheme: "EXTERNAL_MANAGED" };
  expect(refusal(await cloud.call("POST", "p1/global/forwardingRules", body))).toBe(
    "400 invalid: Invalid value for field 'resource.loadBalancingScheme': 'EXTERNAL_MANAGED'. It leads to projects/p1/global/backendServices/external, whose scheme is EXTERNAL; it has to be EXTERNAL_MANAGED.",
  );
});

it("a forwarding rule of any scheme may lead to a backend bucket", async () => {
  await using cloud = await startCompute();
  await cloud.make(
    ["p1/global/urlMaps", { name: "u1", defaultService: "global/backendBuckets/images" }],
    ["p1/global/targetHttpProxies", { name: "h1", urlMap: "global/urlMaps/u1" }],
    ["p1/global/forwardingRules", { name: "r1", target: "global/targetHttpProxies/h1", portRange: "80" }],
  );
  expect(cloud.compute.frontends()).toHaveLength(1);
});

it.each([
  ["its target", "p1/global/forwardingRules/r1/setTarget", { target: "global/targetHttpProxies/internal-managed" }],
  [
    "the URL map of its proxy",
    "p1/targetHttpProxies/external/setUrlMap",
    { urlMap: "global/urlMaps/internal-managed" },
  ],
])("refuses to change %s to one that leads to a backend service of another scheme", async (_, path, body) => {
  await using cloud = await startWithSchemes();
  await cloud.make([
    "p1/global/forwardingRules",
    { name: "r1", target: "global/targetHttpProxies/external", portRange: "80" },
  ]);
  expect(refusal(await cloud.call("POST", path, body))).toMatch(
    /^400 invalid: Invalid value for field 'resource.loadBalancingScheme': 'EXTERNAL'. It leads to .*internal-managed/,
  );
});

it("refuses to change a URL map behind a forwarding rule to a backend service of another scheme", async () => {
  await using cloud = await startWithSchemes();
  await cloud.make([
    "p1/global/forwardingRules",
    { name: "r1", target: "global/targetHttpProxies/external", portRange: "80" },
  ]);
  const path = "p1/global/urlMaps/external";
  const change = (name: string) => cloud.call("PATCH", path, { defaultService: `global/backendServices/${name}` });
  expect(await change("internal-managed")).toMatchObject({ status: 400 });
  expect(await change("external-managed")).toMatchObject({ status: 200 });
  expect(await cloud.get(path)).toMatchObject({ defaultService: `${base}/global/backendServices/external-managed` });
});

it("refuses to change the backend service of an SSL proxy to one of another scheme than its forwarding rule", async () => {
  await using cloud = await startCompute();
  await cloud.make(
    ["p1/global/backendServices", { name: "right", protocol: "TCP" }],
    ["p1/global/backendServices", { name: "wrong", protocol: "TCP", loadBalancingScheme: "INTERNAL_MANAGED" }],
    [
      "p1/global/targetSslProxies",
      { name: "t1", service: "global/backendServices/right", certificateMap: `${manager}/global/certificateMaps/m1` },
    ],
    ["p1/global/forwardingRules", { name: "r1", target: "global/targetSslProxies/t1", portRange: "443" }],
  );
  const service = "global/backendServices/wrong";
  const answer = await cloud.call("POST", "p1/global/targetSslProxies/t1/setBackendService", { service });
  expect(answer.status).toBe(400);
});

describe("a forwarding rule and the certificates of its proxy", () => {
  it("fails to attach a map to a proxy behind an internal load balancer", async () => {
    await using cloud = await startWithSchemes();
    await cloud.make(
      [
        "p1/global/targetHttpsProxies",
        { name: "x1", urlMap: "global/urlMaps/internal-managed", sslCertificates: certificates },
      ],
      [
        rule[0],
        {
          name: "r1",
          target: "global/targetHttpsProxies/x1",
          portRange: "443",
          loadBalancingScheme: "INTERNAL_MANAGED",
        },
      ],
    );
    const certificateMap = `${manager}/global/certificateMaps/m1`;
    const answer = await cloud.call("POST", "p1/global/targetHttpsProxies/x1/setCertificateMap", { certificateMap });
    expect(refusal(answer)).toBe(
      "400 invalid: Invalid value for field 'resource.loadBalancingScheme': 'INTERNAL_MANAGED'. A target proxy with a certificate map can't be used with it.",
    );
  });

  it("allows certificates of Certificate Manager beside a map on a global proxy", async () => {
    await using cloud = await startCompute();
    await cloud.make(backendService, urlMap, [proxy[0], { ...proxy[1], sslCertificates: certificates }], rule);
    const answer = await cloud.call("POST", "p1/global/targetHttpsProxies/x1/setCertificateMap", {
      certificateMap: "",
    });
    expect(refusal(answer)).toBe(
      "400 invalid: Invalid value for field 'resource.loadBalancingScheme': 'EXTERNAL_MANAGED'. Certificates of Certificate Manager are attached to a global external load balancer by a certificate map.",
    );
  });

  it("allows changing the certificates of a regional proxy while a rule refers to it", async () => {
    await using cloud = await startCompute();
    const region = "p1/regions/europe-west1";
    const sslCertificates = [`${manager}/europe-west1/certificates/c1`];
    await cloud.make(
      [`${region}/backendServices`, { name: "b1", loadBalancingScheme: "EXTERNAL_MANAGED" }],
      [`${region}/urlMaps`, { name: "u1", defaultService: "regions/europe-west1/backendServices/b1" }],
      [`${region}/targetHttpsProxies`, { name: "x1", urlMap: "regions/europe-west1/urlMaps/u1", sslCertificates }],
      [`${region}/forwardingRules`, { ...rule[1], target: "regions/europe-west1/targetHttpsProxies/x1" }],
      [`${region}/targetHttpsProxies/x1/setSslCertificates`, { sslCertificates }],
    );
    expect(cloud.compute.frontends()).toMatchObject([
      { certificates: ["projects/p1/locations/europe-west1/certificates/c1"] },
    ]);
  });
});
