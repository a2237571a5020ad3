import { setMaxListeners } from "node:events";
import { type ResolverAnswer, type WatchResolver, watchTraffic } from "../../../lib/live/watch";
import { answer, good, silence, timeout, virtualTime, watch, within } from "./virtual-watch";

test("does not count name servers that answered once and are now all silent as a working network", async () => {
  const { summary, gaps } = await watch(
    (second) => (within(second, 20, 60) ? { handshake: timeout, silent: ["authoritative", "b"] } : {}),
    { names: ["authoritative", "b"] },
  );
  expect(summary).toMatchObject({ verdict: "good", failures: 0 });
  expect(gaps.map(({ reason }) => reason)).toEqual(["network-lost"]);
});

test("counts name servers that answered once and fall silent while others answer as a failure", async () => {
  const { summary } = await watch((second) => (within(second, 20, 40) ? { silent: ["authoritative"] } : {}), {
    names: ["authoritative", "b"],
  });
  expect(summary.hostnames[0]?.codes).toEqual({ "dns-unanswered": expect.any(Number) });
});

test("reports name servers that never answered as behind a firewall, without a failure", async () => {
  const { summary, gaps } = await watch(() => ({ silent: ["authoritative"] }), { names: ["authoritative", "b"] });
  expect(summary).toMatchObject({ verdict: "good", failures: 0 });
  expect(gaps.map(({ reason, resolver }) => [reason, resolver])).toEqual([["resolver-silent", "authoritative"]]);
});

test("reports and excludes a resolver that never answers", async () => {
  const { summary, gaps } = await watch(() => ({ silent: ["b"] }));
  expect(summary).toMatchObject({ verdict: "good", failures: 0, gaps: 0, share: { loadBalancer: 1, unknown: 1 } });
  expect(gaps.map(({ reason, resolver }) => [reason, resolver])).toEqual([["resolver-silent", "b"]]);
});

test("includes a resolver again that was silent for a while", async () => {
  const { summary, gaps } = await watch((second) => (within(second, 20, 45) ? { silent: ["b"] } : {}));
  expect(summary).toMatchObject({ verdict: "good", failures: 0, share: { loadBalancer: 2, unknown: 0 } });
  expect(gaps).toEqual([
    {
      kind: "gap",
      time: "2026-11-21T00:00:10.000Z",
      until: "2026-11-21T00:00:50.000Z",
      reason: "resolver-silent",
      resolver: "b",
      discarded: expect.any(Number),
    },
  ]);
});

test("queries a silent resolver with growing delays outside the rounds, and names it at the end", async () => {
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const time = virtualTime();
  const startedAt = time.now();
  const second = () => Math.round((time.now() - startedAt) / 1_000);
  const [asked, looked, reported]: [number[], number[], string[]] = [[], [], []];
  const silent: WatchResolver = {
    name: "silent",
    isFar: true,
    isAlive: async () => {
      asked.push(second());
      await time.sleep(6_000, never);
      return false;
    },
    resolve: async () => {
      await time.sleep(6_000, never);
      return silence;
    },
  };
  const summary = await time.run(
    watchTraffic({
      subjects: {
        hostnames: ["example.com", "www.example.com"],
        loadBalancerAddresses: ["203.0.113.7"],
        previousAddresses: new Map(),
      },
      resolvers: [{ name: "good", isFar: true, isAlive: async () => true, resolve: async () => answer }, silent],
      shakeHands: async () => good,
      schedule: { everyMs: 10_000, until: "stopped", withinMs: 1_800_000 },
      signal: never,
      now: time.now,
      sleep: time.sleep,
      observers: {
        onLine: (line) => {
          if (line.kind === "sample" && line.hostname === "example.com") looked.push(second());
        },
        onSilent: (resolver) => reported.push(`${second()} s: ${resolver}`),
      },
    }),
  );
  // Until the first round detects the silence, a pulse can use this resolver; later only the start of a round does.
  expect(asked.filter((at) => at >= 12)).toEqual([12, 22, 32, 42, 62, 102, 182, 342, 642, 942, 1_242, 1_542]);
  expect(reported).toEqual(["12 s: silent"]);
  expect(looked.slice(0, 4)).toEqual([2, 12, 22, 32]);
  expect(looked).toHaveLength(180);
  expect(summary).toMatchObject({
    verdict: "good",
    reason:
      "all traffic has moved to the load balancer, and no check failed afterwards; silent did not answer at the end: the state for its clients is unknown",
    silentResolvers: ["silent"],
    share: { loadBalancer: 2, unknown: 2 },
  });
});

