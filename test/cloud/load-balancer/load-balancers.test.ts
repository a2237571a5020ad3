import { get } from "node:https";
import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  parent,
  publishProof,
  startTestCloud,
  type TestCloud,
} from "../../support/cloud";
import { makeCertificate } from "../../support/make-certificate";
import { seenBy } from "../../support/tls-client";
import { until } from "../../support/until";

const propagationMs = 5_000;
const base = "/compute/v1/projects/p1/global";
const mapBase = `//certificatemanager.googleapis.com/${parent}/certificateMaps`;

let cloud: TestCloud;
let shop: string;
let other: string;
beforeAll(async () => {
  cloud = await startTestCloud({ behavior: { propagationMs } });
  await makeZone(cloud, "com", "example.com.");
  await makeZone(cloud, "net", "example.net.");
  shop = await makeActiveCertificate(cloud, "shop", "com", ["example.com", "*.example.com"]);
  other = await makeActiveCertificate(cloud, "other", "net", ["example.net"]);
});
afterAll(() => cloud.stop());

const answered = (commonName: string) => expect.objectContaining({ commonName });
const refused = { refused: expect.stringMatching(/ALERT|ECONNRESET|HANDSHAKE/) };

it("a load balancer with a certificate map serves exact names, names of a wildcard, and PRIMARY for all other names", async () => {
  const certificateMap = await makeMap(cloud, "exact", {
    "example.com": [shop],
    "*.example.com": [shop],
    PRIMARY: [other],
  });
  await makeLoadBalancer(cloud, "exact", { certificateMap });
  await cloud.clock.advance(propagationMs);
  expect(await cloud.handshake("exact", "example.com")).toEqual(answered("example.com"));
  expect(await cloud.handshake("exact", "www.example.com")).toEqual(answered("example.com"));
  expect(await cloud.handshake("exact", "example.net")).toEqual(answered("example.net"));
  // A wildcard matches one label, so the server presents the PRIMARY certificate, which does not cover the name.
  expect(await cloud.handshake("exact", "a.b.example.com")).toEqual({ refused: "ERR_TLS_CERT_ALTNAME_INVALID" });
});

it("a load balancer with a certificate map fails the handshake for a name without an entry, and counts the failure", async () => {
  const certificateMap = await makeMap(cloud, "strict", { "example.com": [shop] });
  await makeLoadBalancer(cloud, "strict", { certificateMap });
  await cloud.clock.advance(propagationMs);
  expect(await cloud.handshake("strict", "www.example.com")).toEqual(refused);
  expect(await cloud.handshake("strict", "unknown.example")).toEqual(refused);
  const isUnknown = ({ serverName }: { readonly serverName?: string }) => serverName === "unknown.example";
  const { failed } = await until(
    () => cloud.loadBalancers.handshakes(),
    (counts) => counts.failed.some(isUnknown),
  );
  expect(failed).toContainEqual({ serverName: "unknown.example", code: expect.any(String), count: 1 });
});

it("a load balancer with a certificate map counts each successful handshake by name and certificate", async () => {
  const certificateMap = await makeMap(cloud, "counted", { "*.example.com": [shop] });
  await makeLoadBalancer(cloud, "counted", { certificateMap });
  await cloud.clock.advance(propagationMs);
  for (const name of ["c1.example.com", "c1.example.com", "c2.example.com"]) await cloud.handshake("counted", name);
  const { answered: counted } = await until(
    () => cloud.loadBalancers.handshakes(),
    (counts) => counts.answered.some(({ serverName }) => serverName === "c2.example.com"),
  );
  expect(counted).toEqual(
    expect.arrayContaining([
      { serverName: "c1.example.com", certificateName: shop, count: 2 },
      { serverName: "c2.example.com", certificateName: shop, count: 1 },
    ]),
  );
});

