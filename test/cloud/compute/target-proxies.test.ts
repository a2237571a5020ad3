import { map, sslCertificate } from "./attachments";
import { base, type Compute, loadBalancer, manager, refusal, startCompute } from "./start-compute";

const path = "p1/global/targetHttpsProxies/x1";
const { backendService, urlMap, proxy } = loadBalancer;
async function startWithUrlMap(): Promise<Compute> {
  const cloud = await startCompute();
  await cloud.make(backendService, urlMap);
  return cloud;
}

it("a target HTTPS proxy is returned with full links, defaults and a fingerprint", async () => {
  await using cloud = await startWithUrlMap();
  await cloud.make(proxy);
  expect(await cloud.get(path)).toEqual({
    kind: "compute#targetHttpsProxy",
    id: expect.stringMatching(/^[1-9]\d{15,18}$/),
    creationTimestamp: "2026-11-21T00:00:00.000Z",
    name: "x1",
    selfLink: `${base}/global/targetHttpsProxies/x1`,
    urlMap: `${base}/global/urlMaps/u1`,
    certificateMap: map("m1"),
    quicOverride: "NONE",
    proxyBind: false,
    tlsEarlyData: "DISABLED",
    fingerprint: expect.stringMatching(/^[A-Za-z0-9+/]{11}=$/),
  });
});

it.each([
  ["a full link", `${base}/global/urlMaps/u1`],
  ["a full link of the newer host", "https://compute.googleapis.com/compute/v1/projects/p1/global/urlMaps/u1"],
  ["a link made with another endpoint", "http://127.0.0.1:8080/compute/v1/projects/p1/global/urlMaps/u1"],
  ["a path from projects on", "projects/p1/global/urlMaps/u1"],
  ["a path from global on", "global/urlMaps/u1"],
])("a target HTTPS proxy accepts its URL map as %s", async (_, link) => {
  await using cloud = await startWithUrlMap();
  await cloud.make([proxy[0], { ...proxy[1], urlMap: link }]);
  expect(await cloud.get(path)).toMatchObject({ urlMap: `${base}/global/urlMaps/u1` });
});

