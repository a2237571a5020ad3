import fc from "fast-check";
import { type Check, runChecks } from "../../../lib/live/run-checks";

type Outcome = Awaited<ReturnType<Check["attempt"]>>;

const outcome = fc.constantFrom<Outcome>("settled", "once", "later");

test("ends every check once, settled or given up, within the limit of concurrent attempts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ lane: fc.constantFrom("a", "b", "c"), outcomes: fc.array(outcome, { maxLength: 6 }) }), {
        maxLength: 30,
      }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 40 }),
      async (scripts, concurrency, withinMs) => {
        let time = 0;
        let atOnce = 0;
        let most = 0;
        const ends = scripts.map(() => [] as string[]);
        const checks = scripts.map(({ lane, outcomes }, index): Check => {
          const script = [...outcomes];
          return {
            lane,
            attempt: async () => {
              atOnce += 1;
              most = Math.max(most, atOnce);
              await Promise.resolve();
              atOnce -= 1;
              const next = script.shift() ?? "settled";
              if (next === "settled") ends[index]?.push("settled");
              return next;
            },
            giveUp: () => ends[index]?.push("given up"),
          };
        });
        await runChecks(checks, {
          concurrency,
          deadline: withinMs,
          pauseMs: 10,
          signal: new AbortController().signal,
          now: () => time,
          sleep: async (milliseconds) => {
            time += milliseconds;
          },
        });
        expect(ends.map(({ length }) => length)).toEqual(scripts.map(() => 1));
        expect(most).toBeLessThanOrEqual(concurrency);
        // Every check runs once before any check is retried.
        const first = scripts.map(({ outcomes: [only = "settled"] }) => withinMs > 0 && only === "settled");
        expect(ends.filter((_, index) => first[index]).flat()).toEqual(first.filter(Boolean).map(() => "settled"));
      },
    ),
  );
});

test("keeps the places of others free if an address does not answer", async () => {
  const order: string[] = [];
  const stopped = new AbortController();
  const check = (lane: string, attempt: Check["attempt"]): Check => ({ lane, attempt, giveUp: () => {} });
  const checks = [
    ...Array.from({ length: 50 }, () => check("dead", () => new Promise(() => {}))),
    ...Array.from({ length: 50 }, (_, index) =>
      check("alive", async () => {
        order.push("alive");
        if (index === 49) stopped.abort();
        return "settled";
      }),
    ),
  ];
  const options = { concurrency: 4, deadline: 1_000, pauseMs: 10, signal: stopped.signal, now: () => 0 };
  await runChecks(checks, { ...options, sleep: async () => {} });
  expect(order).toHaveLength(50);
});

test("ends the run with the error of an attempt that throws", async () => {
  const broken: Check = { attempt: () => Promise.reject(new Error("broken")), giveUp: () => {} };
  const options = { concurrency: 1, deadline: 1_000, pauseMs: 10, signal: new AbortController().signal, now: () => 0 };
  await expect(runChecks([broken], { ...options, sleep: async () => {} })).rejects.toThrow("broken");
});

test("gives the place of a hanging attempt to the next after a second", async () => {
  jest.useFakeTimers();
  try {
    const stopping = new AbortController();
    const ends: string[] = [];
    const hangs: Check = { attempt: () => new Promise(() => {}), giveUp: () => ends.push("given up") };
    const next: Check = {
      attempt: async () => {
        ends.push("tried");
        stopping.abort();
        return "settled";
      },
      giveUp: () => {},
    };
    const options = { concurrency: 1, deadline: 10_000, pauseMs: 10, signal: stopping.signal, now: () => 0 };
    const run = runChecks([hangs, next], { ...options, sleep: async () => {} });
    await jest.advanceTimersByTimeAsync(1_000);
    await run;
    expect(ends).toEqual(["tried", "given up"]);
  } finally {
    jest.useRealTimers();
  }
});
