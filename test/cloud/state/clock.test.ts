import fc from "fast-check";
import { createCloudClock } from "../../../lib/cloud/state";

const startAt = new Date("2026-11-21T00:00:00Z");
const origin = startAt.getTime();

/** Creates a clock that advances only in steps, and the log of its tasks: name and time. */
function standing() {
  const clock = createCloudClock({ startAt, speed: 0 });
  const ran: (readonly [string, number])[] = [];
  const note = (name: string) => () => void ran.push([name, clock.now().getTime() - origin]);
  return { clock, ran, note };
}

test("a stopped clock keeps the time that it was given until it is stepped", async () => {
  const { clock } = standing();
  expect(clock.now()).toEqual(startAt);
  await clock.advance(1_500);
  expect(clock.now()).toEqual(new Date("2026-11-21T00:00:01.500Z"));
});

test("a stopped clock runs due tasks in order of time, then of registration, each at its own time", async () => {
  const { clock, ran, note } = standing();
  clock.after(300, note("c"));
  clock.after(100, note("a1"));
  clock.after(200, note("b"));
  clock.after(100, note("a2"));
  clock.after(-5, note("now"));
  clock.after(301, note("later"));
  await clock.advance(300);
  expect(ran).toEqual([
    ["now", 0],
    ["a1", 100],
    ["a2", 100],
    ["b", 200],
    ["c", 300],
  ]);
  await clock.advance(1);
  expect(ran.at(-1)).toEqual(["later", 301]);
});

test("a stopped clock runs tasks that other tasks add, relative to the time of the adding task", async () => {
  const { clock, ran, note } = standing();
  clock.after(100, () => {
    note("first")();
    clock.after(50, note("second"));
    clock.after(0, note("at once"));
    clock.after(200, note("too late"));
  });
  clock.after(120, note("between"));
  await clock.advance(200);
  expect(ran).toEqual([
    ["first", 100],
    ["at once", 100],
    ["between", 120],
    ["second", 150],
  ]);
});

test("a stopped clock waits for asynchronous tasks while the cloud's time stands still", async () => {
  const { clock, ran, note } = standing();
  clock.after(100, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    note("slow")();
  });
  clock.after(101, note("next"));
  await clock.advance(1_000);
  expect(ran).toEqual([
    ["slow", 100],
    ["next", 101],
  ]);
});

test("a stopped clock starts all tasks of one moment together, and continues when all of them are done", async () => {
  const { clock, ran, note } = standing();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  clock.after(100, async () => {
    await held;
    note("slow")();
  });
  clock.after(100, () => {
    note("quick")();
    release();
  });
  clock.after(101, note("next"));
  await clock.advance(1_000);
  expect(ran).toEqual([
    ["quick", 100],
    ["slow", 100],
    ["next", 101],
  ]);
});

test("a stopped clock never runs backwards, not even between the last task and the end of a step", async () => {
  const { clock } = standing();
  const seen: number[] = [];
  clock.after(100, () => {
    for (let at = 1; at <= 5; at++) void hops(at).then(() => seen.push(clock.now().getTime() - origin));
  });
  await clock.advance(100);
  await hops(10);
  expect(seen).toEqual([100, 100, 100, 100, 100]);
});

test("a stopped clock runs overlapping steps one after the other", async () => {
  const { clock, ran, note } = standing();
  clock.after(150, note("task"));
  await Promise.all([clock.advance(100), clock.advance(100)]);
  expect(ran).toEqual([["task", 150]]);
  expect(clock.now().getTime() - origin).toBe(200);
});

test("a stopped clock does not run cancelled tasks", async () => {
  const { clock, ran, note } = standing();
  const takeBack = clock.after(100, note("a"));
  clock.after(100, note("b"));
  takeBack();
  takeBack();
  await clock.advance(100);
  expect(ran).toEqual([["b", 100]]);
});

test("a stopped clock runs no task after it was stopped, not even during a step", async () => {
  const { clock, ran, note } = standing();
  clock.after(100, () => clock.stop());
  clock.after(200, note("never"));
  await clock.advance(1_000);
  clock.after(1, note("nor this"));
  await clock.advance(1_000);
  expect(ran).toEqual([]);
});

test("a stopped clock reports failed tasks, and continues", async () => {
  const errors: unknown[] = [];
  const clock = createCloudClock({ startAt, speed: 0, onError: (error) => errors.push(error) });
  let ran = 0;
  clock.after(1, () => {
    throw new Error("thrown");
  });
  clock.after(2, () => Promise.reject(new Error("rejected")));
  clock.after(3, () => void ran++);
  await clock.advance(10);
  expect(errors).toEqual([new Error("thrown"), new Error("rejected")]);
  expect(ran).toBe(1);
});

