import { Resolver } from "node:dns/promises";
import fc from "fast-check";
import type { FaultPlan } from "../../../lib/cloud";
import { Faults } from "../../../lib/cloud/faults";
import { seededRandom } from "../../../lib/cloud/faults/faults";
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
  resolver = resolverWaiting(20_000);
  await makeZone(cloud, "com", "example.com.");
  const record = { name: "a.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.1"] };
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/com/rrsets", record);
  await cloud.clock.advance(1_000);
});
afterAll(() => cloud.stop());
afterEach(() => cloud.faults.set({}));

function resolverWaiting(timeout: number): Resolver {
  const made = new Resolver({ tries: 1, timeout });
  made.setServers([cloud.endpoints.dns]);
  return made;
}

const maps = `/v1/${parent}/certificateMaps`;
const statuses = async (count: number, path = maps) => {
  const seen: number[] = [];
  for (let index = 0; index < count; index++) seen.push((await cloud.call("GET", path)).status);
  return seen;
};

it("a fault of requests refuses the named methods, as often as configured", async () => {
  cloud.faults.set({ requests: [{ method: "certificatemanager.*.list", status: "UNAVAILABLE", times: 2 }] });
  expect(await statuses(3)).toEqual([503, 503, 200]);
  expect((await cloud.call("GET", `${maps}/none`)).status).toBe(404);
  expect(cloud.faults.counts()).toEqual([
    { list: "requests", fault: { method: "certificatemanager.*.list", status: "UNAVAILABLE", times: 2 }, count: 2 },
  ]);
});

it("a fault of requests prevents every change by the refused request", async () => {
  cloud.faults.set({ requests: [{ method: "*create", status: "INTERNAL" }] });
  expect((await cloud.call("POST", `${maps}?certificateMapId=never`, {})).status).toBe(500);
  cloud.faults.set({});
  expect((await cloud.call("GET", `${maps}/never`)).status).toBe(404);
});