it("a load balancer with a certificate map reports the rule, name and certificate over HTTP", async () => {
  const certificateMap = await makeMap(cloud, "answers", { "example.com": [shop] });
  await makeLoadBalancer(cloud, "answers", { certificateMap });
  await cloud.clock.advance(propagationMs);
  const place = cloud.loadBalancers.listeners().find(({ forwardingRule }) => forwardingRule.endsWith("/answers"));
  const [host = "", port = ""] = place?.listen.split(":") ?? [];
  const answer = await new Promise<string>((resolve, reject) => {
    const options = {
      host,
      port,
      servername: "example.com",
      path: "/x",
      ca: cloud.endpoints.trustBundle,
      agent: false,
    };
    const headers = { host: "example.com", connection: "close" };
    get({ ...options, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.once("end", () => resolve(text));
    }).once("error", reject);
  });
  expect(JSON.parse(answer)).toMatchObject({
    forwardingRule: expect.stringMatching(/forwardingRules\/answers$/),
    method: "GET",
    url: "/x",
    serverName: "example.com",
    certificateName: shop,
  });
});

it("a load balancer with a certificate map applies added, changed and deleted entries exactly when the delay has passed", async () => {
  const certificateMap = await makeMap(cloud, "entries", { "example.com": [shop] });
  await makeLoadBalancer(cloud, "entries", { certificateMap });
  await cloud.clock.advance(propagationMs);
  const entries = `/v1/${parent}/certificateMaps/entries/certificateMapEntries`;
  const seen = () => cloud.handshake("entries", "example.net");

  await cloud.make("POST", `${entries}?certificateMapEntryId=net`, { hostname: "example.net", certificates: [shop] });
  await cloud.clock.advance(propagationMs * 0.8);
  expect(await seen()).toEqual(refused);
  await cloud.clock.advance(propagationMs * 0.2);
  expect(await seen()).toEqual({ refused: "ERR_TLS_CERT_ALTNAME_INVALID" });

  await cloud.make("PATCH", `${entries}/net?updateMask=certificates`, { certificates: [other] });
  await cloud.clock.advance(propagationMs * 0.8);
  expect(await seen()).toEqual({ refused: "ERR_TLS_CERT_ALTNAME_INVALID" });
  await cloud.clock.advance(propagationMs * 0.2);
  expect(await seen()).toEqual(answered("example.net"));

  await cloud.make("DELETE", `${entries}/net`);
  await cloud.clock.advance(propagationMs * 0.8);
  expect(await seen()).toEqual(answered("example.net"));
  await cloud.clock.advance(propagationMs * 0.2);
  expect(await seen()).toEqual(refused);
  expect(await cloud.handshake("entries", "example.com")).toEqual(answered("example.com"));
});

it("a load balancer with a certificate map presents a certificate that was removed from its entry and deleted until both changes have arrived", async () => {
  const replaced = await makeActiveCertificate(cloud, "replaced", "com", ["replaced.example.com"]);
  const successor = await makeActiveCertificate(cloud, "successor", "com", ["replaced.example.com"]);
  const certificateMap = await makeMap(cloud, "deleted", { "replaced.example.com": [replaced] });
  await makeLoadBalancer(cloud, "deleted", { certificateMap });
  await cloud.clock.advance(propagationMs);
  const { certificateMapEntries } = await cloud.make(
    "GET",
    `/v1/${parent}/certificateMaps/deleted/certificateMapEntries`,
  );
  const [{ name }] = certificateMapEntries as [{ readonly name: string }];
  await cloud.make("PATCH", `/v1/${name}?updateMask=certificates`, { certificates: [successor] });
  await cloud.make("DELETE", `/v1/${replaced}`);
  for (const part of [0.5, 0.5, 1]) {
    expect(await cloud.handshake("deleted", "replaced.example.com")).toEqual(answered("replaced.example.com"));
    await cloud.clock.advance(propagationMs * part);
  }
  const { answered: counted } = await until(
    () => cloud.loadBalancers.handshakes(),
    ({ answered: all }) => all.filter(({ serverName }) => serverName === "replaced.example.com").length === 2,
  );
  expect(counted).toContainEqual({ serverName: "replaced.example.com", certificateName: replaced, count: 2 });
});

