import { Resolver } from "node:dns/promises";
import type { FaultPlan } from "../../../lib/cloud";
import { Faults } from "../../../lib/cloud/faults";
import { seededRandom } from "../../../lib/cloud/faults/random";
import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  parent,
  startTestCloud,
  type TestCloud,
} from "../../support/cloud";

let cloud: TestCloud;
let resolver: Resolver;
beforeAll(async () => {
  cloud = await startTestCloud();
  resolver = new Resolver({ tries: 1, timeout: 200 });
  resolver.setServers([cloud.endpoints.dns]);
  await makeZone(cloud, "com", "example.com.");
  const record = { name: "a.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.1"] };
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/com/rrsets", record);
  await cloud.clock.advance(1_000);
});
afterAll(() => cloud.stop());
afterEach(() => cloud.faults.set({}));

const maps = `/v1/${parent}/certificateMaps`;
const statuses = async (count: number, path = maps) => {
  const seen: number[] = [];
  for (let index = 0; index < count; index++) seen.push((await cloud.call("GET", path)).status);
  return seen;
};

describe("a fault of requests", () => {
  it("refuses the methods that it names, as often as it says", async () => {
    cloud.faults.set({ requests: [{ method: "certificatemanager.*.list", status: "UNAVAILABLE", times: 2 }] });
    expect(await statuses(3)).toEqual([503, 503, 200]);
    expect((await cloud.call("GET", `${maps}/none`)).status).toBe(404);
    expect(cloud.faults.counts()).toEqual([
      { list: "requests", fault: { method: "certificatemanager.*.list", status: "UNAVAILABLE", times: 2 }, count: 2 },
    ]);
  });

  it("changes nothing where it strikes", async () => {
    cloud.faults.set({ requests: [{ method: "*create", status: "INTERNAL" }] });
    expect((await cloud.call("POST", `${maps}?certificateMapId=never`, {})).status).toBe(500);
    cloud.faults.set({});
    expect((await cloud.call("GET", `${maps}/never`)).status).toBe(404);
  });

  it("strikes the same requests in every run with the same seed, and others with another", async () => {
    const run = async (seed: number) => {
      cloud.faults.set({ seed, requests: [{ method: "*", status: "UNAVAILABLE", probability: 0.5 }] });
      return (await statuses(30)).join();
    };
    const first = await run(42);
    expect(first).toContain("503");
    expect(first).toContain("200");
    expect(await run(42)).toBe(first);
    expect(await run(43)).not.toBe(first);
  });

  it("makes answers late by the machine's clock", async () => {
    cloud.faults.set({ requests: [{ method: "*", delayMs: 60, times: 1 }] });
    const startedAt = performance.now();
    expect(await statuses(1)).toEqual([200]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
  });

  it("cuts the connection", async () => {
    cloud.faults.set({ requests: [{ method: "*", cut: true, times: 1 }] });
    await expect(cloud.call("GET", maps)).rejects.toThrow("fetch failed");
    expect(await statuses(1)).toEqual([200]);
  });

  it("allows so many in a minute of the cloud's time", async () => {
    cloud.faults.set({ requestsPerMinute: 3 });
    expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
    await cloud.clock.advance(60_000);
    expect(await statuses(1)).toEqual([200]);
  });
});

describe("a fault of operations", () => {
  it("lets an operation begin and fail, and nothing has changed", async () => {
    cloud.faults.set({ operations: [{ method: "certificatemanager.*.certificateMaps.create", message: "no luck" }] });
    const { name } = await cloud.make("POST", `${maps}?certificateMapId=unlucky`, {});
    await cloud.clock.advance(1_000);
    expect(await cloud.make("GET", `/v1/${String(name)}`)).toMatchObject({
      done: true,
      error: { code: 13, message: "no luck" },
    });
    expect((await cloud.call("GET", `${maps}/unlucky`)).status).toBe(404);
  });

  it("fails an operation of Compute, and a change of DNS", async () => {
    cloud.faults.set({ operations: [{ method: "*" }] });
    const { name } = await cloud.make("POST", "/compute/v1/projects/p1/global/addresses", { name: "unlucky" });
    await cloud.clock.advance(1_000);
    expect(await cloud.make("GET", `/compute/v1/projects/p1/global/operations/${String(name)}`)).toMatchObject({
      status: "DONE",
      httpErrorStatusCode: 500,
      error: { errors: [{ message: "the operation failed, as the fault plan wants it" }] },
    });
    expect((await cloud.call("GET", "/compute/v1/projects/p1/global/addresses/unlucky")).status).toBe(404);
    const record = { name: "b.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.1"] };
    expect((await cloud.call("POST", "/dns/v1/projects/p1/managedZones/com/rrsets", record)).status).toBe(500);
    expect((await cloud.call("GET", "/dns/v1/projects/p1/managedZones/com/rrsets/b.example.com./A")).status).toBe(404);
  });
});

