import fc from "fast-check";
import { createActivityStore, type TailCursor, type TailOptions, tailActivities } from "../../../lib/audit";
import { assignRole, record } from "../activities";
import { storeSource } from "../store-source";
import { roleOf } from "./entries";

const start = Date.parse("2026-11-21T10:00:00Z");

test("writes each event once, whatever the order of arrival and wherever the process stops", async () => {
  const happening = fc.record({
    atSecond: fc.integer({ min: 0, max: 120 }),
    lateSeconds: fc.integer({ min: 0, max: 60 }),
    siblings: fc.integer({ min: 1, max: 3 }),
  });
  const run = fc.record({
    atSecond: fc.integer({ min: 0, max: 150 }),
    lastStep: fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined }),
  });
  const all = fc.tuple(fc.array(happening, { maxLength: 12 }), fc.array(run, { maxLength: 10 }));
  await fc.assert(
    fc.asyncProperty(all, async ([happenings, runs]) => {
      let clock = start;
      const now = () => new Date(clock);
      const store = createActivityStore({ now });
      const happened: string[] = [];
      for (const [index, { atSecond, lateSeconds, siblings }] of happenings.entries()) {
        const names = Array.from({ length: siblings }, (_, sibling) => `${index}.${sibling}`);
        const time = new Date(start + atSecond * 1_000).toISOString();
        const events = names.map((name) => assignRole(name));
        const visibleFrom = new Date(start + (atSecond + lateSeconds) * 1_000);
        store.ingest(record(events, { time, qualifier: String(index) }), { visibleFrom });
        happened.push(...names);
      }
      const { stoppingAt, lines } = memory();
      const inOrder = [...runs].sort((a, b) => a.atSecond - b.atSecond);
      for (const { atSecond, lastStep } of [...inOrder, { atSecond: 300, lastStep: undefined }]) {
        clock = start + atSecond * 1_000;
        await tailActivities({
          source: storeSource(store, now),
          output: { ...stoppingAt(lastStep), format: (entry) => `${roleOf(entry)}\n` },
          timing: { since: new Date(start), lagSeconds: 10, overlapSeconds: 80, windowSeconds: 45, once: true },
          time: { now, sleep: async () => undefined },
        }).catch((error: Error) => {
          if (error.message !== "stopped") throw error;
        });
      }
      expect([...lines()].sort()).toEqual([...happened].sort());
    }),
    { numRuns: 100 },
  );
});

/**
 * Keeps cursor and output in memory across simulated stops at a given step; other tests kill processes that write
 * files.
 */
function memory() {
  let [cursor, output]: [TailCursor | undefined, string] = [undefined, ""];
  const stoppingAt = (lastStep: number | undefined): Pick<TailOptions["output"], "cursor" | "sink"> => {
    let step = 0;
    const pass = () => {
      step += 1;
      if (step === lastStep) throw new Error("stopped");
    };
    return {
      cursor: {
        read: async () => cursor,
        write: async (next) => {
          pass();
          cursor = next;
          pass();
        },
      },
      sink: {
        open: async (position = output.length) => {
          output = output.slice(0, position);
          return position;
        },
        append: async (lines) => {
          const half = Math.floor(lines.length / 2);
          for (const part of [lines.slice(0, half), lines.slice(half)]) {
            pass();
            output += part;
          }
          pass();
          return output.length;
        },
        close: async () => undefined,
      },
    };
  };
  return { stoppingAt, lines: () => output.split("\n").filter((line) => line !== "") };
}