it.each([
  ["no URL map", { urlMap: undefined }, "400 required: Required field 'resource.urlMap' not specified"],
  [
    "a name instead of a link",
    { urlMap: "u1" },
    "400 invalid: Invalid value for field 'resource.urlMap': 'u1'. The URL is malformed.",
  ],
  [
    "a missing URL map",
    { urlMap: "global/urlMaps/u2" },
    "404 notFound: The resource 'projects/p1/global/urlMaps/u2' was not found",
  ],
  [
    "another resource instead of a URL map",
    { urlMap: "global/backendServices/b1" },
    "400 invalid: Invalid value for field 'resource.urlMap': 'global/backendServices/b1'. Unexpected resource type 'backendServices'; urlMaps is expected.",
  ],
  [
    "a URL map of a region",
    { urlMap: "regions/europe-west1/urlMaps/u1" },
    "400 invalid: Invalid value for field 'resource.urlMap': 'regions/europe-west1/urlMaps/u1'. This is not a global one, as the resource that refers to it is.",
  ],
  [
    "neither map nor certificate",
    { certificateMap: undefined },
    "400 invalid: Invalid value for field 'resource.sslCertificates': ''. Certificate Map or at least 1 SSL certificate must be specified.",
  ],
  [
    "the bare name of a map",
    { certificateMap: "projects/p1/locations/global/certificateMaps/m1" },
    "400 invalid: Invalid value for field 'resource.certificateMap': 'projects/p1/locations/global/certificateMaps/m1'. The format is //certificatemanager.googleapis.com/projects/{project}/locations/global/certificateMaps/{map}.",
  ],
  [
    "a missing map",
    { certificateMap: map("m9") },
    "404 notFound: The resource 'projects/p1/locations/global/certificateMaps/m9' was not found",
  ],
  [
    "a map of a region",
    { certificateMap: `${manager}/europe-west1/certificateMaps/m1` },
    `400 invalid: Invalid value for field 'resource.certificateMap': '${manager}/europe-west1/certificateMaps/m1'. Certificate maps are in the location global.`,
  ],
  [
    "a certificate instead of a map",
    { certificateMap: `${manager}/global/certificates/everywhere` },
    `400 invalid: Invalid value for field 'resource.certificateMap': '${manager}/global/certificates/everywhere'. The format is //certificatemanager.googleapis.com/projects/{project}/locations/global/certificateMaps/{map}.`,
  ],
  [
    "a missing certificate",
    { sslCertificates: ["global/sslCertificates/s9"] },
    "404 notFound: The resource 'projects/p1/global/sslCertificates/s9' was not found",
  ],
  [
    "a missing certificate of Certificate Manager",
    { sslCertificates: [`${manager}/global/certificates/c9`] },
    "404 notFound: The resource 'projects/p1/locations/global/certificates/c9' was not found",
  ],
  [
    "a certificate that is not for all regions",
    { sslCertificates: [`${manager}/global/certificates/plain`] },
    `400 invalid: Invalid value for field 'resource.sslCertificates[0]': '${manager}/global/certificates/plain'. Its scope is DEFAULT; attached directly to this proxy it has to be ALL_REGIONS.`,
  ],
  [
    "a certificate of a region",
    { sslCertificates: [`${manager}/europe-west1/certificates/c1`] },
    `400 invalid: Invalid value for field 'resource.sslCertificates[0]': '${manager}/europe-west1/certificates/c1'. The certificate has to be in the location global.`,
  ],
  [
    "a map among the certificates",
    { sslCertificates: [map("m1")] },
    `400 invalid: Invalid value for field 'resource.sslCertificates[0]': '${map("m1")}'. This is not a certificate.`,
  ],
  [
    "certificates of both kinds",
    { sslCertificates: [`${manager}/global/certificates/everywhere`, "global/sslCertificates/s1"] },
    `400 invalid: Invalid value for field 'resource.sslCertificates': '["${manager}/global/certificates/everywhere","global/sslCertificates/s1"]'. Certificates of Compute Engine and of Certificate Manager can't be attached together.`,
  ],
  [
    "more than 15 certificates",
    { sslCertificates: Array.from({ length: 16 }, () => "global/sslCertificates/s1") },
    "400 invalid: Invalid value for field 'resource.sslCertificates': '16 certificates'. At most 15 are allowed; a certificate map holds more.",
  ],
  [
    "more than 100 certificates of Certificate Manager",
    { sslCertificates: Array.from({ length: 101 }, () => `${manager}/global/certificates/everywhere`) },
    "400 invalid: Invalid value for field 'resource.sslCertificates': '101 certificates'. At most 100 are allowed; a certificate map holds more.",
  ],
  [
    "a policy that is a name",
    { sslPolicy: "modern" },
    "400 invalid: Invalid value for field 'resource.sslPolicy': 'modern'. The URL is malformed.",
  ],
  [
    "a time-out out of range",
    { httpKeepAliveTimeoutSec: 4 },
    "400 invalid: Invalid value for field 'resource.httpKeepAliveTimeoutSec': '4'. It has to be from 5 to 1200.",
  ],
])("a target HTTPS proxy fails with %s", async (_, change, expected) => {
  await using cloud = await startWithUrlMap();
  expect(refusal(await cloud.call("POST", proxy[0], { ...proxy[1], ...change }))).toBe(expected);
  expect(await cloud.call("GET", path)).toMatchObject({ status: 404 });
});

it.each([
  ["global", 4, 400],
  ["global", 5, 200],
  ["global", 1_200, 200],
  ["global", 1_201, 400],
  ["regions/europe-west1", 600, 200],
  ["regions/europe-west1", 601, 400],
])("a target HTTPS proxy in %s answers a time-out of %d s with %d", async (scope, httpKeepAliveTimeoutSec, status) => {
  await using cloud = await startCompute();
  await cloud.make(
    [`p1/${scope}/backendServices`, { name: "b1" }],
    [`p1/${scope}/urlMaps`, { name: "u1", defaultService: `${scope}/backendServices/b1` }],
  );
  const body = { name: "h1", urlMap: `${scope}/urlMaps/u1`, httpKeepAliveTimeoutSec };
  expect((await cloud.call("POST", `p1/${scope}/targetHttpProxies`, body)).status).toBe(status);
});