it("a load balancer with a certificate map applies each change after its own delay, without waiting for a later one", async () => {
  const certificateMap = await makeMap(cloud, "apart", { "example.com": [shop] });
  await makeLoadBalancer(cloud, "apart", { certificateMap });
  await cloud.clock.advance(propagationMs);
  const entries = `/v1/${parent}/certificateMaps/apart/certificateMapEntries`;
  await cloud.make("POST", `${entries}?certificateMapEntryId=first`, {
    hostname: "*.example.com",
    certificates: [shop],
  });
  await cloud.clock.advance(propagationMs * 0.6);
  await cloud.make("POST", `${entries}?certificateMapEntryId=second`, {
    hostname: "example.net",
    certificates: [other],
  });
  await cloud.clock.advance(propagationMs * 0.4);
  expect(await cloud.handshake("apart", "www.example.com")).toEqual(answered("example.com"));
  expect(await cloud.handshake("apart", "example.net")).toEqual(refused);
  await cloud.clock.advance(propagationMs * 0.6);
  expect(await cloud.handshake("apart", "example.net")).toEqual(answered("example.net"));
});

it("a load balancer with a certificate map serves no certificate before it is ACTIVE, and serves it then without another change", async () => {
  const id = "late-example-com";
  await cloud.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=${id}`, {
    domain: "late.example.com",
  });
  await cloud.make("POST", `/v1/${parent}/certificates?certificateId=late`, {
    managed: { domains: ["late.example.com"], dnsAuthorizations: [`${parent}/dnsAuthorizations/${id}`] },
  });
  const certificateMap = await makeMap(cloud, "late", { "late.example.com": [`${parent}/certificates/late`] });
  await makeLoadBalancer(cloud, "late", { certificateMap });
  await cloud.clock.advance(propagationMs * 2);
  expect(await cloud.handshake("late", "late.example.com")).toEqual(refused);
  await publishProof(cloud, `${parent}/dnsAuthorizations/${id}`, "com");
  await cloud.clock.advance(60 * 60_000);
  expect(await cloud.handshake("late", "late.example.com")).toEqual(answered("late.example.com"));
});

it("the attachments of a proxy can be a map, another map, or direct certificates, and the map has priority", async () => {
  const { certificatePem, privateKeyPem } = makeCertificate(["example.com"]);
  await cloud.make("POST", `${base}/sslCertificates`, {
    name: "old",
    type: "SELF_MANAGED",
    selfManaged: { certificate: certificatePem, privateKey: privateKeyPem },
  });
  await makeLoadBalancer(cloud, "moved", { sslCertificates: ["global/sslCertificates/old"] });
  await makeMap(cloud, "moved-a", { "example.com": [shop] });
  await makeMap(cloud, "moved-b", { "example.net": [other] });
  await cloud.clock.advance(propagationMs);
  const seen = async () => [
    await cloud.handshake("moved", "example.com"),
    await cloud.handshake("moved", "example.net"),
  ];
  const untrusted = { refused: expect.stringMatching(/SELF_SIGNED/) };
  // Without a map, the first certificate is for every name.
  expect(await seen()).toEqual([untrusted, untrusted]);

  const setMap = async (id: string) => {
    await cloud.make("POST", `${base}/targetHttpsProxies/moved/setCertificateMap`, {
      certificateMap: `${mapBase}/${id}`,
    });
  };
  await setMap("moved-a");
  await cloud.clock.advance(propagationMs * 0.8);
  expect(await seen()).toEqual([untrusted, untrusted]);
  await cloud.clock.advance(propagationMs * 0.2);
  expect(await seen()).toEqual([answered("example.com"), refused]);

  await setMap("moved-b");
  await cloud.clock.advance(propagationMs);
  expect(await seen()).toEqual([refused, answered("example.net")]);

  await cloud.make("PATCH", `${base}/targetHttpsProxies/moved`, { certificateMap: null });
  await cloud.clock.advance(propagationMs);
  expect(await seen()).toEqual([untrusted, untrusted]);
});

it("a proxy stops answering when its forwarding rule is deleted, and keeps its address until then", async () => {
  const certificateMap = await makeMap(cloud, "gone", { "example.com": [shop] });
  await makeLoadBalancer(cloud, "gone", { certificateMap });
  await cloud.clock.advance(propagationMs);
  const place = () => cloud.loadBalancers.listeners().find(({ forwardingRule }) => forwardingRule.endsWith("/gone"));
  const before = place();
  expect(before).toEqual({
    forwardingRule: "https://www.googleapis.com/compute/v1/projects/p1/global/forwardingRules/gone",
    ipAddress: expect.stringMatching(/^[\d.]+$/),
    port: 443,
    protocol: "tls",
    listen: expect.stringMatching(/^127\.\d+\.\d+\.\d+:\d+$/),
  });
  await cloud.make("POST", `${base}/targetHttpsProxies/gone/setCertificateMap`, { certificateMap });
  await cloud.clock.advance(propagationMs);
  expect(place()).toEqual(before);
  await cloud.make("DELETE", `${base}/forwardingRules/gone`);
  await cloud.clock.advance(propagationMs * 0.8);
  expect(await cloud.handshake("gone", "example.com")).toEqual(answered("example.com"));
  const [host = "", port = ""] = (before?.listen ?? "").split(":");
  await cloud.clock.advance(propagationMs * 0.2);
  expect(place()).toBeUndefined();
  expect(await seenBy({ host, port: Number(port), servername: "example.com" })).toEqual({ refused: "ECONNREFUSED" });
});

describe("certificates attached directly in a region", () => {
  it("are served by name, and the first of them for all other names", async () => {
    const region = "europe-west1";
    const regional = `projects/p1/locations/${region}`;
    await cloud.make("POST", `/v1/${regional}/dnsAuthorizations?dnsAuthorizationId=r`, {
      domain: "r.example.com",
      type: "PER_PROJECT_RECORD",
    });
    await publishProof(cloud, `${regional}/dnsAuthorizations/r`, "com");
    await cloud.make("POST", `/v1/${regional}/certificates?certificateId=r`, {
      managed: { domains: ["r.example.com"], dnsAuthorizations: [`${regional}/dnsAuthorizations/r`] },
    });
    const place = `/compute/v1/projects/p1/regions/${region}`;
    const scheme = { loadBalancingScheme: "EXTERNAL_MANAGED" };
    await cloud.make("POST", `${place}/backendServices`, { name: "r", ...scheme });
    await cloud.make("POST", `${place}/urlMaps`, { name: "r", defaultService: `regions/${region}/backendServices/r` });
    await cloud.make("POST", `${place}/targetHttpsProxies`, {
      name: "r",
      urlMap: `regions/${region}/urlMaps/r`,
      sslCertificates: [`//certificatemanager.googleapis.com/${regional}/certificates/r`],
    });
    await cloud.make("POST", `${place}/forwardingRules`, {
      name: "regional",
      target: `regions/${region}/targetHttpsProxies/r`,
      portRange: "443",
      ...scheme,
    });
    await cloud.clock.advance(60 * 60_000);
    expect(await cloud.handshake("regional", "r.example.com")).toEqual(answered("r.example.com"));
    expect(await cloud.handshake("regional", "example.net")).toEqual({ refused: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });
});

