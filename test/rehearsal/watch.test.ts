import type { Handshake } from "../../lib/live/verify";
import { watchMove } from "../../lib/rehearsal/watch";
import { startTestCloud, type TestCloud } from "../support/cloud";

const hostname = "www.example.com";
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ behavior: { operationMs: 0 } });
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones", {
    name: "com",
    dnsName: "example.com.",
    description: "",
  });
  const record = { name: `${hostname}.`, type: "A", ttl: 60, rrdatas: ["203.0.113.7"] };
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/com/changes", { additions: [record] });
  await cloud.clock.advance(1_000);
});
afterAll(() => cloud.stop());

const good = { ok: true } as Handshake;
const untrusted: Handshake = { ok: false, code: "untrusted-chain", detail: "not one of ours" };

function watch(newAddress: string, handshake: Handshake, stopAfter = Number.POSITIVE_INFINITY) {
  const stopping = new AbortController();
  let shaken = 0;
  return watchMove({
    hostnames: [hostname],
    nameServer: cloud.endpoints.dns,
    loadBalancerAddresses: [newAddress],
    shakeHands: async () => {
      shaken += 1;
      if (shaken > stopAfter) stopping.abort();
      return handshake;
    },
    concurrency: 8,
    signal: stopping.signal,
  });
}

test("reports stable traffic after the load balancer has served it for a while", async () => {
  const summary = await watch("203.0.113.7", good);
  expect(summary).toMatchObject({ verdict: "good", failures: 0 });
  expect(summary.seconds).toBeGreaterThanOrEqual(1);
});

test.each<[string, string, Handshake, string]>([
  ["is not served there", "203.0.113.7", untrusted, "failures"],
  ["leads elsewhere", "203.0.113.99", good, "not-moved"],
])("does not report stable traffic if it %s", async (_, newAddress, handshake, verdict) => {
  expect((await watch(newAddress, handshake, 2)).verdict).toBe(verdict);
});