it("a fault of requests affects the same requests in every run with the same seed, and others with another seed", async () => {
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

it("a fault of requests affects requests for a resource alike, whatever other requests come between them", async () => {
  const run = async (others: number) => {
    cloud.faults.set({ seed: 4, requests: [{ method: "*", status: "UNAVAILABLE", probability: 0.5 }] });
    const seen: number[] = [];
    for (let index = 0; index < 12; index++) {
      await statuses(others, `${maps}/other`);
      seen.push(...(await statuses(1, `${maps}/one`)));
    }
    return seen.join();
  };
  const alone = await run(0);
  expect(alone).toMatch(/503.*404|404.*503/);
  expect(await run(3)).toBe(alone);
});

it("a fault of requests delays answers by the machine's clock", async () => {
  cloud.faults.set({ requests: [{ method: "*", delayMs: 60, times: 1 }] });
  const startedAt = performance.now();
  expect(await statuses(1)).toEqual([200]);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
});

it("a fault of requests closes the connection", async () => {
  cloud.faults.set({ requests: [{ method: "*", cut: true, times: 1 }] });
  await expect(cloud.call("GET", maps)).rejects.toThrow("fetch failed");
  expect(await statuses(1)).toEqual([200]);
});

it("a fault of requests limits the requests in a minute of the cloud's time", async () => {
  cloud.faults.set({ requestsPerMinute: 3 });
  expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
  await cloud.clock.advance(60_000);
  expect(await statuses(1)).toEqual([200]);
});

describe("a fault of operations", () => {
  it("lets an operation begin and fail, without any change", async () => {
    cloud.faults.set({ operations: [{ method: "certificatemanager.*.certificateMaps.create", message: "no luck" }] });
    const { name } = await cloud.make("POST", `${maps}?certificateMapId=unlucky`, {});
    await cloud.clock.advance(1_000);
    expect(await cloud.make("GET", `/v1/${String(name)}`)).toMatchObject({
      done: true,
      error: { code: 13, message: "no luck" },
    });
    expect((await cloud.call("GET", `${maps}/unlucky`)).status).toBe(404);
  });

  it("fails an operation of Compute Engine, and a change of Cloud DNS", async () => {
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
  ])("answers with %s", async (_what, fault, seen) => {
    cloud.faults.set({ dns: [{ name: "*.example.com", type: "A", ...fault }] } as FaultPlan);
    const asking = "drop" in fault ? resolverWaiting(50) : resolver;
    await expect(asking.resolve4("a.example.com")).rejects.toMatchObject(seen);
    expect(await resolver.resolveNs("example.com")).toHaveLength(4);
  });

  it("answers with wrong data, as often as configured", async () => {
    cloud.faults.set({ dns: [{ name: "A.EXAMPLE.COM.", rrdatas: ["192.0.2.99"], times: 1 }] });
    expect(await resolver.resolve4("a.example.com")).toEqual(["192.0.2.99"]);
    expect(await resolver.resolve4("a.example.com")).toEqual(["192.0.2.1"]);
  });

  it("truncates an answer over UDP, and not over TCP", async () => {
    cloud.faults.set({ dns: [{ name: "a.example.com", truncate: true }] });
    expect(await resolver.resolve4("a.example.com")).toEqual(["192.0.2.1"]);
    expect(cloud.faults.counts()[0]?.count).toBeGreaterThanOrEqual(2);
  });

  it("delays an answer", async () => {
    cloud.faults.set({ dns: [{ name: "a.example.com", delayMs: 60 }] });
    const startedAt = performance.now();
    await resolver.resolve4("a.example.com");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
  });

  it("prevents the issuance of a certificate until it ends", async () => {
    cloud.faults.set({ dns: [{ name: "_acme-challenge.dns.example.com", rcode: "SERVFAIL" }] });
    await expect(makeActiveCertificate(cloud, "dns", "com", ["dns.example.com"])).rejects.toThrow("PROVISIONING");
    cloud.faults.set({});
    await cloud.clock.advance(60 * 60_000);
    expect(await cloud.make("GET", `/v1/${parent}/certificates/dns`)).toMatchObject({ managed: { state: "ACTIVE" } });
  });
});

describe("a fault of issuance", () => {
  test.each(["CONFIG", "CAA", "RATE_LIMITED"])(
    "fails an authorization with %s, and the certificate after its time limit",
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
  it("delays changes on their way to load balancers", async () => {
    const shop = await makeActiveCertificate(cloud, "slow", "com", ["slow.example.com"]);
    const certificateMap = await makeMap(cloud, "slow", { "slow.example.com": [shop] });
    cloud.faults.set({ propagationMs: 3_600_000 });
    await cloud.clock.advance(10_000);
    await makeLoadBalancer(cloud, "slow", { certificateMap });
    await cloud.clock.advance(3_000_000);
    expect(cloud.loadBalancers.listeners()).toEqual([]);
    await cloud.clock.advance(600_000);
    expect(await cloud.handshake("slow", "slow.example.com")).toMatchObject({ commonName: "slow.example.com" });
  });
});

describe("names in a fault plan", () => {
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
  ])("%s affects %s: %s", (pattern, method, isAffected) => {
    faults.set({ requests: [{ method: pattern, status: "INTERNAL" }] });
    expect(faults.ofRequest(method) !== undefined).toBe(isAffected);
  });

  it("that are exhausted do not change the decisions for the others", () => {
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

const half = { probability: 0.5 };
const plan: FaultPlan = {
  seed: 11,
  requests: [{ method: "*", status: "ABORTED", ...half }],
  operations: [{ method: "*", ...half }],
  dns: [{ name: "*", rcode: "SERVFAIL", ...half }],
  issuance: [{ domain: "*", failureReason: "CONFIG", ...half }],
};
type Occasion = readonly [name: string, isAffectedBy: (faults: Faults) => boolean];
const names = Array.from({ length: 6 }, (_, index) => `n${index}.example`);
const occasions: readonly Occasion[] = names.flatMap((name): Occasion[] => [
  [`A ${name}`, (faults) => faults.ofAnswer({ name: `${name}.`, type: "A", class: "IN" }) !== undefined],
  [
    `TXT ${name}`,
    (faults) => faults.ofAnswer({ name: `${name.toUpperCase()}.`, type: "TXT", class: "IN" }) !== undefined,
  ],
  [`domain ${name}`, (faults) => faults.ofDomain(name) !== undefined],
  [`get ${name}`, (faults) => faults.ofRequest("a.get", { target: `/v1/a/${name}?alt=json`, body: "" }) !== undefined],
  [
    `list ${name}`,
    (faults) => faults.ofRequest("a.list", { target: `/v1/a?name=${name}&type=A&alt=json`, body: "" }) !== undefined,
  ],
  [
    `create ${name}`,
    (faults) => faults.ofRequest("a.create", { target: `/v1/a?aId=${name}`, body: "{}" }) !== undefined,
  ],
  [
    `insert ${name}`,
    (faults) => faults.ofRequest("a.insert", { target: "/v1/a", body: `{"name":"${name}"}` }) !== undefined,
  ],
  [`call ${name}`, (faults) => faults.ofOperation("a.patch", { parameters: { name }, body: {} }) !== undefined],
]);

/** Returns a character for each call of an occasion: `x` for a fault, otherwise `.`. */
function run(order: readonly Occasion[], seed = 11): Readonly<Record<string, string>> {
  const faults = new Faults(cloudless(), { ...plan, seed });
  const seen = new Map<string, string>();
  for (const [name, isAffectedBy] of order)
    seen.set(name, `${seen.get(name) ?? ""}${isAffectedBy(faults) ? "x" : "."}`);
  return Object.fromEntries([...seen].sort());
}
const thrice = [...occasions, ...occasions, ...occasions];

describe("faults with a probability", () => {
  it("are the same in any order of the requests", () => {
    const expected = run(thrice);
    expect(new Set(Object.values(expected)).size).toBeGreaterThan(4);
    fc.assert(
      fc.property(fc.shuffledSubarray([...thrice], { minLength: thrice.length }), (order) => {
        expect(run(order)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("differ with another seed, for each time and for each name", () => {
    expect(run(thrice, 12)).not.toEqual(run(thrice));
    const [first, ...others] = names.map((name) => run(thrice)[`A ${name}`]);
    expect(others.some((other) => other !== first)).toBe(true);
  });

  it("take effect as often as the probability", () => {
    for (const probability of [0.1, 0.5, 0.9]) {
      const faults = new Faults(cloudless(), { seed: 3, dns: [{ name: "*", rcode: "SERVFAIL", probability }] });
      const asked = Array.from({ length: 4_000 }, (_, index) => ({ name: `n${index % 400}.`, type: "A", class: "IN" }));
      const affected = asked.filter((question) => faults.ofAnswer(question) !== undefined).length;
      expect(Math.abs(affected / asked.length - probability)).toBeLessThan(0.03);
    }
  });

  it("match an operation by its place, because the cloud generates its name", () => {
    const poll = (id: string): Occasion => [
      "poll",
      (faults) => faults.ofRequest("o.get", { target: `/v1/p/operations/${id}`, body: "" }) !== undefined,
    ];
    const five = ["a", "b", "c", "d", "e"];
    expect(run(five.map(poll))).toEqual(run(five.map(() => poll("z"))));
  });
});

describe("a run with the same seed", () => {
  /** Returns the authorization states of several certificates whose look-ups run concurrently. */
  async function states(): Promise<string> {
    const dns = [
      { name: "*", probability: 0.3, delayMs: 5 },
      { name: "*d*.example.com", probability: 0.3, rcode: "SERVFAIL" },
    ];
    await using fresh = await startTestCloud({ behavior: { faults: { seed: 7, dns } } });
    await makeZone(fresh, "com", "example.com.");
    const additions: object[] = [];
    const ids = ["c0", "c1", "c2", "c3"];
    for (const id of ids) {
      const domains = Array.from({ length: 6 }, (_, index) => `d${index}.${id}.example.com`);
      const dnsAuthorizations: string[] = [];
      for (const domain of domains) {
        const name = `${parent}/dnsAuthorizations/${domain.replaceAll(".", "-")}`;
        dnsAuthorizations.push(name);
        await fresh.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=${name.split("/")[5]}`, {
          domain,
        });
        const made = (await fresh.make("GET", `/v1/${name}`)) as { dnsResourceRecord?: { name: string; data: string } };
        additions.push({
          name: made.dnsResourceRecord?.name,
          type: "CNAME",
          ttl: 60,
          rrdatas: [made.dnsResourceRecord?.data],
        });
      }
      const managed = { domains, dnsAuthorizations };
      await fresh.make("POST", `/v1/${parent}/certificates?certificateId=${id}`, { managed });
    }
    await fresh.make("POST", "/dns/v1/projects/p1/managedZones/com/changes", { additions });
    await fresh.clock.advance(60_000);
    const outcomes: string[] = [];
    for (const id of ids) {
      const { managed } = (await fresh.make("GET", `/v1/${parent}/certificates/${id}`)) as {
        managed?: { authorizationAttemptInfo: readonly { state: string; failureReason?: string }[] };
      };
      outcomes.push(
        ...(managed?.authorizationAttemptInfo ?? []).map(({ state, failureReason }) => failureReason ?? state),
      );
    }
    return outcomes.join(" ");
  }

  it("is the same run, even if slow answers overtake each other", async () => {
    const first = await states();
    expect(new Set(first.split(" "))).toEqual(new Set(["AUTHORIZED", "CONFIG", "CAA"]));
    expect(await states()).toBe(first);
  });
});

function cloudless() {
  return { now: () => new Date(0), after: () => () => undefined };
}

test("random numbers are the same for the same seed, at least 0 and below 1, and evenly distributed", () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 1_000 }, random);
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(draw(3).every((number) => number >= 0 && number < 1)).toBe(true);
  expect(draw(3).reduce((sum, number) => sum + number, 0) / 1_000).toBeCloseTo(0.5, 1);
});
