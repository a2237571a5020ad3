import { startTestCloud, type TestCloud } from "../support/cloud";

/** Request bodies of the google provider (observed with 6.50.0), and answers that keep its plans empty. */

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ behavior: { operationMs: 0, propagationMs: 0 } });
  for (const [path, body] of [
    ["backendServices", { name: "b1", loadBalancingScheme: "EXTERNAL_MANAGED" }],
    ["urlMaps", { name: "u1", defaultService: "global/backendServices/b1" }],
  ] as const)
    await cloud.make("POST", `${compute}/${path}`, body);
});
afterAll(() => cloud.stop());

const compute = "/compute/v1/projects/p1/global";
const regional = "/compute/v1/projects/p1/regions/europe-west1";
const zones = "/dns/v1/projects/p1/managedZones";
const buckets = "/v2/projects/p1/locations/global/buckets";

/** Status and message of an answer. */
async function outcomeOf(httpMethod: string, path: string, body?: object | string): Promise<string> {
  const answer = await cloud.call(httpMethod, path, body);
  const { error } = answer.body as { readonly error?: { readonly message: string } };
  return `${answer.status} ${error?.message ?? "ok"}`;
}

describe("a null member that the schema does not declare", () => {
  let proxies = 0;
  const makeProxy = async (): Promise<string> => {
    const name = `n${proxies++}`;
    await cloud.make("POST", `${compute}/sslPolicies`, { name: `policy-${name}` });
    await cloud.make("POST", `${compute}/sslCertificates`, { name: `own-${name}`, ...material() });
    await cloud.make("POST", `/v1/projects/p1/locations/global/certificateMaps?certificateMapId=${name}`, {});
    const certificateMap = `//certificatemanager.googleapis.com/projects/p1/locations/global/certificateMaps/${name}`;
    await cloud.make("POST", `${compute}/targetHttpsProxies`, { name, urlMap: "global/urlMaps/u1", certificateMap });
    return name;
  };

  test.each<[method: string, body: (name: string) => object, member: string]>([
    ["setSslPolicy", (name) => ({ sslPolicy: `global/sslPolicies/policy-${name}` }), "sslPolicy"],
    ["setUrlMap", () => ({ urlMap: "global/urlMaps/u1" }), "urlMap"],
    ["setSslCertificates", (name) => ({ sslCertificates: [`global/sslCertificates/own-${name}`] }), "sslCertificates"],
    ["setQuicOverride", () => ({ quicOverride: "ENABLE" }), "quicOverride"],
    [
      "setCertificateMap",
      (name) => ({
        certificateMap: `//certificatemanager.googleapis.com/projects/p1/locations/global/certificateMaps/${name}`,
      }),
      "certificateMap",
    ],
  ])("is ignored in the body of %s", async (method, body, member) => {
    const name = await makeProxy();
    // Some of these methods have no `global` in their path.
    const base = ["setSslPolicy", "setQuicOverride", "setCertificateMap"].includes(method)
      ? `${compute}/targetHttpsProxies`
      : "/compute/v1/projects/p1/targetHttpsProxies";
    const given = body(name);
    expect(await outcomeOf("POST", `${base}/${name}/${method}`, { ...given, serverTlsPolicy: null })).toBe("200 ok");
    const proxy = await cloud.make("GET", `${compute}/targetHttpsProxies/${name}`);
    expect(String(proxy[member])).toContain(String(Object.values(given)[0]).replace(/^global/, ""));
    expect(proxy).not.toHaveProperty("serverTlsPolicy");
  });

  test("is refused if it has a value", async () => {
    const name = await makeProxy();
    const path = `/compute/v1/projects/p1/targetHttpsProxies/${name}/setUrlMap`;
    expect(await outcomeOf("POST", path, { urlMap: "global/urlMaps/u1", serverTlsPolicy: "x" })).toContain(
      "'/serverTlsPolicy' is not declared",
    );
  });
});