describe("an SSL policy", () => {
  it("with the minimum version TLS 1.3 refuses clients of TLS 1.2 when the delay has passed", async () => {
    const certificateMap = await makeMap(cloud, "versions", { "example.com": [shop] });
    await makeLoadBalancer(cloud, "versions", { certificateMap });
    await cloud.make("POST", `${base}/sslPolicies`, { name: "new", profile: "RESTRICTED", minTlsVersion: "TLS_1_3" });
    await cloud.clock.advance(propagationMs);
    const place = cloud.loadBalancers.listeners().find(({ forwardingRule }) => forwardingRule.endsWith("/versions"));
    const [host = "", port = ""] = place?.listen.split(":") ?? [];
    const seen = (maxVersion: "TLSv1.2" | "TLSv1.3") =>
      seenBy({ host, port: Number(port), servername: "example.com", maxVersion, ca: cloud.endpoints.trustBundle });
    const setPolicy = (sslPolicy: string | null) =>
      cloud.make("POST", `${base}/targetHttpsProxies/versions/setSslPolicy`, { sslPolicy });
    await setPolicy("global/sslPolicies/new");
    expect(await seen("TLSv1.2")).toEqual(answered("example.com"));
    await cloud.clock.advance(propagationMs);
    expect(await seen("TLSv1.2")).toEqual({ refused: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
    expect(await seen("TLSv1.3")).toEqual(answered("example.com"));
    await setPolicy(null);
    await cloud.clock.advance(propagationMs);
    expect(await seen("TLSv1.2")).toEqual(answered("example.com"));
  });
});
