import { type StepState, stepNames } from "../../lib/live/status";
import { historyOf } from "../../lib/report/history";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 0, minute));

/** A status in which every hostname has its first steps done, as many as are given. */
function status(minute: number, hostnames: Readonly<Record<string, number>>) {
  return {
    source: "s.json",
    time: at(minute),
    hostnames: Object.entries(hostnames).map(([hostname, reach]) => {
      const state = (step: number): StepState => (step < reach ? "done" : "todo");
      return {
        migration: "prod/shop",
        hostname,
        steps: stepNames.map((name, step) => ({ step: step + 1, name, state: state(step) })),
      };
    }),
  };
}

const doneBySteps = (statuses: Parameters<typeof historyOf>[0]) =>
  historyOf(statuses).moments.map(({ steps }) => steps.map(({ done }) => done).join(""));

test("counts every hostname at each time by its last known state", () => {
  const statuses = [status(2, { a: 3 }), status(0, { a: 1, b: 0 }), status(1, { b: 8 })];
  expect(doneBySteps(statuses)).toEqual(["10000000", "21111111", "22211111"]);
});

test("lists changes newest first, and steps that are no longer done", () => {
  const { changes, setbacks } = historyOf([status(0, { a: 2 }), status(1, { a: 3 }), status(2, { a: 1 })]);
  expect(changes.map(({ step, from, to }) => `${step} ${from} ${to}`)).toEqual([
    "3 done todo",
    "2 done todo",
    "3 todo done",
  ]);
  expect(setbacks.map(({ step }) => step)).toEqual([3, 2]);
});

test("returns since when a hostname has been in its state", () => {
  const { sinceOf } = historyOf([status(0, { a: 1, b: 3 }), status(5, { a: 2, b: 3 }), status(9, { a: 2, b: 3 })]);
  const since = (hostname: string, step: number, state: StepState = "todo") =>
    sinceOf({ migration: "prod/shop", hostname, current: { step, name: stepNames[0], state } });
  expect(since("a", 3)).toBe("since 2026-11-21 00:05:00 UTC");
  expect(since("b", 4)).toBe("since 2026-11-21 00:00:00 UTC or before");
  expect([since("a", 2), since("a", 3, "waiting"), since("c", 1)]).toEqual([undefined, undefined, undefined]);
});

test("reduces thousands of statuses to at most sixty moments, the first and the last among them", () => {
  const statuses = Array.from({ length: 2_000 }, (_, minute) => status(minute, { a: minute % 9 }));
  const { moments, changes, changeCount } = historyOf(statuses);
  expect(moments.length).toBeLessThanOrEqual(60);
  expect(moments.length).toBeGreaterThan(50);
  expect([moments[0]?.time, moments.at(-1)?.time]).toEqual([at(0), at(1_999)]);
  expect(changes).toHaveLength(100);
  expect(changeCount).toBe(historyOf(statuses.slice(0, 9)).changeCount * 222 + 222 * 8 + 1);
});
