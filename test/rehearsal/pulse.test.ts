import { isOwn, Pulse } from "../../lib/rehearsal/pulse";

const cloudTime = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms).toISOString();

/**
 * Returns the result of a wait with heartbeats at these milliseconds. The wait begins with the first heartbeat and ends
 * with the last.
 */
function waitOver(...beats: readonly number[]) {
  let now = 0;
  const pulse = new Pulse(
    () => now,
    () => cloudTime(now),
  );
  const [first = 0, ...rest] = beats;
  now = first;
  const mark = pulse.begin();
  for (const at of rest.slice(0, -1)) {
    now = at;
    pulse.beat();
  }
  now = rest.at(-1) ?? first;
  return pulse.since(mark);
}

const every = (stepMs: number, untilMs: number, fromMs = 0): readonly number[] =>
  Array.from({ length: Math.floor((untilMs - fromMs) / stepMs) + 1 }, (_, index) => fromMs + index * stepMs);

test("reports no stall for regular beats, however slow a busy machine is", () => {
  expect(waitOver(...every(100, 5_000))).toEqual({ waitedMs: 5_000, ranMs: 5_000, still: [] });
  expect(waitOver(...every(500, 5_000))).toEqual({ waitedMs: 5_000, ranMs: 5_000, still: [] });
});

test("reports a stall between two beats that are far apart", () => {
  expect(waitOver(...every(100, 1_000), ...every(100, 5_200, 4_200))).toEqual({
    waitedMs: 5_200,
    ranMs: 2_000,
    still: [{ from: cloudTime(1_000), until: cloudTime(4_200) }],
  });
});

test("reports a stall if no beat follows the start of the wait", () => {
  expect(waitOver(0, 7_000)).toEqual({
    waitedMs: 7_000,
    ranMs: 0,
    still: [{ from: cloudTime(0), until: cloudTime(7_000) }],
  });
});

test("ignores stalls before the start of the wait", () => {
  let now = 0;
  const pulse = new Pulse(
    () => now,
    () => cloudTime(now),
  );
  now = 60_000;
  const mark = pulse.begin();
  now = 60_100;
  expect(pulse.since(mark)).toEqual({ waitedMs: 100, ranMs: 100, still: [] });
});

test.each([
  ["that stalled for the whole time", 5_000, 0, true],
  ["that stalled for more than a second", 5_000, 3_999, true],
  ["that stalled for exactly a second", 5_000, 4_000, false],
  ["that ran for the whole time", 5_000, 5_000, false],
])("classifies a time-out of a process %s", (_, waitedMs, ranMs, expected) => {
  expect(isOwn({ waitedMs, ranMs })).toBe(expected);
});
