import { makeClientIdentity } from "../../lib/cloud";
import type { Resolution } from "../../lib/dns";
import { type PreviousProviderServer, startPreviousProvider } from "../../lib/rehearsal/previous-provider";
import type { Probe } from "../../lib/rehearsal/probe";
import { type DnsAnswer, Prober, type ProberOptions, type Route } from "../../lib/rehearsal/prober";
import { asksClient, authority, issue, serve, serveOpenssl, wantsClient } from "../support/defect-servers";
import type { TestServer } from "../support/tls-servers";

let side: PreviousProviderServer;
let stranger: PreviousProviderServer;
beforeAll(async () => {
  [side, stranger] = await Promise.all([
    startPreviousProvider(["a.example.com", "b.example.com"]),
    startPreviousProvider(["a.example.com"]),
  ]);
});
afterAll(() => Promise.all([side.close(), stranger.close()]));

const records: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "a.example.com": { A: ["198.51.100.1"], AAAA: ["2001:db8::1"] },
  "b.example.com": { A: ["203.0.113.7"] },
  "moving.example.com": { A: ["203.0.113.7"], AAAA: ["2001:db8::1"] },
  "stranger.example.com": { A: ["198.51.100.1"] },
  "nowhere.example.com": { A: ["192.0.2.1"] },
};

/** Routes all addresses to one listener; the address determines the side. */
const route: Route = (address) =>
  address === "192.0.2.1"
    ? undefined
    : {
        host: side.endpoint.address,
        port: side.endpoint.port,
        side: address === "203.0.113.7" ? "loadBalancer" : "previous",
      };

function resolverOf(asked: string[] = []): ProberOptions["resolver"] {
  return {
    resolve: async (name, type) => {
      asked.push(`${name} ${type}`);
      if (name === "broken.example.com") {
        return { ok: false, detail: "SERVFAIL", chain: [] };
      }
      const found = (records[name]?.[type] ?? []).map((data) => ({ name, type, ttlSeconds: 60, data }));
      return { ok: true, exists: true, records: found, chain: [] };
    },
  };
}

/** Probes until every hostname was probed at each of its addresses. */
async function probe(hostnames: readonly string[], change: Partial<ProberOptions> = {}) {
  const probes: Probe[] = [];
  const prober = new Prober({
    hostnames,
    resolver: resolverOf(),
    route,
    trusted: [side.trustBundlePem],
    now: () => new Date("2026-11-21T00:00:00Z"),
    ...change,
    pace: { pauseMs: 0, ...change.pace },
    observers: { onProbe: (made) => probes.push(made), ...change.observers },
  });
  prober.start();
  await prober.everyHostname();
  await prober.stop();
  return { prober, probes };
}

