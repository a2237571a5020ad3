import { connect } from "node:tls";
import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  parent,
  startTestCloud,
  type TestCloud,
} from "../../support/cloud";
import { makeCertificate } from "../../support/make-certificate";

const propagationMs = 5_000;

/** A cloud with an active certificate for example.com. */
async function startWithCertificate(change: Parameters<typeof startTestCloud>[0] = {}) {
  const cloud = await startTestCloud({ behavior: { propagationMs }, ...change });
  await makeZone(cloud, "com", "example.com.");
  await makeActiveCertificate(cloud, "shop", "com", ["example.com"]);
  return cloud;
}

const shop = `${parent}/certificates/shop`;
const rules = (cloud: TestCloud) =>
  cloud.loadBalancers.listeners().map(({ forwardingRule }) => forwardingRule.split("/").at(-1));
const setDelay = (cloud: TestCloud, ms: number) => cloud.make("PUT", "/_cloud/faults", { propagationMs: ms });
const stateOf = async (cloud: TestCloud, map: string) =>
  (await cloud.make("GET", `/v1/${parent}/certificateMaps/${map}/certificateMapEntries/e0`)).state;
const seesCommonName = (commonName: string) => expect.objectContaining({ commonName });

describe("a change in progress", () => {
  it("is discarded by a reset", async () => {
    await using cloud = await startWithCertificate();
    await makeLoadBalancer(cloud, "f1", { certificateMap: await makeMap(cloud, "m", { "example.com": [shop] }) });
    await cloud.clock.advance(1_000);
    await cloud.reset();
    await cloud.clock.advance(propagationMs * 2);
    expect(rules(cloud)).toEqual([]);
  });

  it("reverts nothing that was settled in the meantime", async () => {
    await using cloud = await startWithCertificate();
    const certificateMap = await makeMap(cloud, "m", { "example.com": [shop] });
    await makeLoadBalancer(cloud, "f1", { certificateMap });
    await cloud.clock.advance(1_000);
    await makeLoadBalancer(cloud, "f2", { certificateMap });
    await cloud.loadBalancers.settle();
    for (const ms of [0, 4_000, 6_000]) {
      await cloud.clock.advance(ms);
      expect(rules(cloud)).toEqual(["f1", "f2"]);
    }
  });

  it("is overtaken by a later change after the delay was shortened, and reverts nothing when it arrives", async () => {
    await using cloud = await startWithCertificate();
    const certificateMap = await makeMap(cloud, "m", { "example.com": [shop] });
    await cloud.clock.advance(propagationMs);
    await setDelay(cloud, 600_000);
    await makeLoadBalancer(cloud, "f1", { certificateMap });
    await setDelay(cloud, 1_000);
    await makeLoadBalancer(cloud, "f2", { certificateMap });
    for (const ms of [2_000, 600_000]) {
      await cloud.clock.advance(ms);
      expect(rules(cloud)).toEqual(["f1", "f2"]);
    }
  });
});

