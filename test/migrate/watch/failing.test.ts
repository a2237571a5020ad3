import { Tally } from "../../../lib/migrate/watch/tally";
import { timeout, watch, within } from "./virtual-watch";

const minute = 60_000;
const failing = (from: number, until = Number.POSITIVE_INFINITY) => {
  return (second: number) => (within(second, from, until) ? { handshake: timeout } : {});
};

test("a hostname that fails at every look for the time that was given ends the watch, long before its time is over", async () => {
  const { summary } = await watch(failing(30), { failedMs: 2 * minute, until: "stopped", withinMs: 60 * minute });
  expect(summary).toMatchObject({ verdict: "failures", stopped: false, seconds: 158, failures: 13 });
  expect(summary.reason).toBe(
    "13 failures were seen; example.com has failed at every look since 2026-11-21T00:00:30.000Z, for 120 s",
  );
});

test("a failure that goes over before that does not end it, however often it comes", async () => {
  const everyOther = (second: number) => (second % 120 < 100 ? { handshake: timeout } : {});
  const { summary } = await watch(everyOther, { failedMs: 2 * minute, withinMs: 20 * minute });
  expect(summary).toMatchObject({ verdict: "failures", stopped: true, seconds: 1_200 });
});

test("without a time for it, it goes on for as long as it may", async () => {
  const { summary } = await watch(failing(0), { withinMs: 20 * minute });
  expect(summary).toMatchObject({ verdict: "failures", stopped: true, seconds: 1_200 });
});

test("a time of nothing ends it at the first failure", async () => {
  const { summary } = await watch(failing(30), { failedMs: 0 });
  expect(summary).toMatchObject({ verdict: "failures", stopped: false, failures: 1 });
});

test("what could not be seen is no failure: behind a gap a hostname has to fail for as long again", async () => {
  const suspension = { second: 60, milliseconds: 30 * minute };
  const { summary } = await watch(failing(0), { failedMs: 2 * minute, suspension });
  expect(summary).toMatchObject({ verdict: "failures", stopped: false, gaps: 1 });
  expect(summary.seconds).toBeGreaterThan(30 * 60 + 3 * 60);
});

test("a resolver that answers nobody takes its failures with it", () => {
  const tally = new Tally(["example.com"], ["a"]);
  const at = { kind: "sample", hostname: "example.com", resolver: "a", ok: false, code: "dns-failed", ms: 1 } as const;
  for (const second of ["00", "30"]) tally.add("example.com", [{ ...at, time: `2026-11-21T00:00:${second}.000Z` }]);
  const since = "2026-11-21T00:00:00.000Z";
  expect(tally.standing().failing).toEqual({ hostname: "example.com", since, forMs: 30_000 });
  tally.forget("a");
  expect(tally.standing().failing).toBeUndefined();
});