describe("a fault of DNS", () => {
  test.each<[what: string, fault: object, seen: object]>([
    ["SERVFAIL", { rcode: "SERVFAIL" }, { code: "ESERVFAIL" }],
    ["NXDOMAIN", { rcode: "NXDOMAIN" }, { code: "ENOTFOUND" }],
    ["REFUSED", { rcode: "REFUSED" }, { code: "EREFUSED" }],
    ["no answer", { drop: true }, { code: "ETIMEOUT" }],
    ["records that vanish", { rrdatas: [] }, { code: "ENODATA" }],
  ])("is %s", async (_what, fault, seen) => {
    cloud.faults.set({ dns: [{ name: "*.example.com", type: "A", ...fault }] } as FaultPlan);
    await expect(resolver.resolve4("a.example.com")).rejects.toMatchObject(seen);
    expect(await resolver.resolveNs("example.com")).toHaveLength(4);
  });

  it("is data that are wrong, as often as it says", async () => {
    cloud.faults.set({ dns: [{ name: "A.EXAMPLE.COM.", rrdatas: ["192.0.2.99"], times: 1 }] });
    expect(await resolver.resolve4("a.example.com")).toEqual(["192.0.2.99"]);
    expect(await resolver.resolve4("a.example.com")).toEqual(["192.0.2.1"]);
  });

  it("is an answer that is cut short over UDP, and whole over TCP", async () => {
    cloud.faults.set({ dns: [{ name: "a.example.com", truncate: true }] });
    expect(await resolver.resolve4("a.example.com")).toEqual(["192.0.2.1"]);
    expect(cloud.faults.counts()[0]?.count).toBeGreaterThanOrEqual(2);
  });

  it("is an answer that comes late", async () => {
    cloud.faults.set({ dns: [{ name: "a.example.com", delayMs: 60 }] });
    const startedAt = performance.now();
    await resolver.resolve4("a.example.com");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
  });

  it("keeps a certificate from being issued, until it is over", async () => {
    cloud.faults.set({ dns: [{ name: "_acme-challenge.dns.example.com", rcode: "SERVFAIL" }] });
    await expect(makeActiveCertificate(cloud, "dns", "com", ["dns.example.com"])).rejects.toThrow("PROVISIONING");
    cloud.faults.set({});
    await cloud.clock.advance(60 * 60_000);
    expect(await cloud.make("GET", `/v1/${parent}/certificates/dns`)).toMatchObject({ managed: { state: "ACTIVE" } });
  });
});

describe("a fault of issuance", () => {
  test.each(["CONFIG", "CAA", "RATE_LIMITED"])(
    "makes a proof fail for %s, and the certificate with it in time",
    async (failureReason) => {
      const domain = `${failureReason.toLowerCase().replace("_", "-")}.example.com`;
      cloud.faults.set({ issuance: [{ domain, failureReason, details: "so it is" }] });
      const id = `i-${failureReason.toLowerCase().replace("_", "-")}`;
      await expect(makeActiveCertificate(cloud, id, "com", [domain])).rejects.toThrow("PROVISIONING");
      await cloud.clock.advance(3 * 60 * 60_000);
      expect(await cloud.make("GET", `/v1/${parent}/certificates/${id}`)).toMatchObject({
        managed: {
          state: "FAILED",
          authorizationAttemptInfo: [{ domain, state: "FAILED", failureReason, details: "so it is" }],
        },
      });
    },
  );
});

describe("a fault of propagation", () => {
  it("makes changes take longer on their way to load balancers", async () => {
    const shop = await makeActiveCertificate(cloud, "slow", "com", ["slow.example.com"]);
    const certificateMap = await makeMap(cloud, "slow", { "slow.example.com": [shop] });
    cloud.faults.set({ propagationMs: 3_600_000 });
    await cloud.clock.advance(10_000);
    await makeLoadBalancer(cloud, "slow", { certificateMap });
    await cloud.clock.advance(3_000_000);
    expect(cloud.listeners()).toEqual([]);
    await cloud.clock.advance(600_000);
    expect(await cloud.handshake("slow", "slow.example.com")).toMatchObject({ commonName: "slow.example.com" });
  });
});

describe("names in a plan", () => {
  const faults = new Faults(cloudless());
  test.each([
    ["dns.changes.create", "dns.changes.create", true],
    ["DNS.Changes.Create", "dns.changes.create", true],
    ["dns.*", "dns.changes.create", true],
    ["*.create", "dns.changes.create", true],
    ["dns.*.create", "dns.changes.create", true],
    ["*changes*", "dns.changes.create", true],
    ["*", "", true],
    ["dns.changes", "dns.changes.create", false],
    ["*changes", "dns.changes.create", false],
    ["dns.changes*changes.create", "dns.changes.create", false],
    ["a*b*a", "aba", true],
    ["a*b*ba", "aba", false],
  ])("%s strikes %s: %s", (pattern, method, strikes) => {
    faults.set({ requests: [{ method: pattern, status: "INTERNAL" }] });
    expect(faults.ofRequest(method) !== undefined).toBe(strikes);
  });

  it("that are used up don't move where the others strike", () => {
    const run = (times: number) => {
      faults.set({
        seed: 5,
        requests: [
          { method: "a", status: "ABORTED", probability: 0.5, times },
          { method: "*", status: "INTERNAL", probability: 0.5 },
        ],
      });
      for (let index = 0; index < 20; index++) faults.ofRequest("a");
      return Array.from({ length: 20 }, () => (faults.ofRequest("b") === undefined ? "." : "x")).join("");
    };
    expect([run(5), run(20)]).toEqual([run(0), run(0)]);
    expect(run(0)).toMatch(/\.x|x\./);
  });
});

function cloudless() {
  return { now: () => new Date(0), after: () => () => undefined };
}

test("random numbers are the same for the same seed, from 0 up to 1, and spread", () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 1_000 }, random);
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(draw(3).every((number) => number >= 0 && number < 1)).toBe(true);
  expect(draw(3).reduce((sum, number) => sum + number, 0) / 1_000).toBeCloseTo(0.5, 1);
});