it("a target HTTPS proxy accepts 15 certificates", async () => {
  await using cloud = await startWithUrlMap();
  const names = Array.from({ length: 15 }, (_, index) => `s${index}`);
  await cloud.make(...names.map(sslCertificate));
  const sslCertificates = names.map((name) => `global/sslCertificates/${name}`);
  await cloud.make([proxy[0], { name: "x1", urlMap: "global/urlMaps/u1", sslCertificates }]);
  expect(await cloud.get(path)).toMatchObject({
    sslCertificates: names.map((name) => `${base}/global/sslCertificates/${name}`),
  });
});

it("a target HTTPS proxy accepts certificates of Certificate Manager directly, for scope ALL_REGIONS", async () => {
  await using cloud = await startWithUrlMap();
  const sslCertificates = [`${manager}/global/certificates/everywhere`];
  await cloud.make([proxy[0], { name: "x1", urlMap: "global/urlMaps/u1", sslCertificates }]);
  expect(await cloud.get(path)).toMatchObject({ sslCertificates });
  const name = "projects/p1/locations/global/certificates/everywhere";
  expect(cloud.compute.proxiesUsing(name)).toEqual([`${base}/global/targetHttpsProxies/x1`]);
});

it("a target HTTPS proxy keeps the API host in the spelling of a map's name", async () => {
  await using cloud = await startWithUrlMap();
  const certificateMap = "https://certificatemanager.googleapis.com/v1/projects/p1/locations/global/certificateMaps/m1";
  await cloud.make([proxy[0], { ...proxy[1], certificateMap }]);
  expect(await cloud.get(path)).toMatchObject({ certificateMap });
  expect(cloud.compute.targetsOfMap("projects/p1/locations/global/certificateMaps/m1")).toHaveLength(1);
});

describe("attaching certificates to a target HTTPS proxy", () => {
  const set = (cloud: Compute, what: string, body: object) => cloud.call("POST", `${path}/${what}`, body);
  const setCertificates = (cloud: Compute, sslCertificates: readonly string[]) =>
    // The older methods have no `global` in their paths.
    cloud.call("POST", "p1/targetHttpsProxies/x1/setSslCertificates", { sslCertificates });
  const neither =
    "412 conditionNotMet: Certificate Map or at least 1 SSL certificate must be specified for setting SSL certificates in TargetHttpsProxy.";

  it("moves it from certificates to a map and back, and it always has one of them", async () => {
    await using cloud = await startWithUrlMap();
    await cloud.make(sslCertificate("s1"));
    await cloud.make([
      proxy[0],
      { ...proxy[1], certificateMap: undefined, sslCertificates: ["global/sslCertificates/s1"] },
    ]);
    const both = { certificateMap: map("m1"), sslCertificates: [`${base}/global/sslCertificates/s1`] };

    expect(await setCertificates(cloud, [])).toMatchObject({ status: 412 });
    expect(await set(cloud, "setCertificateMap", { certificateMap: map("m1") })).toMatchObject({ status: 200 });
    expect(await cloud.get(path)).toMatchObject(both);
    expect(await setCertificates(cloud, [])).toMatchObject({ status: 200 });
    expect(await cloud.get(path)).toMatchObject({ certificateMap: map("m1") });
    expect(await cloud.get(path)).not.toHaveProperty("sslCertificates");

    expect(refusal(await set(cloud, "setCertificateMap", { certificateMap: "" }))).toBe(neither);
    expect(await setCertificates(cloud, ["global/sslCertificates/s1"])).toMatchObject({ status: 200 });
    expect(await cloud.get(path)).toMatchObject(both);
    expect(await set(cloud, "setCertificateMap", {})).toMatchObject({ status: 200 });
    expect(await cloud.get(path)).not.toHaveProperty("certificateMap");
  });

  it.each([
    ["an empty list of certificates", "setSslCertificates", { sslCertificates: [] }],
    ["no list of certificates", "setSslCertificates", {}],
  ])("fails to leave it without certificates by %s", async (_, what, body) => {
    await using cloud = await startWithUrlMap();
    await cloud.make(sslCertificate("s1"));
    await cloud.make([
      proxy[0],
      { ...proxy[1], certificateMap: undefined, sslCertificates: ["global/sslCertificates/s1"] },
    ]);
    const before = await cloud.get(path);
    expect(refusal(await cloud.call("POST", `p1/targetHttpsProxies/x1/${what}`, body))).toBe(neither);
    expect(await cloud.get(path)).toEqual(before);
  });

  it("fails to leave it without certificates by a patch", async () => {
    await using cloud = await startWithUrlMap();
    await cloud.make(proxy);
    expect(refusal(await cloud.call("PATCH", path, { certificateMap: "" }))).toBe(neither);
  });

  it("fails to attach a missing map", async () => {
    await using cloud = await startWithUrlMap();
    await cloud.make(proxy);
    expect(await set(cloud, "setCertificateMap", { certificateMap: map("m9") })).toMatchObject({ status: 404 });
    expect(await cloud.get(path)).toMatchObject({ certificateMap: map("m1") });
  });
});

