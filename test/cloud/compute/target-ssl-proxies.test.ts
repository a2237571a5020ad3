import { map, sslCertificate } from "./attachments";
import { base, manager, refusal, startCompute } from "./start-compute";

const sslPath = "p1/global/targetSslProxies/t1";
const body = { name: "t1", service: "global/backendServices/tcp", certificateMap: map("m1") };
const startSsl = async () => {
  const cloud = await startCompute();
  await cloud.make(
    ["p1/global/backendServices", { name: "tcp", protocol: "TCP" }],
    ["p1/global/backendServices", { name: "ssl", protocol: "SSL" }],
    ["p1/global/backendServices", { name: "http" }],
    sslCertificate("s1"),
  );
  return cloud;
};

it("a target SSL proxy is stored with its backend service and certificate map", async () => {
  await using cloud = await startSsl();
  await cloud.make(["p1/global/targetSslProxies", body]);
  expect(await cloud.get(sslPath)).toEqual({
    kind: "compute#targetSslProxy",
    id: expect.any(String),
    creationTimestamp: "2026-11-21T00:00:00.000Z",
    name: "t1",
    selfLink: `${base}/global/targetSslProxies/t1`,
    service: `${base}/global/backendServices/tcp`,
    certificateMap: map("m1"),
    proxyHeader: "NONE",
  });
});

it.each([
  ["setCertificateMap", { certificateMap: map("m2") }, { certificateMap: map("m2") }],
  [
    "setSslCertificates",
    { sslCertificates: ["global/sslCertificates/s1"] },
    { sslCertificates: [`${base}/global/sslCertificates/s1`] },
  ],
  ["setBackendService", { service: "global/backendServices/ssl" }, { service: `${base}/global/backendServices/ssl` }],
  ["setSslPolicy", { sslPolicy: "global/sslPolicies/modern" }, { sslPolicy: `${base}/global/sslPolicies/modern` }],
  ["setProxyHeader", { proxyHeader: "PROXY_V1" }, { proxyHeader: "PROXY_V1" }],
])("a target SSL proxy can be changed by %s", async (method, change, expected) => {
  await using cloud = await startSsl();
  await cloud.make(["p1/global/sslPolicies", { name: "modern" }], ["p1/global/targetSslProxies", body]);
  const before = await cloud.get(sslPath);
  await cloud.make([`${sslPath}/${method}`, change]);
  expect(await cloud.get(sslPath)).toEqual({ ...before, ...expected });
});

it.each([
  [
    "a backend service that speaks HTTP",
    { service: "global/backendServices/http" },
    `400 invalid: Invalid value for field 'resource.service': '${base}/global/backendServices/http'. Its protocol is HTTP; it has to be SSL or TCP.`,
  ],
  [
    "a certificate of Certificate Manager without a map",
    { certificateMap: undefined, sslCertificates: [`${manager}/global/certificates/everywhere`] },
    `400 invalid: Invalid value for field 'resource.sslCertificates[0]': '${manager}/global/certificates/everywhere'. A TargetSslProxy takes certificates of Certificate Manager by a certificate map only.`,
  ],
])("a target SSL proxy fails with %s", async (_, change, expected) => {
  await using cloud = await startSsl();
  expect(refusal(await cloud.call("POST", "p1/global/targetSslProxies", { ...body, ...change }))).toBe(expected);
});

it("a target SSL proxy must keep a map or a certificate", async () => {
  await using cloud = await startSsl();
  await cloud.make(["p1/global/targetSslProxies", body]);
  expect(refusal(await cloud.call("POST", `${sslPath}/setCertificateMap`, {}))).toBe(
    "412 conditionNotMet: Certificate Map or at least 1 SSL certificate must be specified for setting SSL certificates in TargetSslProxy.",
  );
});