test("a PATCH with serverTlsPolicy null removes mutual TLS from a proxy, as the schema declares the member", async () => {
  await cloud.make("POST", `${regional}/backendServices`, { name: "b1", loadBalancingScheme: "EXTERNAL_MANAGED" });
  await cloud.make("POST", `${regional}/urlMaps`, {
    name: "u1",
    defaultService: "regions/europe-west1/backendServices/b1",
  });
  const { certificate, privateKey } = material();
  await cloud.make("POST", `${regional}/sslCertificates`, { name: "s1", certificate, privateKey });
  await cloud.make("POST", "/v1/projects/p1/locations/europe-west1/serverTlsPolicies?serverTlsPolicyId=t1", {
    mtlsPolicy: { clientValidationMode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" },
  });
  await cloud.make("POST", `${regional}/targetHttpsProxies`, {
    name: "x1",
    urlMap: "regions/europe-west1/urlMaps/u1",
    sslCertificates: ["regions/europe-west1/sslCertificates/s1"],
    serverTlsPolicy: "//networksecurity.googleapis.com/projects/p1/locations/europe-west1/serverTlsPolicies/t1",
  });
  await cloud.make("POST", `${regional}/sslPolicies`, { name: "p1" });
  const path = `${regional}/targetHttpsProxies/x1`;
  expect(await cloud.make("GET", path)).toHaveProperty("serverTlsPolicy");
  await cloud.make("PATCH", path, { sslPolicy: "regions/europe-west1/sslPolicies/p1", serverTlsPolicy: null });
  expect(await cloud.make("GET", path)).not.toHaveProperty("serverTlsPolicy");
});

function material(): { readonly certificate: string; readonly privateKey: string } {
  const { makeCertificate } = require("../support/make-certificate") as typeof import("../support/make-certificate");
  const { certificatePem, privateKeyPem } = makeCertificate(["shop.example.com"]);
  return { certificate: certificatePem, privateKey: privateKeyPem };
}

describe("a zone", () => {
  test("is returned without the members that the provider sends empty", async () => {
    const zone = await cloud.make("POST", zones, {
      name: "empty",
      dnsName: "empty.example.",
      description: "Managed by Terraform",
      visibility: "public",
      privateVisibilityConfig: {},
      labels: {},
      forwardingConfig: { targetNameServers: [] },
      dnssecConfig: {},
    });
    for (const member of ["privateVisibilityConfig", "labels", "forwardingConfig", "dnssecConfig"])
      expect(zone).not.toHaveProperty(member);
    expect(await cloud.make("GET", `${zones}/empty`)).toEqual(zone);
  });

  test("keeps members with a value, and an empty description", async () => {
    const zone = await cloud.make("POST", zones, {
      name: "full",
      dnsName: "full.example.",
      description: "",
      labels: { env: "prod" },
      dnssecConfig: { state: "off" },
    });
    expect(zone).toMatchObject({
      description: "",
      labels: { env: "prod" },
      dnssecConfig: { state: "off", kind: "dns#managedZoneDnsSecConfig" },
    });
  });

  test("can be updated with its id as a number, which exceeds the precision of a double", async () => {
    const { id } = await cloud.make("POST", zones, { name: "number", dnsName: "number.example.", description: "a" });
    expect(Number.isSafeInteger(Number(id))).toBe(false);
    const body = `{"id": ${id}, "name": "number", "dnsName": "number.example.", "description": "b", "creationTime": ""}`;
    expect(await outcomeOf("PUT", `${zones}/number`, body.replace(', "creationTime": ""', ""))).toBe("200 ok");
    expect(await cloud.make("GET", `${zones}/number`)).toMatchObject({ id, description: "b" });
  });
});

describe("a record set with a routing policy", () => {
  const name = "www.routed.example.";
  const wrr = (first: string) => ({
    items: [
      { weight: 0.5, rrdatas: [first] },
      { weight: 0.5, rrdatas: ["192.0.2.9"] },
    ],
  });
  beforeAll(() => cloud.make("POST", zones, { name: "routed", dnsName: "routed.example.", description: "" }));

  test("replaces plain data in one change, is returned as it was sent, and resolves to its first item", async () => {
    const plain = { name, type: "A", ttl: 60, rrdatas: ["192.0.2.1"] };
    const routed = { name, type: "A", ttl: 60, routingPolicy: { wrr: wrr("192.0.2.7") } };
    await cloud.make("POST", `${zones}/routed/changes`, { additions: [plain] });
    await cloud.make("POST", `${zones}/routed/changes`, { deletions: [plain], additions: [routed] });
    const { rrsets } = (await cloud.make("GET", `${zones}/routed/rrsets?name=${name}&type=A`)) as { rrsets: object[] };
    expect(rrsets).toEqual([expect.objectContaining({ rrdatas: [], routingPolicy: { wrr: wrr("192.0.2.7") } })]);
    const { Resolver } = require("node:dns/promises") as typeof import("node:dns/promises");
    const resolver = new Resolver();
    resolver.setServers([cloud.endpoints.dns]);
    expect(await resolver.resolve4(name)).toEqual(["192.0.2.7"]);
    // A deletion has to give the current policy.
    const other = { ...routed, routingPolicy: { wrr: wrr("192.0.2.8") } };
    expect(await outcomeOf("POST", `${zones}/routed/changes`, { deletions: [other] })).toContain("412");
    expect(await outcomeOf("POST", `${zones}/routed/changes`, { deletions: [routed] })).toBe("200 ok");
  });

  test.each<[what: string, set: object, status: string]>([
    ["data beside the policy", { rrdatas: ["192.0.2.1"], routingPolicy: { wrr: wrr("192.0.2.1") } }, "400"],
    ["data of another type", { routingPolicy: { wrr: wrr("not-an-address") } }, "400"],
    ["no items", { routingPolicy: { geo: { items: [] } } }, "400"],
    ["both kinds", { routingPolicy: { wrr: wrr("192.0.2.1"), geo: wrr("192.0.2.1") } }, "400"],
    ["a choice by health", { routingPolicy: { primaryBackup: {} } }, "501"],
  ])("is refused with %s", async (_, set, status) => {
    const change = { additions: [{ name: `x.${name}`, type: "A", ttl: 60, ...set }] };
    expect(await outcomeOf("POST", `${zones}/routed/changes`, change)).toMatch(`${status} `);
  });
});

describe("an SSL policy", () => {
  const path = `${compute}/sslPolicies`;

  test("is created with the provider's defaults, changed with its fingerprint, and returns its features", async () => {
    await cloud.make("POST", path, { name: "s1", profile: "MODERN", minTlsVersion: "TLS_1_2" });
    const made = await cloud.make("GET", `${path}/s1`);
    expect(made).toMatchObject({ kind: "compute#sslPolicy", profile: "MODERN", minTlsVersion: "TLS_1_2" });
    expect(made.enabledFeatures).toContain("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    expect(made).not.toHaveProperty("customFeatures");
    const { fingerprint } = made;
    const customFeatures = ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"];
    await cloud.make("PATCH", `${path}/s1`, { profile: "CUSTOM", customFeatures, fingerprint });
    expect(await cloud.make("GET", `${path}/s1`)).toMatchObject({ customFeatures, enabledFeatures: customFeatures });
    expect(await outcomeOf("PATCH", `${path}/s1`, { minTlsVersion: "TLS_1_0", fingerprint })).toMatch(/^412 /);
  });

  test("can't be deleted while a target proxy uses it", async () => {
    await cloud.make("POST", path, { name: "used" });
    const { certificate, privateKey } = material();
    await cloud.make("POST", `${compute}/sslCertificates`, { name: "of-used", certificate, privateKey });
    const sslCertificates = ["global/sslCertificates/of-used"];
    const proxy = { name: "used", urlMap: "global/urlMaps/u1", sslCertificates, sslPolicy: "global/sslPolicies/used" };
    await cloud.make("POST", `${compute}/targetHttpsProxies`, proxy);
    expect(await outcomeOf("DELETE", `${path}/used`)).toMatch(/^400 .*targetHttpsProxies\/used/);
    await cloud.make("DELETE", `${compute}/targetHttpsProxies/used`);
    expect(await outcomeOf("DELETE", `${path}/used`)).toBe("200 ok");
  });

  test.each<[what: string, body: object, message: string]>([
    ["CUSTOM without features", { profile: "CUSTOM" }, "needs at least one feature"],
    ["features without CUSTOM", { profile: "MODERN", customFeatures: ["x"] }, "Only the profile CUSTOM"],
    ["a feature that does not exist", { profile: "CUSTOM", customFeatures: ["TLS_NONE"] }, "Unknown feature."],
  ])("is refused with %s", async (_, body, message) => {
    expect(await outcomeOf("POST", path, { name: "refused", ...body })).toContain(message);
  });
});

describe("a legacy HTTP health check", () => {
  const path = `${compute}/httpHealthChecks`;

  test("is created with its defaults, updated, and used by a backend service", async () => {
    await cloud.make("POST", path, { name: "h1", requestPath: "/health" });
    const made = await cloud.make("GET", `${path}/h1`);
    expect(made).toMatchObject({ kind: "compute#httpHealthCheck", port: 80, requestPath: "/health", timeoutSec: 5 });
    await cloud.make("PUT", `${path}/h1`, { name: "h1", port: 8080 });
    expect(await cloud.make("GET", `${path}/h1`)).toMatchObject({ port: 8080, requestPath: "/" });
    await cloud.make("POST", `${compute}/backendServices`, {
      name: "checked",
      loadBalancingScheme: "EXTERNAL",
      healthChecks: ["global/httpHealthChecks/h1"],
    });
    expect(await outcomeOf("DELETE", `${path}/h1`)).toMatch(/^400 .*backendServices\/checked/);
  });

  test("is refused if its time-out exceeds its interval", async () => {
    expect(await outcomeOf("POST", path, { name: "slow", timeoutSec: 9 })).toContain("must not be longer");
  });
});

describe("google_project_service", () => {
  test("reads the project with version 1 of the API, by id and by number", async () => {
    const project = await cloud.make("GET", "/v1/projects/p1?alt=json&prettyPrint=false");
    expect(project).toEqual({
      projectId: "p1",
      projectNumber: expect.stringMatching(/^\d{12}$/),
      lifecycleState: "ACTIVE",
      name: "p1",
    });
  });

  test("enables services in batches, and finds them in the list of enabled services", async () => {
    const serviceIds = ["logging.googleapis.com", "monitoring.googleapis.com"];
    const operation = await cloud.make("POST", "/v1/projects/p1/services:batchEnable?alt=json", { serviceIds });
    expect(operation).toMatchObject({ done: true });
    const query = "alt=json&fields=services%2Fname%2CnextPageToken&filter=state%3AENABLED&pageSize=200";
    const { services } = (await cloud.make("GET", `/v1/projects/p1/services?${query}`)) as {
      services: readonly { name: string }[];
    };
    expect(services.map(({ name }) => name)).toEqual(
      expect.arrayContaining(serviceIds.map((id) => `projects/p1/services/${id}`)),
    );
  });
});

test("a log bucket is created by an operation, changed with its mask, and read", async () => {
  const body = {
    name: "",
    description: "alerts",
    locked: false,
    retentionDays: 30,
    cmekSettings: null,
    indexConfigs: [],
  };
  const operation = await cloud.make("POST", `${buckets}:createAsync?bucketId=b1`, body);
  expect(operation).toMatchObject({ done: true, response: { name: "projects/p1/locations/global/buckets/b1" } });
  expect(await cloud.make("GET", `/v2/${operation.name}`)).toEqual(operation);
  await cloud.make("PATCH", `${buckets}/b1?updateMask=retentionDays`, { retentionDays: 400, description: "ignored" });
  expect(await cloud.make("GET", `${buckets}/b1`)).toMatchObject({
    retentionDays: 400,
    description: "alerts",
    lifecycleState: "ACTIVE",
  });
});

test("a log bucket that exists in every project is changed by PATCH, and can't be deleted", async () => {
  await cloud.make("PATCH", `${buckets}/_Default?updateMask=retentionDays`, { retentionDays: 60 });
  expect(await cloud.make("GET", `${buckets}/_Default`)).toMatchObject({ retentionDays: 60 });
  expect(await outcomeOf("DELETE", `${buckets}/_Default`)).toMatch(/^400 /);
  expect(await outcomeOf("PATCH", `${buckets}/_Required?updateMask=retentionDays`, { retentionDays: 1 })).toMatch(
    /^400 /,
  );
  const { buckets: listed } = (await cloud.make("GET", buckets)) as { buckets: readonly { name: string }[] };
  expect(listed.map(({ name }) => name.split("/").at(-1))).toEqual(expect.arrayContaining(["_Default", "_Required"]));
});

test("a log bucket that was deleted keeps its name for seven days, can't be changed or recreated in them, and is absent afterwards", async () => {
  await cloud.make("POST", `${buckets}?bucketId=gone`, { retentionDays: 1 });
  await cloud.make("DELETE", `${buckets}/gone`);
  expect(await cloud.make("GET", `${buckets}/gone`)).toMatchObject({ lifecycleState: "DELETE_REQUESTED" });
  expect(await outcomeOf("PATCH", `${buckets}/gone?updateMask=retentionDays`, { retentionDays: 2 })).toMatch(
    /^400 Buckets must be in an ACTIVE state/,
  );
  expect(await outcomeOf("POST", `${buckets}:createAsync?bucketId=gone`, {})).toMatch(/^409 .*DELETE_REQUESTED/);
  const dayMs = 24 * 3_600_000;
  await cloud.clock.advance(7 * dayMs - 1_000);
  expect(await outcomeOf("GET", `${buckets}/gone`)).toBe("200 ok");
  await cloud.clock.advance(1_000);
  expect(await outcomeOf("GET", `${buckets}/gone`)).toMatch(/^404 /);
  expect(await outcomeOf("POST", `${buckets}?bucketId=gone`, {})).toBe("200 ok");
});

test("a log bucket that was deleted can be restored", async () => {
  await cloud.make("POST", `${buckets}?bucketId=back`, {});
  await cloud.make("DELETE", `${buckets}/back`);
  await cloud.make("POST", `${buckets}/back:undelete`, {});
  expect(await cloud.make("GET", `${buckets}/back`)).toMatchObject({ lifecycleState: "ACTIVE" });
  expect(await outcomeOf("POST", `${buckets}/back:undelete`, {})).toMatch(/^400 /);
});

test.each<[what: string, path: string, body: object]>([
  ["a retention beyond ten years", `${buckets}?bucketId=long`, { retentionDays: 3_651 }],
  ["a retention below a day", `${buckets}?bucketId=short`, { retentionDays: -1 }],
  ["an id with a space", `${buckets}?bucketId=a%20b`, {}],
])("a log bucket is refused with %s", async (_, path, body) => {
  expect(await outcomeOf("POST", path, body)).toMatch(/^400 /);
});

test("a log bucket that is locked keeps its retention", async () => {
  await cloud.make("POST", `${buckets}?bucketId=locked`, { retentionDays: 10, locked: true });
  const change = `${buckets}/locked?updateMask=retentionDays`;
  expect(await outcomeOf("PATCH", change, { retentionDays: 5 })).toMatch(/^400 .*is locked/);
});
