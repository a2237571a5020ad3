import type { WatchSample } from "../../../lib/live/watch";
import { WatchTally } from "../../../lib/live/watch/tally";
import { timeout, watch, within } from "./virtual-watch";

const minute = 60_000;
const failing = (from: number, until = Number.POSITIVE_INFINITY) => {
  return (second: number) => (within(second, from, until) ? { handshake: timeout } : {});
};

test("ends the watch for a hostname that fails at every check for the given time, long before the time limit", async () => {
  const { summary } = await watch(failing(30), {
    schedule: { failedMs: 2 * minute, until: "stopped", withinMs: 60 * minute },
  });
  expect(summary).toMatchObject({ verdict: "failures", stopped: false, seconds: 158, failures: 13 });
  expect(summary.reason).toBe(
    "13 failures were seen; example.com has failed in every check since 2026-11-21T00:00:30.000Z, for 120 s",
  );
});

test("does not end for a failure that ends before that, however often it recurs", async () => {
  const everyOther = (second: number) => (second % 120 < 100 ? { handshake: timeout } : {});
  const { summary } = await watch(everyOther, { schedule: { failedMs: 2 * minute, withinMs: 20 * minute } });
  expect(summary).toMatchObject({ verdict: "failures", stopped: true, seconds: 1_200 });
});

test("continues up to the time limit without that option", async () => {
  const { summary } = await watch(failing(0), { schedule: { withinMs: 20 * minute } });
  expect(summary).toMatchObject({ verdict: "failures", stopped: true, seconds: 1_200 });
});

test("ends at the first failure for a time of zero", async () => {
  const { summary } = await watch(failing(30), { schedule: { failedMs: 0 } });
  expect(summary).toMatchObject({ verdict: "failures", stopped: false, failures: 1 });
});

test("does not count gaps: after a gap a hostname has to fail for the full time again", async () => {
  const suspension = { second: 60, milliseconds: 30 * minute };
  const { summary } = await watch(failing(0), { schedule: { failedMs: 2 * minute }, suspension });
  expect(summary).toMatchObject({ verdict: "failures", stopped: false, gaps: 1 });
  expect(summary.seconds).toBeGreaterThan(30 * 60 + 3 * 60);
});

test("discards the failures of a resolver that answers no queries", () => {
  const tally = new WatchTally(["example.com"], ["a"]);
  const at = { kind: "sample", hostname: "example.com", resolver: "a", ok: false, code: "dns-failed", ms: 1 } as const;
  for (const second of ["00", "30"]) tally.add("example.com", [{ ...at, time: `2026-11-21T00:00:${second}.000Z` }]);
  const since = "2026-11-21T00:00:00.000Z";
  expect(tally.progress().failing).toEqual({ hostname: "example.com", since, forMs: 30_000 });
  tally.forget("a");
  expect(tally.progress().failing).toBeUndefined();
});

const [oldAddress, newAddress] = ["198.51.100.1", "203.0.113.7"];
const sample = (resolver: string, second: number, change: Partial<WatchSample> = {}): WatchSample => ({
  kind: "sample",
  time: new Date(Date.parse("2026-11-21T00:00:00Z") + second * 1_000).toISOString(),
  hostname: "example.com",
  resolver,
  address: newAddress,
  side: "loadBalancer",
  ok: true,
  ms: 1,
  ...change,
});
const failed = { ok: false, code: "timeout" } as const;
const oldDead = { address: oldAddress, side: "previous", ...failed } as const;
const { address: _, side: __, ...unaddressed } = sample("b", 0, { ok: false, code: "dns-failed" });
const failingSince = (second: number) => ({ hostname: "example.com", since: sample("a", second).time });

test("does not end the watch before the move if the previous certificate has expired", async () => {
  const { summary } = await watch(failing(0), {
    schedule: { failedMs: 2 * minute, withinMs: 10 * minute },
    subjects: { loadBalancerAddresses: ["203.0.113.8"] },
  });
  expect(summary).toMatchObject({ verdict: "failures", stopped: true, seconds: 600, share: { previous: 2 } });
  expect(summary.reason).toBe(`${summary.failures} failures were seen`);
});

test.each<[string, (second: number) => readonly WatchSample[], object | undefined]>([
  [
    "after the move, where a resolver keeps the old address",
    (second) => [sample("a", second), sample("b", second, oldDead)],
    undefined,
  ],
  [
    "a failure at the load balancer that has ended does not count, although the previous provider keeps failing",
    (second) => [sample("a", second, second < 20 || second > 40 ? oldDead : failed), sample("b", second + 1, oldDead)],
    undefined,
  ],
  [
    "the load balancer's other address counts, though the first is good",
    (second) => [sample("a", second), sample("a", second, { address: "2001:db8::7", ...failed }), sample("b", second)],
    { ...failingSince(0), forMs: 60_000 },
  ],
  [
    "one resolver that finds no address counts, though the other leads to where all is good",
    (second) => [sample("a", second), { ...unaddressed, time: sample("b", second).time }],
    { ...failingSince(0), forMs: 60_000 },
  ],
  [
    "an address that is neither side's counts",
    (second) => [sample("a", second, { address: "192.0.2.9", side: "other", ...failed })],
    { ...failingSince(0), forMs: 60_000 },
  ],
  [
    "it begins when clients reach the load balancer, however long the previous provider has failed",
    (second) => [sample("a", second, second < 20 ? oldDead : failed), sample("b", second, oldDead)],
    { ...failingSince(20), forMs: 40_000 },
  ],
])("counts failures at the previous provider without ending: %s", (_, samplesAt, expected) => {
  const tally = new WatchTally(["example.com"], ["a", "b"]);
  for (let second = 0; second <= 60; second += 10) tally.add("example.com", samplesAt(second));
  expect(tally.progress().failing).toEqual(expected);
});

test("never reports a negative duration, whichever of two resolvers answers first", () => {
  const tally = new WatchTally(["example.com"], ["a", "b"]);
  tally.add("example.com", [sample("b", 5, failed), sample("a", 0, failed)]);
  expect(tally.progress().failing).toEqual({ ...failingSince(0), forMs: 5_000 });
});

test("does not extend a failure of the load balancer by the last failure of the previous provider", () => {
  const tally = new WatchTally(["example.com"], ["a", "b"]);
  tally.add("example.com", [sample("a", 0, failed)]);
  tally.add("example.com", [sample("b", 90, oldDead)]);
  expect(tally.progress()).toMatchObject({ failures: 2, failing: { ...failingSince(0), forMs: 0 } });
});