test("probes every hostname, and reports which side answered", async () => {
  const { prober, probes } = await probe(["a.example.com", "b.example.com"]);
  const { probes: count, failed, previous, loadBalancer } = prober.count();
  expect(failed).toBe(0);
  expect(count).toBe(probes.length);
  expect(previous + loadBalancer).toBe(count);
  expect([prober.sideOf("a.example.com"), prober.sideOf("b.example.com")]).toEqual(["previous", "loadBalancer"]);
  expect(probes.find(({ hostname }) => hostname === "b.example.com")).toEqual({
    time: "2026-11-21T00:00:00.000Z",
    hostname: "b.example.com",
    address: "203.0.113.7",
    side: "loadBalancer",
    ok: true,
    certificate: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test("assigns no side to a hostname whose addresses lead to both sides", async () => {
  const { prober, probes } = await probe(["moving.example.com"]);
  expect(new Set(probes.map((made) => made.side))).toEqual(new Set(["previous", "loadBalancer"]));
  expect(prober.sideOf("moving.example.com")).toBeUndefined();
});

test("begins each handshake only after DNS has answered, even on a stalled machine", async () => {
  let now = "2026-11-21T00:00:00.000Z";
  const { resolve } = resolverOf();
  const resolver: ProberOptions["resolver"] = {
    resolve: async (...question) => {
      now = "2026-11-21T00:10:00.000Z";
      return resolve(...question);
    },
  };
  const { probes } = await probe(["b.example.com"], { resolver, now: () => new Date(now) });
  expect(new Set(probes.map(({ time }) => time))).toEqual(new Set([now]));
});

test("dates both DNS answers at the start of the probe that uses them", async () => {
  const clock = { now: "2026-11-21T00:00:00.000Z" };
  const { resolve } = resolverOf();
  const resolver: ProberOptions["resolver"] = {
    resolve: async (name, type) => {
      const answer = await resolve(name, type);
      if (type === "AAAA") {
        await new Promise((resume) => setImmediate(resume));
        clock.now = "2026-11-21T00:10:00.000Z";
      }
      return answer;
    },
  };
  const reported: DnsAnswer[] = [];
  const now = () => new Date(clock.now);
  const { probes } = await probe(["a.example.com"], {
    resolver,
    now,
    observers: { onAnswer: (answer) => reported.push(answer) },
  });
  expect(probes[0]?.time).toBe(clock.now);
  expect(reported.slice(0, 2)).toEqual([
    { time: clock.now, name: "a.example.com", type: "A", answers: [{ data: "198.51.100.1", ttl: 60 }] },
    { time: clock.now, name: "a.example.com", type: "AAAA", answers: [{ data: "2001:db8::1", ttl: 60 }] },
  ]);
});

test("reports a DNS answer once while it is cached", async () => {
  const reported: DnsAnswer[] = [];
  const { probes } = await probe(["a.example.com"], {
    pace: { concurrency: 1 },
    observers: { onAnswer: (answer) => reported.push(answer) },
  });
  expect(probes.length).toBeGreaterThan(1);
  expect(reported.map(({ type }) => type)).toEqual(["A", "AAAA"]);
});

test("counts probes by hostname and second", async () => {
  let turn = 0;
  const now = () => new Date(Date.parse("2026-11-21T00:00:00.500Z") + 300 * turn++);
  const { prober, probes } = await probe(["a.example.com", "nowhere.example.com"], { now });
  const expected = new Map<string, { hostname: string; second: string; probes: number; failed: number }>();
  for (const { time, hostname, ok } of probes) {
    const second = `${time.slice(0, 19)}Z`;
    const before = expected.get(`${second} ${hostname}`) ?? { hostname, second, probes: 0, failed: 0 };
    const failed = before.failed + (ok ? 0 : 1);
    expected.set(`${second} ${hostname}`, { ...before, probes: before.probes + 1, failed });
  }
  expect(prober.bySecond()).toEqual([...expected.values()]);
  expect(new Set(prober.bySecond().map(({ second }) => second)).size).toBeGreaterThan(1);
  expect(prober.bySecond().some(({ failed }) => failed > 0)).toBe(true);
});

test.each([1, 2, 3, 4])("connects to addresses of both families with %i hostnames", async (count) => {
  const hostnames = ["a.example.com", "b.example.com", "c.example.com", "d.example.com"].slice(0, count);
  const { probes } = await probe(hostnames);
  const addresses = probes.filter(({ hostname }) => hostname === "a.example.com").map(({ address }) => address);
  expect([...new Set(addresses)].sort()).toEqual(["198.51.100.1", "2001:db8::1"]);
});

test.each([
  ["no-record.example.com", "DNS has no address"],
  ["broken.example.com", "DNS: A records of broken.example.com: SERVFAIL"],
  ["nowhere.example.com", "nothing listens at 192.0.2.1"],
])("fails for %s: %s", async (hostname, error) => {
  const { prober } = await probe([hostname]);
  expect(prober.count().failed).toBe(prober.count().probes);
  expect(prober.failures()[0]).toMatchObject({ hostname, ok: false, error });
});

test("counts a certificate of an untrusted CA as a failure", async () => {
  const { prober } = await probe(["a.example.com"], { trusted: [stranger.trustBundlePem] });
  expect(prober.count().failed).toBe(prober.count().probes);
  expect(prober.failures()[0]?.error).toMatch(/UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|SELF_SIGNED/);
});

test("counts a certificate for another name as a failure", async () => {
  const { prober } = await probe(["stranger.example.com"]);
  expect(prober.count().failed).toBe(prober.count().probes);
  expect(prober.failures()[0]?.error).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
});

test("counts a refused connection as a failure", async () => {
  const closed = await startPreviousProvider(["a.example.com"]);
  await closed.close();
  const { prober } = await probe(["a.example.com"], {
    route: () => ({ host: closed.endpoint.address, port: closed.endpoint.port, side: "previous" }),
  });
  expect(prober.failures()[0]?.error).toBe("ECONNREFUSED");
});

test("caches a DNS answer until its time to live ends", async () => {
  const asked: string[] = [];
  let now = Date.parse("2026-11-21T00:00:00Z");
  const prober = new Prober({
    hostnames: ["b.example.com"],
    resolver: resolverOf(asked),
    route,
    trusted: [side.trustBundlePem],
    now: () => new Date(now),
    pace: { concurrency: 1, pauseMs: 0 },
  });
  prober.start();
  await prober.everyHostname();
  now += 59_999;
  await prober.everyHostname();
  expect(asked).toEqual(["b.example.com A", "b.example.com AAAA"]);
  now += 1;
  await prober.everyHostname();
  await prober.stop();
  expect(asked).toHaveLength(4);
});

test.each<[string, Resolution]>([
  ["no longer has addresses", { ok: true, exists: true, records: [], chain: [] }],
  ["can no longer be resolved", { ok: false, detail: "SERVFAIL", chain: [] }],
])("does not wait for cached addresses of a name that %s", async (_, gone) => {
  let now = Date.parse("2026-11-21T00:00:00Z");
  let isGone = false;
  const there = resolverOf();
  const prober = new Prober({
    hostnames: ["a.example.com"],
    resolver: {
      resolve: async (name, type) => {
        return isGone ? gone : there.resolve(name, type);
      },
    },
    route,
    trusted: [side.trustBundlePem],
    now: () => new Date(now),
    pace: { pauseMs: 0 },
  });
  prober.start();
  await prober.everyHostname();
  isGone = true;
  now += 60_000;
  await prober.everyHostname();
  await prober.stop();
  expect(prober.failures().at(-1)?.error).toMatch(/^DNS/);
});

test("queries DNS at once again for a name without an address", async () => {
  const asked: string[] = [];
  const { prober } = await probe(["no-record.example.com"], { resolver: resolverOf(asked), pace: { concurrency: 1 } });
  expect(asked).toHaveLength(prober.count().probes * 2);
});

describe("a handshake is complete when the server has accepted it", () => {
  /** Returns probes of one server, which are all equal. */
  async function probesOf(make: () => Promise<TestServer>): Promise<readonly Probe[]> {
    await using server = await make();
    const { probes } = await probe(["b.example.com"], {
      route: () => ({ host: server.address, port: server.port, side: "loadBalancer" }),
      trusted: [authority.pem],
      pace: { concurrency: 1 },
    });
    return probes;
  }
  const presented = expect.stringMatching(/^[0-9a-f]{64}$/);
  const named = { names: ["b.example.com"] };

  test.each<[string, () => Promise<TestServer>, RegExp]>([
    ["requires a client certificate", () => serve(wantsClient, undefined, issue(named)), /CERTIFICATE_REQUIRED$/],
    ["closes at once", () => serve({}, (socket) => socket.destroy(), issue(named)), /^closed before the server/],
  ])("counts a server that %s as a failure, and reports its certificate", async (_, make, error) => {
    for (const made of await probesOf(make)) {
      expect(made).toMatchObject({ ok: false, error: expect.stringMatching(error), certificate: presented });
    }
  });

  test("accepts a server that requests no client certificate", async () => {
    for (const made of await probesOf(() => serve(asksClient, undefined, issue(named)))) {
      expect(made).toMatchObject({ ok: true });
      expect(made).not.toHaveProperty("confirmed");
    }
  });

  test("accepts a server that is silent for half a second, as not confirmed", async () => {
    for (const made of await probesOf(() => serveOpenssl(["-num_tickets", "0"], issue(named)))) {
      expect(made).toMatchObject({ ok: true, confirmed: false, certificate: presented });
    }
  });
});

describe("with mutual TLS", () => {
  /** Probes of one hostname at two addresses. */
  async function probesWith(rejectsInvalid: boolean, refusesOthers: boolean) {
    const { anchorPem, certificatePem: cert, privateKeyPem: key } = await makeClientIdentity(new Date());
    const mutual = await startPreviousProvider(["a.example.com"], { rejectsInvalid, trustAnchors: [anchorPem] });
    try {
      const { address: host, port } = mutual.endpoint;
      return await probe(["a.example.com"], {
        route: () => ({ host, port, side: "previous" }),
        trusted: [mutual.trustBundlePem],
        clients: { rule: { refusesOthers, validates: true }, certificate: { cert, key } },
        pace: { concurrency: 1, pauseMs: 40 },
      });
    } finally {
      await mutual.close();
    }
  }
  const kindsOf = (probes: readonly Probe[]) =>
    new Set(probes.map(({ address, clientCertificate }) => `${address} ${clientCertificate}`));

  test.each([true, false])("probes with and without a certificate at each address (required: %s)", async (required) => {
    const { prober, probes } = await probesWith(required, required);
    expect(kindsOf(probes)).toEqual(
      new Set(["198.51.100.1 true", "198.51.100.1 false", "2001:db8::1 true", "2001:db8::1 false"]),
    );
    expect(prober.failures()).toEqual([]);
    const refusals = probes.filter(({ refused }) => refused === true);
    expect(refusals.length).toBe(required ? probes.filter((each) => each.clientCertificate === false).length : 0);
    expect(prober.clients()?.withoutCertificate.refused).toBe(refusals.length);
    expect(probes[0]).toHaveProperty("certificate", expect.stringMatching(/^[0-9a-f]{64}$/));
  });

  test("counts a client without a certificate as a failure if the server accepts it and has to refuse it", async () => {
    const { probes } = await probesWith(false, true);
    expect(new Set(probes.map(({ clientCertificate, ok }) => clientCertificate === ok))).toEqual(new Set([true]));
  });

  test("counts a client without a certificate as a failure if the server refuses it and has to accept it", async () => {
    const { probes } = await probesWith(true, false);
    expect(new Set(probes.map(({ clientCertificate, ok }) => clientCertificate === ok))).toEqual(new Set([true]));
  });
});
