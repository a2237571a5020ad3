import { createSecureContext } from "node:tls";
import { projectNumberOf } from "../../lib/cloud/projects";
import { shakeHands } from "../../lib/live/verify";
import { asClient, makeClientPki } from "../support/client-certificates";
import { makeLoadBalancer, makeZone, parent, startTestCloud, type TestCloud } from "../support/cloud";
import { makeCertificate } from "../support/make-certificate";

const { root, intermediate, client } = makeClientPki();
const trustStores = [
  { trustAnchors: [{ pemCertificate: root.pem }], intermediateCas: [{ pemCertificate: intermediate.pem }] },
];
const policyName = `${parent}/serverTlsPolicies/clients`;
const trustConfig = `${parent}/trustConfigs/clients`;
const allowing = "ALLOW_INVALID_OR_MISSING_CLIENT_CERT";
const { certificatePem, privateKeyPem } = makeCertificate(["shop.example.com"]);

const makeTrustConfig = (cloud: TestCloud) =>
  cloud.make("POST", `/v1/${parent}/trustConfigs?trustConfigId=clients`, { trustStores });
const numbered = trustConfig.replace("p1", projectNumberOf("p1"));
const policyOf = (mode: string, clientValidationTrustConfig: string | undefined = trustConfig) => ({
  mtlsPolicy: { clientValidationMode: mode, clientValidationTrustConfig },
});
const createPolicy = (cloud: TestCloud, body: object, within = parent) =>
  cloud.call("POST", `/v1/${within}/serverTlsPolicies?serverTlsPolicyId=clients`, body);

async function makeFront(cloud: TestCloud, proxy: object): Promise<void> {
  const path = "/compute/v1/projects/p1/global/sslCertificates";
  await cloud.make("POST", path, { name: "shop", certificate: certificatePem, privateKey: privateKeyPem });
  await makeLoadBalancer(cloud, "front", { sslCertificates: ["global/sslCertificates/shop"], ...proxy });
  await cloud.loadBalancers.settle();
}

/** Whether the front end accepts a client without a certificate, and one with a valid certificate. */
async function accepted(cloud: TestCloud): Promise<{ readonly without: boolean; readonly valid: boolean }> {
  return { without: await acceptedAs(cloud, {}), valid: await acceptedAs(cloud, asClient(client())) };
}

/** Whether the front end accepts a client with a certificate. */
async function acceptedAs(cloud: TestCloud, identity: object): Promise<boolean> {
  await cloud.loadBalancers.settle();
  const [, address = "", port = ""] = /^(.*):(\d+)$/.exec(cloud.loadBalancers.listeners()[0]?.listen ?? "") ?? [];
  const secureContext = createSecureContext({ ca: certificatePem, ...identity });
  const target = { address, port: Number(port), hostname: "shop.example.com", timeoutMs: 5_000, secureContext };
  const result = await shakeHands({ ...target, http: true });
  // The server's certificate is self-signed; the test checks only whether the server accepts the client.
  return result.ok;
}

const proxyPath = "/compute/v1/projects/p1/global/targetHttpsProxies/front";

