import fc from "fast-check";
import { nextWindow } from "../../../lib/audit/tail/sweep";

const settings = { lagMs: 100, overlapMs: 500, maxWindowMs: 1_000 };
const day = 86_400_000;

test.each([
  [
    "that goes from the watermark less the overlap to now less the lag",
    { sinceMs: 0, watermarkMs: 2_000 },
    2_600,
    { startMs: 1_500, endMs: 2_500, caughtUp: true },
  ],
  [
    "that does not reach back before the start",
    { sinceMs: 1_800, watermarkMs: 2_000 },
    2_600,
    { startMs: 1_800, endMs: 2_500, caughtUp: true },
  ],
  [
    "that continues from the start",
    { sinceMs: 2_000, watermarkMs: 2_000 },
    2_600,
    { startMs: 2_000, endMs: 2_500, caughtUp: true },
  ],
  [
    "that is bounded while catching up",
    { sinceMs: 0, watermarkMs: 2_000 },
    9_000,
    { startMs: 1_500, endMs: 3_000, caughtUp: false },
  ],
  ["that is undefined before the lag is over", { sinceMs: 2_000, watermarkMs: 2_000 }, 2_100, undefined],
  ["that is undefined when the clock is set back", { sinceMs: 0, watermarkMs: 2_000 }, 1_000, undefined],
  [
    "that reports what the service no longer has",
    { sinceMs: 0, watermarkMs: 2_000 },
    180 * day + 5_000,
    { startMs: 4_500, endMs: 6_000, caughtUp: false, lost: { startMs: 2_000, endMs: 5_000 } },
  ],
])("returns a window %s", (_, state, nowMs, expected) => {
  expect(nextWindow(state, nowMs, settings)).toEqual(expected);
});

test("returns windows that are not empty, leave no gap and never pass now minus the lag, whatever the clock does", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 40 }), (clock) => {
      let watermarkMs = 1_000;
      for (const nowMs of clock) {
        const window = nextWindow({ sinceMs: 1_000, watermarkMs }, nowMs, settings);
        if (window === undefined) continue;
        expect(window.startMs).toBeLessThan(window.endMs);
        expect(window.startMs).toBeLessThanOrEqual(watermarkMs);
        expect(window.endMs).toBeLessThanOrEqual(nowMs - settings.lagMs);
        expect(window.endMs).toBeGreaterThan(watermarkMs);
        watermarkMs = window.endMs;
      }
    }),
  );
});
