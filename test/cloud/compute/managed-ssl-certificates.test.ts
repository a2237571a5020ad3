import { makeLoadBalancer, makeZone, startTestCloud, type TestCloud } from "../../support/cloud";

const compute = "/compute/v1/projects/p1/global";

let cloud: TestCloud;
beforeEach(async () => {
  cloud = await startTestCloud({ behavior: { operationMs: 0, propagationMs: 0 } });
  await makeZone(cloud, "z1", "example.com.");
  await cloud.make("POST", `${compute}/sslCertificates`, {
    name: "m1",
    type: "MANAGED",
    managed: { domains: ["shop.example.com", "www.example.com."] },
  });
  await makeLoadBalancer(cloud, "lb", { sslCertificates: ["global/sslCertificates/m1"] });
});
afterEach(() => cloud.stop());

const read = () => cloud.make("GET", `${compute}/sslCertificates/m1`);

async function publish(name: string, address: string): Promise<void> {
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/z1/changes", {
    additions: [{ name, type: "A", ttl: 60, rrdatas: [address] }],
  });
}

test("is PROVISIONING while a domain does not resolve to its load balancer, and names the domain", async () => {
  const { IPAddress } = await cloud.make("GET", `${compute}/forwardingRules/lb`);
  await publish("shop.example.com.", String(IPAddress));
  await publish("www.example.com.", "192.0.2.250");
  await cloud.clock.advance(60_000);
  expect(await read()).toMatchObject({
    type: "MANAGED",
    managed: {
      status: "PROVISIONING",
      domainStatus: { "shop.example.com": "ACTIVE", "www.example.com": "FAILED_NOT_VISIBLE" },
    },
  });
  await cloud.loadBalancers.settle();
  expect(await cloud.handshake("lb", "shop.example.com")).toEqual({ refused: expect.any(String) });
});

test("becomes ACTIVE when all domains resolve to it, and is presented; no answer contains its key", async () => {
  const { IPAddress } = await cloud.make("GET", `${compute}/forwardingRules/lb`);
  for (const name of ["shop.example.com.", "www.example.com."]) await publish(name, String(IPAddress));
  await cloud.clock.advance(60_000);
  const certificate = await read();
  expect(certificate).toMatchObject({
    managed: { status: "ACTIVE" },
    subjectAlternativeNames: ["shop.example.com", "www.example.com"],
    expireTime: expect.any(String),
  });
  expect(JSON.stringify(certificate)).not.toContain("PRIVATE KEY");
  await cloud.loadBalancers.settle();
  expect(await cloud.handshake("lb", "shop.example.com")).toMatchObject({ commonName: "shop.example.com" });
});