const policy = ["p1/global/sslPolicies", { name: "modern" }] as const;

describe("changing a target HTTPS proxy", () => {
  it.each([
    ["targetHttpsProxies/x1/setUrlMap", { urlMap: "global/urlMaps/u2" }, { urlMap: `${base}/global/urlMaps/u2` }],
    [
      "global/targetHttpsProxies/x1/setSslPolicy",
      { sslPolicy: "global/sslPolicies/modern" },
      { sslPolicy: `${base}/global/sslPolicies/modern` },
    ],
    ["global/targetHttpsProxies/x1/setQuicOverride", { quicOverride: "DISABLE" }, { quicOverride: "DISABLE" }],
  ])("succeeds with %s", async (method, body, expected) => {
    await using cloud = await startWithUrlMap();
    await cloud.make(["p1/global/urlMaps", { name: "u2", defaultService: "global/backendServices/b1" }], policy, proxy);
    const before = await cloud.get(path);
    expect(await cloud.call("POST", `p1/${method}`, body)).toMatchObject({
      status: 200,
      body: { operationType: method.split("/").at(-1), targetId: before.id },
    });
    expect(await cloud.get(path)).toEqual({ ...before, ...expected, fingerprint: expect.any(String) });
  });

  it("fails to remove its URL map", async () => {
    await using cloud = await startWithUrlMap();
    await cloud.make(proxy);
    const answer = await cloud.call("POST", "p1/targetHttpsProxies/x1/setUrlMap", {});
    expect(refusal(answer)).toBe("400 required: Required field 'resource.urlMap' not specified");
  });

  it.each([
    ["that does not exist", "global/sslPolicies/not-there", "404 notFound"],
    ["of a region", "regions/europe-west1/sslPolicies/modern", "400 invalid"],
    ["that is a URL map", "global/urlMaps/u1", "400 invalid"],
  ])("fails to accept a policy %s", async (_, sslPolicy, expected) => {
    await using cloud = await startWithUrlMap();
    await cloud.make(policy, ["p1/regions/europe-west1/sslPolicies", { name: "modern" }], proxy);
    expect(refusal(await cloud.call("POST", `${path}/setSslPolicy`, { sslPolicy }))).toContain(expected);
    expect(refusal(await cloud.call("POST", proxy[0], { ...proxy[1], name: "x2", sslPolicy }))).toContain(expected);
    expect(await cloud.get(path)).not.toHaveProperty("sslPolicy");
  });

  it("removes a policy if the new reference is empty", async () => {
    await using cloud = await startWithUrlMap();
    await cloud.make(policy, [proxy[0], { ...proxy[1], sslPolicy: "global/sslPolicies/modern" }]);
    await cloud.make([`${path}/setSslPolicy`, {}]);
    expect(await cloud.get(path)).not.toHaveProperty("sslPolicy");
  });
});

