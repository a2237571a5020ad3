import type { Handshake } from "../../../lib/live/verify";
import { timeout, watch, within } from "./virtual-watch";

test("counts a handshake that times out while resolvers answer as a failure of the site", async () => {
  const { summary, gaps } = await watch((second) => (within(second, 20, 29) ? { handshake: timeout } : {}));
  expect(summary).toMatchObject({ verdict: "failures", failures: 1, stopped: false });
  expect(summary.hostnames[0]?.codes).toEqual({ timeout: 1 });
  expect(gaps).toEqual([]);
});

test("counts no failure and reports a lost network if nothing answers", async () => {
  const { summary, gaps } = await watch((second) =>
    within(second, 20, 95) ? { handshake: timeout, silent: ["a", "b"] } : {},
  );
  expect(summary).toMatchObject({ verdict: "good", failures: 0, gaps: 1 });
  expect(gaps).toEqual([
    {
      kind: "gap",
      time: expect.stringMatching(/^2026-11-21T00:00:(?:19|20)/),
      until: expect.stringMatching(/^2026-11-21T00:01:3[5-7]/),
      reason: "network-lost",
      discarded: expect.any(Number),
    },
  ]);
  // The minute without failures must be observed; a gap does not count.
  expect(summary.seconds).toBeGreaterThan(95 + 30);
});

test("records no failure if the network is lost for the time of one handshake", async () => {
  const { summary } = await watch((second) =>
    within(second, 20, 22) ? { handshake: timeout, silent: ["a", "b"] } : {},
  );
  expect(summary.failures).toBe(0);
});

test("retries a handshake that hangs while nothing else answers, and counts only the retry", async () => {
  const { summary } = await watch((second) => (within(second, 20, 21) ? { handshake: timeout } : {}));
  expect(summary).toMatchObject({ verdict: "good", failures: 0, gaps: 0 });
});

test("does not count what was in progress while the machine slept", async () => {
  const reset: Handshake = { ok: false, code: "connection-reset", detail: "ECONNRESET" };
  const { summary, gaps } = await watch((second) => (within(second, 20, 29) ? { handshake: reset } : {}), {
    suspension: { second: 20, milliseconds: 3_600_000 },
  });
  expect(summary).toMatchObject({ verdict: "good", failures: 0, gaps: 1, gapSeconds: expect.any(Number) });
  expect(gaps).toEqual([
    {
      kind: "gap",
      time: expect.stringMatching(/^2026-11-21T00:00:/),
      until: expect.stringMatching(/^2026-11-21T01:00:2/),
      reason: "stood-still",
      discarded: 1,
    },
  ]);
});

test("treats a clock that is set back as a gap too", async () => {
  const { summary, gaps } = await watch(() => ({}), { suspension: { second: 20, milliseconds: -7_200_000 } });
  expect(summary.failures).toBe(0);
  expect(gaps.map(({ reason }) => reason)).toEqual(["stood-still"]);
});

test("omits IPv6 addresses without IPv6, and reports that once", async () => {
  let reported = 0;
  const { summary } = await watch(() => ({ handshake: { ok: false, code: "ipv6-not-here", detail: "ENETUNREACH" } }), {
    schedule: { withinMs: 25_000 },
    observers: {
      onIpv6Missing: () => {
        reported += 1;
      },
    },
  });
  expect(reported).toBe(1);
  expect(summary).toMatchObject({ verdict: "unseen", failures: 0 });
});