test("queries name servers that never answered for a different hostname each time, and counts them from their first answer on", async () => {
  const names: string[] = [];
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const time = virtualTime();
  const startedAt = time.now();
  const authoritative: WatchResolver = {
    name: "authoritative",
    isFar: true,
    resolve: async (hostname) => {
      names.push(hostname);
      if (time.now() - startedAt > 45_000 && hostname === "b.example.com") return answer;
      await time.sleep(6_000, never);
      return silence;
    },
  };
  const summary = await time.run(
    watchTraffic({
      subjects: {
        hostnames: ["a.example.com", "b.example.com"],
        loadBalancerAddresses: ["203.0.113.7"],
        previousAddresses: new Map(),
      },
      resolvers: [authoritative, { name: "good", isFar: true, isAlive: async () => true, resolve: async () => answer }],
      shakeHands: async () => good,
      schedule: { everyMs: 10_000, until: "stopped", withinMs: 70_000 },
      signal: never,
      now: time.now,
      sleep: time.sleep,
      observers: { onLine: () => undefined },
    }),
  );
  expect(names.slice(0, 5)).toEqual([
    "a.example.com",
    "b.example.com",
    "b.example.com",
    "a.example.com",
    "b.example.com",
  ]);
  expect(summary.silentResolvers).toEqual([]);
});

test("counts a resolver without an answer for only one hostname as a failure of the hostname", async () => {
  const failing = async (): Promise<ResolverAnswer> => silence;
  const resolver: WatchResolver = { name: "a", isFar: true, isAlive: async () => true, resolve: failing };
  const { summary } = await watch(() => ({}), { resolvers: [resolver], schedule: { withinMs: 5_000 } });
  expect(summary.hostnames[0]?.codes).toEqual({ "dns-unanswered": 1 });
});

test("keeps the other resolvers' answers when the time limit cuts off a resolver that never answers", async () => {
  const { summary, gaps } = await watch(() => ({ silent: ["b"] }), { schedule: { withinMs: 5_000, until: "stopped" } });
  expect(summary).toMatchObject({
    verdict: "moved",
    seconds: 5,
    failures: 0,
    attempts: 1,
    share: { loadBalancer: 1, unknown: 1 },
  });
  expect(gaps.map(({ reason, resolver }) => [reason, resolver])).toEqual([["resolver-silent", "b"]]);
});

test("reports the other answers before a slow resolver has answered, and does not report the move as complete until then", async () => {
  const reported: string[] = [];
  const never = new AbortController().signal;
  const time = virtualTime();
  const startedAt = time.now();
  const resolvers: readonly WatchResolver[] = [
    { name: "quick", isFar: true, isAlive: async () => true, resolve: async () => answer },
    {
      name: "slow",
      isFar: true,
      isAlive: async () => true,
      resolve: async () => {
        await time.sleep(5_000, never);
        return { ok: true, addresses: ["198.51.100.1"] };
      },
    },
  ];
  const report = (what: string) => reported.push(`${(time.now() - startedAt) / 1_000} s: ${what}`);
  const summary = await time.run(
    watchTraffic({
      subjects: { hostnames: ["example.com"], loadBalancerAddresses: ["203.0.113.7"], previousAddresses: new Map() },
      resolvers,
      shakeHands: async () => good,
      schedule: { withinMs: 8_000 },
      signal: never,
      now: time.now,
      sleep: time.sleep,
      observers: {
        onLine: (line) => line.kind === "sample" && report(`${line.resolver} ${line.side}`),
        onChange: (_, change) => report(change),
      },
    }),
  );
  expect(reported).toEqual(["2 s: quick loadBalancer", "5 s: slow previous"]);
  expect(summary).toMatchObject({ verdict: "not-moved", share: { previous: 1, loadBalancer: 1 }, seconds: 8 });
});

test("waits one time-out for many queries to a resolver that never answers", async () => {
  const hostnames = Array.from({ length: 100 }, (_, index) => `${index}.example.com`);
  const { summary } = await watch(() => ({ silent: ["b"] }), {
    subjects: { hostnames },
    schedule: { until: "moved", concurrency: 200 },
  });
  expect(summary).toMatchObject({ verdict: "moved", attempts: 100, seconds: 6 });
});
