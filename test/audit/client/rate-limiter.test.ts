import fc from "fast-check";
import { createRateLimiter } from "../../../lib/audit";

function limited(perMinute: number) {
  let clockMs = 0;
  const waits: number[] = [];
  const limiter = createRateLimiter({
    perMinute,
    now: () => new Date(clockMs),
    sleep: async (ms) => {
      waits.push(ms);
      clockMs += ms;
    },
  });
  return { limiter, waits, at: () => clockMs, advance: (ms: number) => (clockMs += ms) };
}

test("sends up to the limit at once, and the next request when the first is a minute old", async () => {
  const { limiter, waits, advance } = limited(2);
  await limiter.take();
  advance(10_000);
  await limiter.take();
  await limiter.take();
  expect(waits).toEqual([50_000]);
  await limiter.take();
  expect(waits).toEqual([50_000, 10_000]);
});

test("never exceeds the limit within any minute, whenever callers arrive", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 30 }),
      async (perMinute, pauses) => {
        const { limiter, at, advance } = limited(perMinute);
        const times: number[] = [];
        for (const pause of pauses) {
          advance(pause);
          await limiter.take();
          times.push(at());
        }
        const most = Math.max(
          0,
          ...times.map((start) => times.filter((time) => time >= start && time < start + 60_000).length),
        );
        expect(most).toBeLessThanOrEqual(perMinute);
      },
    ),
  );
});

test("waits at most a minute if the clock is set back", async () => {
  const { limiter, waits, advance } = limited(1);
  advance(3_600_000);
  await limiter.take();
  advance(-3_000_000);
  await limiter.take();
  expect(waits).toEqual([60_000]);
});

test("stops waiting when the signal aborts", async () => {
  const { limiter } = limited(1);
  await expect(limiter.take(AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
});