describe("an entry", () => {
  it("is ACTIVE exactly when load balancers serve it, whatever the delay", async () => {
    await using cloud = await startWithCertificate();
    await setDelay(cloud, 600_000);
    await makeLoadBalancer(cloud, "f", { certificateMap: await makeMap(cloud, "m", { "example.com": [shop] }) });
    await cloud.clock.advance(599_000);
    expect(await stateOf(cloud, "m")).toBe("PENDING");
    await cloud.clock.advance(1_000);
    expect(await stateOf(cloud, "m")).toBe("ACTIVE");
    expect(await cloud.handshake("f", "example.com")).toEqual(seesCommonName("example.com"));
  });

  it("is PENDING while the first issue of its certificate is in progress, and ACTIVE through renewals", async () => {
    await using cloud = await startWithCertificate();
    await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=m`, {});
    await cloud.make("POST", `/v1/${parent}/certificates?certificateId=second`, {
      managed: { domains: ["example.com"], dnsAuthorizations: [`${parent}/dnsAuthorizations/example-com`] },
    });
    await cloud.make("POST", `/v1/${parent}/certificateMaps/m/certificateMapEntries?certificateMapEntryId=e0`, {
      hostname: "example.com",
      certificates: [`${parent}/certificates/second`],
    });
    await cloud.clock.advance(5_001);
    const { managed } = (await cloud.make("GET", `/v1/${parent}/certificates/second`)) as { managed?: object };
    expect([managed, await stateOf(cloud, "m")]).toMatchObject([{ state: "ACTIVE" }, "PENDING"]);
    await cloud.clock.advance(propagationMs);
    expect(await stateOf(cloud, "m")).toBe("ACTIVE");
    for (let day = 0; day < 100; day++) {
      await cloud.clock.advance(86_400_000);
      expect(await stateOf(cloud, "m")).toBe("ACTIVE");
    }
  });
});

describe("a certificate", () => {
  it("that is replaced in place propagates like any other change", async () => {
    await using cloud = await startTestCloud({ behavior: { propagationMs } });
    const upload = (names: readonly string[]) => {
      const { certificatePem, privateKeyPem } = makeCertificate(names);
      return { selfManaged: { pemCertificate: certificatePem, pemPrivateKey: privateKeyPem } };
    };
    await cloud.make("POST", `/v1/${parent}/certificates?certificateId=own`, upload(["example.com"]));
    const certificateMap = await makeMap(cloud, "m", { "example.com": [`${parent}/certificates/own`] });
    await makeLoadBalancer(cloud, "f", { certificateMap });
    await cloud.clock.advance(propagationMs);
    const before = await fingerprint(cloud);
    await cloud.make(
      "PATCH",
      `/v1/${parent}/certificates/own?updateMask=selfManaged`,
      upload(["example.com", "a.example.com"]),
    );
    expect(await fingerprint(cloud)).toBe(before);
    await cloud.clock.advance(propagationMs);
    expect(await fingerprint(cloud)).not.toBe(before);
  });

  it("that was deleted is removed at once if the cloud is settled", async () => {
    await using cloud = await startWithCertificate({ behavior: { deletedCertificates: "gone at once" } });
    const second = await makeActiveCertificate(cloud, "second", "com", ["example.com"]);
    const certificateMap = await makeMap(cloud, "m", { "example.com": [shop] });
    await makeLoadBalancer(cloud, "f", { certificateMap });
    await cloud.clock.advance(propagationMs);
    const entry = `/v1/${parent}/certificateMaps/m/certificateMapEntries/e0`;
    await cloud.make("PATCH", `${entry}?updateMask=certificates`, { certificates: [second] });
    await cloud.make("DELETE", `/v1/${shop}`);
    expect(await cloud.handshake("f", "example.com")).toEqual({ refused: expect.any(String) });
    await cloud.clock.advance(propagationMs);
    expect(await cloud.handshake("f", "example.com")).toEqual(seesCommonName("example.com"));
  });
});

describe("a forwarding rule to a target HTTP proxy", () => {
  it("has a listener for HTTP", async () => {
    await using cloud = await startTestCloud({ behavior: { propagationMs } });
    const base = "/compute/v1/projects/p1/global";
    await cloud.make("POST", `${base}/urlMaps`, {
      name: "redirect",
      defaultUrlRedirect: { httpsRedirect: true, stripQuery: false },
    });
    await cloud.make("POST", `${base}/targetHttpProxies`, { name: "plain", urlMap: "global/urlMaps/redirect" });
    await cloud.make("POST", `${base}/forwardingRules`, {
      name: "plain",
      target: "global/targetHttpProxies/plain",
      loadBalancingScheme: "EXTERNAL_MANAGED",
      portRange: "80",
    });
    await cloud.clock.advance(propagationMs);
    const [listener] = cloud.loadBalancers.listeners();
    expect(listener).toMatchObject({ port: 80, protocol: "http" });
    const answer = await fetch(`http://${listener?.listen}/x`);
    expect(await answer.json()).toEqual({ forwardingRule: listener?.forwardingRule, method: "GET", url: "/x" });
  });
});

async function fingerprint(cloud: TestCloud): Promise<string> {
  const place = cloud.loadBalancers.listeners().find(({ forwardingRule }) => forwardingRule.endsWith("/f"));
  const [host = "", port = ""] = place?.listen.split(":") ?? [];
  return new Promise((resolve, reject) => {
    const options = { host, port: Number(port), servername: "example.com", rejectUnauthorized: false };
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.end();
    });
    socket.once("error", reject);
  });
}

test("a changed configuration is reported when it reaches the front ends, with the certificates for a hostname", async () => {
  const changes: (readonly string[])[] = [];
  const certificatesOf = (names: readonly string[]) => names.map((name) => name.split("/").at(-1) ?? "");
  await using cloud = await startWithCertificate({
    observers: { onFrontEnds: ({ certificatesFor }) => changes.push(certificatesOf(certificatesFor("example.com"))) },
  });
  const before = changes.length;
  await makeLoadBalancer(cloud, "f1", { certificateMap: await makeMap(cloud, "m", { "example.com": [shop] }) });
  expect(changes.slice(before).flat()).toEqual([]);
  await cloud.clock.advance(propagationMs * 2);
  expect(changes.at(-1)).toEqual(["shop"]);
});
