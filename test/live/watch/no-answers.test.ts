import { setMaxListeners } from "node:events";
import { type WatchGapBegin, type WatchLine, watchTraffic } from "../../../lib/live/watch";
import { answer, good, silence, timeout, virtualTime, watch, within } from "./virtual-watch";

const begins = (lines: readonly WatchLine[]) =>
  lines.filter((line): line is WatchGapBegin => line.kind === "gap-begin");
/** Returns faults that simulate a network outage between two seconds. */
const lostFrom =
  (from: number, until = Number.POSITIVE_INFINITY) =>
  (second: number) =>
    within(second, from, until) ? { handshake: timeout, silent: ["a", "b"] } : {};

test.each([0, 13, 20, 24.5])(
  "a watch without data logs the gap within 5 s after the network is lost at second %d",
  async (lostAt) => {
    const { lines, startedAt } = await watch(lostFrom(lostAt, 95));
    const [begin, ...others] = begins(lines);
    expect(others).toEqual([]);
    expect(begin).toMatchObject({ reason: "network-lost" });
    const noticedMs = Date.parse(begin?.noticedAt ?? "") - startedAt - lostAt * 1_000;
    expect(noticedMs).toBeGreaterThanOrEqual(0);
    expect(noticedMs).toBeLessThanOrEqual(5_000);
  },
);

test("a watch without data logs when the gap began before it logs when the gap ended, with the same time", async () => {
  const { lines } = await watch(lostFrom(20, 95));
  const own = lines.filter(({ kind }) => kind === "gap-begin" || kind === "gap");
  expect(own.map(({ kind }) => kind)).toEqual(["gap-begin", "gap"]);
  expect(own[0]?.time).toBe(own[1]?.time);
});

test("a watch without data reports begin and end of the gap about every second", async () => {
  const reported: (readonly [second: number, since: number, rest: number])[] = [];
  const time = { startedAt: 0, second: 0 };
  await watch(
    (second) => {
      time.second = second;
      return lostFrom(20, 60)(second);
    },
    { observers: { onBlind: (since, restMs) => reported.push([time.second, since, restMs]) } },
  );
  expect(reported.length).toBeGreaterThan(30);
  expect(new Set(reported.map(([, since]) => since)).size).toBe(1);
  const rests = reported.map(([, , rest]) => rest);
  expect(rests).toEqual([...rests].sort((one, other) => other - one));
  expect(rests.at(-1)).toBeLessThan(900_000 - 35_000);
});

test("a watch without data ends with the verdict blind", async () => {
  const { summary, gaps } = await watch(lostFrom(20), { schedule: { blindMs: 60_000 } });
  expect(summary).toMatchObject({ verdict: "blind", stopped: false, failures: 0, blindSince: gaps[0]?.time });
  expect(summary.reason).toMatch(/^no server has answered since 2026-11-21T00:00:(?:19|20)\..*; check the network/);
  expect(summary.seconds).toBeGreaterThanOrEqual(79);
  expect(summary.seconds).toBeLessThanOrEqual(82);
});

test("a watch without data ends after 15 minutes by default, also with 'until: stopped' and after everything has moved", async () => {
  const { summary } = await watch(lostFrom(20), { schedule: { until: "stopped" } });
  expect(summary).toMatchObject({ verdict: "blind", stopped: false });
  expect(summary.seconds).toBeGreaterThanOrEqual(919);
  expect(summary.seconds).toBeLessThanOrEqual(922);
});

test("a watch without data keeps the verdict of earlier failures, and gives both reasons", async () => {
  const reset = { ok: false, code: "connection-reset", detail: "ECONNRESET" } as const;
  const { summary } = await watch((second) => (second < 15 ? { handshake: reset } : lostFrom(15)(second)), {
    schedule: { blindMs: 60_000 },
  });
  expect(summary).toMatchObject({ verdict: "failures", failures: 2, stopped: false });
  expect(summary.reason).toMatch(/^2 failures were seen; no server has answered since /);
});

test("a watch without data continues if a server answers again in time, and measures the next gap from its own start", async () => {
  const { summary, gaps } = await watch((second) => (within(second, 60, 75) ? {} : lostFrom(10, 130)(second)), {
    schedule: { blindMs: 60_000 },
  });
  expect(summary).toMatchObject({ verdict: "good", gaps: 2 });
  expect(gaps).toHaveLength(2);
});

test("a watch without data does not count the sleep of the machine", async () => {
  const { summary } = await watch(
    (second) => (within(second, 21, 3_640) ? { handshake: timeout, silent: ["a", "b"] } : {}),
    { suspension: { second: 20, milliseconds: 3_600_000 }, schedule: { blindMs: 60_000 } },
  );
  expect(summary).toMatchObject({ verdict: "good", failures: 0 });
  expect(summary.gapSeconds).toBeGreaterThan(3_600);
});

test("never logs the start of a gap while the network works, and queries only one resolver between rounds", async () => {
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const time = virtualTime();
  const lines: WatchLine[] = [];
  const asked: string[] = [];
  await time.run(
    watchTraffic({
      subjects: { hostnames: ["example.com"], loadBalancerAddresses: ["203.0.113.7"], previousAddresses: new Map() },
      resolvers: ["a", "b"].map((name) => ({
        name,
        isFar: true,
        isAlive: async () => asked.push(name) > 0,
        resolve: async () => answer,
      })),
      shakeHands: async () => good,
      schedule: { until: "stopped", withinMs: 60_000 },
      signal: never,
      now: time.now,
      sleep: time.sleep,
      observers: { onLine: (line) => lines.push(line) },
    }),
  );
  expect(begins(lines)).toEqual([]);
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.length).toBeLessThanOrEqual(60);
  expect(new Set(asked)).toEqual(new Set(["a", "b"]));
});

test("ends with the verdict blind if only a resolver on this machine can show that the network is lost", async () => {
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const time = virtualTime();
  const resolve = async () => silence;
  const summary = await time.run(
    watchTraffic({
      subjects: { hostnames: ["example.com"], loadBalancerAddresses: ["203.0.113.7"], previousAddresses: new Map() },
      resolvers: [
        { name: "authoritative", isFar: true, resolve },
        { name: "127.0.0.1:9", isFar: false, isAlive: async () => false, resolve },
      ],
      shakeHands: async () => good,
      schedule: { withinMs: 600_000, blindMs: 20_000 },
      signal: never,
      now: time.now,
      sleep: time.sleep,
      observers: { onLine: () => undefined },
    }),
  );
  expect(summary).toMatchObject({ verdict: "blind", attempts: 0, failures: 0 });
});
