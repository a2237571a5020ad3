import { wasAnswered } from "../../../lib/rehearsal/evidence/check-reached-servers";

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, seconds)).toISOString();
const reported = [{ timeMs: Date.parse(at(1_000)), data: "203.0.113.7", ttlMs: 60_000 }];

test.each<[what: string, seconds: number, speed: number, expected: boolean]>([
  ["within its time to live", 1_050, 30, true],
  ["two minutes after it, as clocks are read one after the other", 1_180, 30, true],
  ["later than the clock tolerance", 1_181, 30, false],
  ["two minutes before the answer, which is recorded at its end", 880, 30, true],
  ["earlier than the clock tolerance", 879, 30, false],
  ["four seconds of the machine before the answer, with a cloud at a hundred times its speed", 600, 100, true],
  ["later than the tolerance of a fast cloud", 1_461, 100, false],
])("accepts a probe %s: %d", (_, seconds, speed, expected) => {
  expect(wasAnswered(reported, { time: at(seconds), address: "203.0.113.7" }, speed)).toBe(expected);
});

test("reports a probe of an address that DNS never returned", () => {
  expect(wasAnswered(reported, { time: at(1_000), address: "203.0.113.8" }, 30)).toBe(false);
});