test("a policy is created, read, listed and deleted by operations at the shared path, and refuses changes", async () => {
  await using cloud = await startTestCloud();
  await makeTrustConfig(cloud);
  const operation = (await createPolicy(cloud, { ...policyOf("REJECT_INVALID"), labels: { a: "b" } })).body;
  await cloud.clock.advance(1_000);
  expect(await cloud.make("GET", `/v1/${operation.name}`)).toMatchObject({
    done: true,
    metadata: { "@type": "type.googleapis.com/google.cloud.networksecurity.v1.OperationMetadata", target: policyName },
    response: { "@type": "type.googleapis.com/google.cloud.networksecurity.v1.ServerTlsPolicy", name: policyName },
  });
  const made = await cloud.make("GET", `/v1/${policyName}`);
  // The service always answers with the project number.
  expect(made).toMatchObject({ ...policyOf("REJECT_INVALID", numbered), labels: { a: "b" } });
  expect(await cloud.make("GET", `/v1/${parent}/serverTlsPolicies`)).toEqual({ serverTlsPolicies: [made] });
  const refused = await cloud.make("PATCH", `/v1/${policyName}?updateMask=description`, { description: "clients" });
  await cloud.clock.advance(1_000);
  expect(await cloud.make("GET", `/v1/${refused.name}`)).toMatchObject({
    error: { code: 9, message: "Update not supported for ServerTlsPolicy created for Load Balancer" },
  });
  expect(await cloud.make("GET", `/v1/${policyName}`)).toEqual(made);
  await cloud.make("DELETE", `/v1/${policyName}`);
  expect((await cloud.call("GET", `/v1/${policyName}`)).status).toBe(404);
});

test.each([
  ["REJECT_INVALID without a trust config", policyOf("REJECT_INVALID", ""), 400],
  ["a trust config that does not exist", policyOf(allowing, `${parent}/trustConfigs/other`), 404],
  ["a trust config of another location", policyOf(allowing, "projects/p1/locations/europe-west1/trustConfigs/c"), 400],
  ["something else for a trust config", policyOf(allowing, "clients"), 400],
  ["plain text beside mutual TLS", { ...policyOf(allowing), allowOpen: true }, 400],
])("a policy is refused with %s", async (_, body, status) => {
  await using cloud = await startTestCloud();
  await makeTrustConfig(cloud);
  expect((await createPolicy(cloud, body)).status).toBe(status);
});

test("a trust config can be referred to by the project's number, and counts as used", async () => {
  await using cloud = await startTestCloud();
  await makeTrustConfig(cloud);
  expect((await createPolicy(cloud, policyOf("REJECT_INVALID", numbered))).status).toBe(200);
  expect((await cloud.call("DELETE", `/v1/${trustConfig}`)).body).toMatchObject({
    error: { status: "FAILED_PRECONDITION", message: expect.stringContaining(policyName) },
  });
  await cloud.make("DELETE", `/v1/${policyName}`);
  await cloud.make("DELETE", `/v1/${trustConfig}`);
});

test.each([
  ["a policy that does not exist", `//networksecurity.googleapis.com/${policyName}`, 404],
  ["a policy of a region", "projects/p1/locations/europe-west1/serverTlsPolicies/clients", 400],
  ["something else", "clients", 400],
])("a proxy is refused with %s", async (_, serverTlsPolicy, status) => {
  await using cloud = await startTestCloud();
  await makeFront(cloud, {});
  expect((await cloud.call("PATCH", proxyPath, { serverTlsPolicy })).status).toBe(status);
});

test("a proxy refuses a policy of a service mesh", async () => {
  await using cloud = await startTestCloud();
  await createPolicy(cloud, { allowOpen: true });
  await makeFront(cloud, {});
  expect((await cloud.call("PATCH", proxyPath, { serverTlsPolicy: policyName })).status).toBe(400);
});

test("the front end validates clients with the policy of its proxy, and a used policy can't be deleted", async () => {
  await using cloud = await startTestCloud();
  await makeTrustConfig(cloud);
  await createPolicy(cloud, policyOf(allowing));
  await makeFront(cloud, { serverTlsPolicy: policyName });
  expect(await cloud.make("GET", proxyPath)).toMatchObject({
    serverTlsPolicy: `//networksecurity.googleapis.com/${policyName}`,
  });
  expect(await accepted(cloud)).toEqual({ without: true, valid: true });
  expect((await cloud.call("DELETE", `/v1/${policyName}`)).status).toBe(400);

  const strict = `${parent}/serverTlsPolicies/strict`;
  await cloud.make("POST", `/v1/${parent}/serverTlsPolicies?serverTlsPolicyId=strict`, policyOf("REJECT_INVALID"));
  await cloud.make("PATCH", proxyPath, { serverTlsPolicy: strict });
  await cloud.make("DELETE", `/v1/${policyName}`);
  expect(await accepted(cloud)).toEqual({ without: false, valid: true });
  expect(cloud.loadBalancers.handshakes().failed.map(({ code }) => code)).toEqual(["client-certificate-missing"]);

  const other = makeClientPki();
  await cloud.make("PATCH", `/v1/${trustConfig}`, {
    trustStores: [{ trustAnchors: [{ pemCertificate: other.root.pem }] }],
  });
  expect(await accepted(cloud)).toEqual({ without: false, valid: false });

  await cloud.make("PATCH", proxyPath, { serverTlsPolicy: null });
  expect(await accepted(cloud)).toEqual({ without: true, valid: true });
  await cloud.make("DELETE", `/v1/${strict}`);
});