describe("a regional target HTTPS proxy", () => {
  const region = "p1/regions/europe-west1";
  const body = { name: "x1", urlMap: "regions/europe-west1/urlMaps/u1" };
  const startRegion = async () => {
    const cloud = await startCompute();
    await cloud.make(
      [`${region}/backendServices`, { name: "b1", loadBalancingScheme: "EXTERNAL_MANAGED" }],
      [`${region}/urlMaps`, { name: "u1", defaultService: "regions/europe-west1/backendServices/b1" }],
    );
    return cloud;
  };

  it("accepts certificates of Certificate Manager of its region directly", async () => {
    await using cloud = await startRegion();
    const sslCertificates = [`${manager}/europe-west1/certificates/c1`];
    await cloud.make([`${region}/targetHttpsProxies`, { ...body, sslCertificates }]);
    expect(await cloud.get(`${region}/targetHttpsProxies/x1`)).toMatchObject({
      selfLink: `${base}/regions/europe-west1/targetHttpsProxies/x1`,
      region: `${base}/regions/europe-west1`,
      sslCertificates,
    });
  });

  it.each([
    [
      "a certificate map",
      { certificateMap: map("m1") },
      `400 invalid: Invalid value for field 'resource.certificateMap': '${map("m1")}'. Regional proxies take no certificate map; name certificates directly.`,
    ],
    [
      "a certificate of another region",
      { sslCertificates: [`${manager}/us-east1/certificates/c1`] },
      `400 invalid: Invalid value for field 'resource.sslCertificates[0]': '${manager}/us-east1/certificates/c1'. The certificate has to be in the location europe-west1.`,
    ],
    [
      "neither map nor certificates",
      {},
      "400 invalid: Invalid value for field 'resource.sslCertificates': ''. At least 1 SSL certificate must be specified.",
    ],
  ])("fails with %s", async (_, change, expected) => {
    await using cloud = await startRegion();
    expect(refusal(await cloud.call("POST", `${region}/targetHttpsProxies`, { ...body, ...change }))).toBe(expected);
  });

  it("must keep a certificate", async () => {
    await using cloud = await startRegion();
    const sslCertificates = [`${manager}/europe-west1/certificates/c1`];
    await cloud.make([`${region}/targetHttpsProxies`, { ...body, sslCertificates }]);
    const answer = await cloud.call("POST", `${region}/targetHttpsProxies/x1/setSslCertificates`, {});
    expect(refusal(answer)).toBe(
      "400 invalid: Invalid value for field 'resource': ''. At least 1 SSL certificate must be specified for setting SSL certificates in TargetHttpsProxy.",
    );
  });
});

describe("a target HTTP proxy", () => {
  it("is stored with its URL map, which can be changed", async () => {
    await using cloud = await startWithUrlMap();
    await cloud.make(
      ["p1/global/urlMaps", { name: "redirect", defaultUrlRedirect: { httpsRedirect: true, stripQuery: false } }],
      ["p1/global/targetHttpProxies", { name: "h1", urlMap: "global/urlMaps/u1" }],
      ["p1/targetHttpProxies/h1/setUrlMap", { urlMap: "global/urlMaps/redirect" }],
    );
    expect(await cloud.get("p1/global/targetHttpProxies/h1")).toEqual({
      kind: "compute#targetHttpProxy",
      id: expect.any(String),
      creationTimestamp: "2026-11-21T00:00:00.000Z",
      name: "h1",
      selfLink: `${base}/global/targetHttpProxies/h1`,
      urlMap: `${base}/global/urlMaps/redirect`,
      proxyBind: false,
      fingerprint: expect.any(String),
    });
  });
});
