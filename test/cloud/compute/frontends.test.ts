import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../lib/cloud/state";
import { makeCertificate } from "../../support/make-certificate";
import { base, type Compute, loadBalancer, manager, startCompute } from "./start-compute";

const { certificatePem: certificate, privateKeyPem: privateKey } = makeCertificate(["shop.example.com"]);
const { backendService, urlMap, proxy, rule } = loadBalancer;
const region = "p1/regions/europe-west1";
const mapName = (id: string) => `projects/p1/locations/global/certificateMaps/${id}`;

/** Load balancers of all kinds. */
async function build(cloud: Compute): Promise<void> {
  await cloud.make(
    backendService,
    ["p1/global/backendServices", { name: "tcp", protocol: "TCP" }],
    [`${region}/backendServices`, { name: "b1", loadBalancingScheme: "EXTERNAL_MANAGED" }],
    urlMap,
    [`${region}/urlMaps`, { name: "u1", defaultService: "regions/europe-west1/backendServices/b1" }],
    ["p1/global/sslCertificates", { name: "s1", certificate, privateKey }],
    [proxy[0], { ...proxy[1], sslCertificates: ["global/sslCertificates/s1"] }],
    [
      "p1/global/targetSslProxies",
      { name: "t1", service: "global/backendServices/tcp", sslCertificates: ["global/sslCertificates/s1"] },
    ],
    ["p1/global/targetHttpProxies", { name: "h1", urlMap: "global/urlMaps/u1" }],
    [
      `${region}/targetHttpsProxies`,
      {
        name: "x2",
        urlMap: "regions/europe-west1/urlMaps/u1",
        sslCertificates: [`${manager}/europe-west1/certificates/c1`],
      },
    ],
    rule,
    [rule[0], { ...rule[1], name: "r2", IPAddress: "2001:db8::7" }],
    [rule[0], { ...rule[1], name: "r3", portRange: "8443" }],
    [rule[0], { name: "r4", target: "global/targetSslProxies/t1", portRange: "993", IPAddress: "203.0.113.8" }],
    [rule[0], { name: "r5", target: "global/targetHttpProxies/h1", portRange: "80", IPAddress: "203.0.113.7" }],
    [
      `${region}/forwardingRules`,
      {
        name: "r6",
        target: "regions/europe-west1/targetHttpsProxies/x2",
        portRange: "443",
        IPAddress: "203.0.113.9",
        loadBalancingScheme: "EXTERNAL_MANAGED",
      },
    ],
  );
}

const x1 = {
  proxy: { link: `${base}/global/targetHttpsProxies/x1`, kind: "https" },
  certificateMap: mapName("m1"),
  certificates: [],
};
const frontends = [
  { forwardingRule: `${base}/global/forwardingRules/r1`, ipAddress: "203.0.113.7", port: 443, ...x1 },
  { forwardingRule: `${base}/global/forwardingRules/r2`, ipAddress: "2001:db8::7", port: 443, ...x1 },
  { forwardingRule: `${base}/global/forwardingRules/r3`, ipAddress: "203.0.113.7", port: 8443, ...x1 },
  {
    forwardingRule: `${base}/global/forwardingRules/r4`,
    ipAddress: "203.0.113.8",
    port: 993,
    proxy: { link: `${base}/global/targetSslProxies/t1`, kind: "ssl" },
    certificates: [{ sslCertificate: `${base}/global/sslCertificates/s1`, pem: certificate, key: privateKey }],
  },
  {
    forwardingRule: `${base}/global/forwardingRules/r5`,
    ipAddress: "203.0.113.7",
    port: 80,
    proxy: { link: `${base}/global/targetHttpProxies/h1`, kind: "http" },
    certificates: [],
  },
  {
    forwardingRule: `${base}/regions/europe-west1/forwardingRules/r6`,
    ipAddress: "203.0.113.9",
    port: 443,
    proxy: { link: `${base}/regions/europe-west1/targetHttpsProxies/x2`, kind: "https" },
    certificates: ["projects/p1/locations/europe-west1/certificates/c1"],
  },
];

describe("the frontends", () => {
  it("correspond to forwarding rules; a map has priority over attached certificates", async () => {
    await using cloud = await startCompute();
    await build(cloud);
    expect(cloud.compute.frontends()).toEqual(frontends);
  });

  it("present the attached certificates after the map is removed", async () => {
    await using cloud = await startCompute();
    await build(cloud);
    await cloud.make(["p1/global/targetHttpsProxies/x1/setCertificateMap", { certificateMap: "" }]);
    const [first] = cloud.compute.frontends();
    expect(first).not.toHaveProperty("certificateMap");
    expect(first?.certificates).toEqual([
      { sslCertificate: `${base}/global/sslCertificates/s1`, pem: certificate, key: privateKey },
    ]);
  });

  it("are the same after a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "compute-"));
    try {
      const file = join(folder, "state");
      const store = openStore(file);
      let before: Readonly<Record<string, unknown>>;
      {
        await using cloud = await startCompute({ store });
        await build(cloud);
        before = await cloud.get("p1/global/targetHttpsProxies/x1");
      }
      store.close();
      await using cloud = await startCompute({ store: openStore(file) });
      expect(cloud.compute.frontends()).toEqual(frontends);
      expect(await cloud.get("p1/global/targetHttpsProxies/x1")).toEqual(before);
      expect(await cloud.call("DELETE", "p1/global/targetHttpsProxies/x1")).toMatchObject({ status: 400 });
      await cloud.make([rule[0], { ...rule[1], name: "r7", IPAddress: undefined }]);
      const { items } = await cloud.get("p1/global/forwardingRules");
      const ids = (items as { id: string }[]).map(({ id }) => id);
      expect(new Set(ids).size).toBe(6);
      cloud.store.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the targets of a certificate map", () => {
  it("are the proxies that use it, with each address once", async () => {
    await using cloud = await startCompute();
    await build(cloud);
    await cloud.make([
      "p1/global/targetSslProxies/t1/setCertificateMap",
      { certificateMap: `${manager}/global/certificateMaps/m1` },
    ]);
    expect(cloud.compute.targetsOfMap(mapName("m1"))).toEqual([
      {
        targetHttpsProxy: "//compute.googleapis.com/projects/p1/global/targetHttpsProxies/x1",
        ipConfigs: [
          { ipAddress: "203.0.113.7", ports: [443, 8443] },
          { ipAddress: "2001:db8::7", ports: [443] },
        ],
      },
      {
        targetSslProxy: "//compute.googleapis.com/projects/p1/global/targetSslProxies/t1",
        ipConfigs: [{ ipAddress: "203.0.113.8", ports: [993] }],
      },
    ]);
    expect(cloud.compute.targetsOfMap(mapName("m2"))).toEqual([]);
  });
});

describe("the proxies of a certificate", () => {
  it("are the proxies that it is directly attached to", async () => {
    await using cloud = await startCompute();
    await build(cloud);
    const users = (location: string) => cloud.compute.proxiesUsing(`projects/p1/locations/${location}/certificates/c1`);
    expect(users("europe-west1")).toEqual([`${base}/regions/europe-west1/targetHttpsProxies/x2`]);
    expect(users("us-east1")).toEqual([]);
  });
});