test("the front end also accepts clients of further anchors, if the trust config has certificates", async () => {
  const stranger = makeClientPki();
  await using cloud = await startTestCloud({ certificates: { clientAnchors: [stranger.root.pem] } });
  await makeTrustConfig(cloud);
  await createPolicy(cloud, policyOf("REJECT_INVALID"));
  await makeFront(cloud, { serverTlsPolicy: policyName });
  const ofStranger = stranger.client();
  expect(await acceptedAs(cloud, asClient(ofStranger, stranger.intermediate))).toBe(true);
  expect(await acceptedAs(cloud, asClient(client()))).toBe(true);
  expect(await acceptedAs(cloud, {})).toBe(false);
  expect(await cloud.make("GET", `/v1/${trustConfig}`)).toMatchObject({ trustStores });

  await cloud.make("PATCH", `/v1/${trustConfig}`, { trustStores: [], description: "empty" });
  expect(await acceptedAs(cloud, asClient(ofStranger, stranger.intermediate))).toBe(false);
});

test.each([
  ["REJECT_INVALID", true, 1],
  ["REJECT_INVALID", false, 1],
  [allowing, true, 0],
])(
  "with a policy of mode %s, an uptime check with 'validateSsl' %s opens %s incidents",
  async (mode, validateSsl, expected) => {
    await using cloud = await startTestCloud({ certificates: { uptimeRoots: () => [certificatePem] } });
    await makeTrustConfig(cloud);
    await createPolicy(cloud, policyOf(mode));
    await makeFront(cloud, { serverTlsPolicy: policyName });
    await makeZone(cloud, "example-com", "example.com.");
    const rrdatas = [cloud.loadBalancers.listeners()[0]?.ipAddress];
    const additions = [{ name: "shop.example.com.", type: "A", ttl: 300, rrdatas }];
    await cloud.make("POST", "/dns/v1/projects/p1/managedZones/example-com/changes", { additions });
    const { name } = await cloud.make("POST", "/v3/projects/p1/uptimeCheckConfigs", {
      displayName: "shop",
      timeout: "10s",
      period: "900s",
      httpCheck: { useSsl: true, validateSsl },
      monitoredResource: { type: "uptime_url", labels: { host: "shop.example.com" } },
    });
    const filter = `metric.type="monitoring.googleapis.com/uptime_check/check_passed" AND metric.labels.check_id="${String(name).split("/").at(-1)}"`;
    const aggregations = [{ alignmentPeriod: "1200s", crossSeriesReducer: "REDUCE_COUNT_FALSE" }];
    const conditionThreshold = {
      filter,
      comparison: "COMPARISON_GT",
      thresholdValue: 1,
      duration: "60s",
      aggregations,
    };
    const conditions = [{ displayName: "failed", conditionThreshold }];
    await cloud.make("POST", "/v3/projects/p1/alertPolicies", { displayName: "shop", combiner: "OR", conditions });
    await cloud.clock.advance(40 * 60_000);
    expect((await cloud.make("GET", "/v3/projects/p1/alerts")).alerts).toHaveLength(expected);
  },
);