test("a stopped clock reaches a date to the millisecond, even if delays have fractions", async () => {
  const { clock, ran, note } = standing();
  clock.after(0.4, () => {
    clock.after(1_000 - (clock.now().getTime() - origin), note("date"));
  });
  await clock.advance(1_000);
  expect(ran).toEqual([["date", 1_000]]);
});

test("a stopped clock runs tasks in the same order, however the time is split into steps", async () => {
  const tasks = fc.array(fc.record({ at: fc.nat(50), adds: fc.array(fc.nat(20), { maxLength: 3 }) }), {
    maxLength: 12,
  });
  const steps = fc.array(fc.nat(30), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(tasks, steps, async (plan, cuts) => {
      const run = async (lengths: readonly number[]) => {
        const { clock, ran, note } = standing();
        for (const [index, { at, adds }] of plan.entries()) {
          clock.after(at, () => {
            note(`${index}`)();
            for (const wait of adds) clock.after(wait, note(`${index}+${wait}`));
          });
        }
        for (const length of lengths) await clock.advance(length);
        return ran;
      };
      const whole = cuts.reduce((sum, cut) => sum + cut, 0);
      const inOne = await run([whole]);
      expect(await run(cuts)).toEqual(inOne);
      const times = inOne.map(([, at]) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }),
    { numRuns: 100 },
  );
});

/** Replaces the timers of the machine in the tests of a block. */
function useFakeTimers(): void {
  beforeEach(() => void jest.useFakeTimers({ now: startAt, doNotFake: ["queueMicrotask", "nextTick"] }));
  afterEach(() => void jest.useRealTimers());
}

describe("a running clock", () => {
  useFakeTimers();

  test.each([
    [1, 10_000],
    [60, 600_000],
    [0.5, 5_000],
  ])("at speed %d advances in ten seconds of the machine by %i ms", async (speed, goneMs) => {
    const clock = createCloudClock({ speed });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(clock.now().getTime() - origin).toBe(goneMs);
    clock.stop();
  });

  test("can be stepped too, and continues from there", async () => {
    const clock = createCloudClock({ speed: 1 });
    const ran: number[] = [];
    clock.after(3_600_000, () => void ran.push(clock.now().getTime() - origin));
    await jest.advanceTimersByTimeAsync(1_000);
    await clock.advance(3_600_000);
    expect(ran).toEqual([3_600_000]);
    expect(clock.now().getTime() - origin).toBe(3_601_000);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(clock.now().getTime() - origin).toBe(3_602_000);
    clock.stop();
  });

  test("never runs backwards if it is stepped while it runs", async () => {
    const clock = createCloudClock({ speed: 60 });
    const seen: number[] = [];
    const look = () => void seen.push(clock.now().getTime() - origin);
    for (let number = 0; number < 20; number++) {
      clock.after(number * 7_000, async () => {
        look();
        await jest.advanceTimersByTimeAsync(40);
        look();
      });
    }
    await Promise.all([clock.advance(50_000), clock.advance(90_000)]);
    look();
    await jest.advanceTimersByTimeAsync(1_000);
    look();
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen).toHaveLength(42);
    clock.stop();
  });

  test("keeps no timer once it is stopped", () => {
    const clock = createCloudClock({ speed: 1 });
    clock.after(1_000, () => undefined);
    expect(jest.getTimerCount()).toBe(1);
    clock.stop();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe("the tasks of a running clock", () => {
  useFakeTimers();

  test("run when they are due, each at its own time", async () => {
    const clock = createCloudClock({ speed: 60 });
    const ran: number[] = [];
    const note = () => void ran.push(clock.now().getTime() - origin);
    clock.after(60_000, note);
    clock.after(30_000, () => {
      note();
      clock.after(15_000, note);
    });
    await jest.advanceTimersByTimeAsync(499);
    expect(ran).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(ran).toEqual([30_000]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(ran).toEqual([30_000, 45_000, 60_000]);
    clock.stop();
  });

  test("run although an earlier asynchronous task has not ended", async () => {
    const clock = createCloudClock({ speed: 1 });
    const ran: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    clock.after(1_000, async () => {
      await held;
      ran.push(`slow at ${clock.now().getTime() - origin}`);
    });
    clock.after(2_000, () => void ran.push(`quick at ${clock.now().getTime() - origin}`));
    await jest.advanceTimersByTimeAsync(5_000);
    release();
    await jest.advanceTimersByTimeAsync(0);
    expect(ran).toEqual(["quick at 2000", "slow at 5000"]);
    clock.stop();
  });

  test("may wait longer than a timer of the machine allows", async () => {
    const clock = createCloudClock({ speed: 1 });
    let ran = 0;
    const sixtyDaysMs = 60 * 24 * 3_600_000;
    clock.after(sixtyDaysMs, () => void ran++);
    await jest.advanceTimersByTimeAsync(sixtyDaysMs - 1);
    expect(ran).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(ran).toBe(1);
    clock.stop();
  });
});

async function hops(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await undefined;
}
