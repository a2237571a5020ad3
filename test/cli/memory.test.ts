import { constants, PerformanceObserver } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { releasingMemory } from "../../lib/cli/memory";

const forced = constants.NODE_PERFORMANCE_GC_FLAGS_FORCED;

/** A garbage collection, as `perf_hooks` reports it. */
interface Collection {
  readonly detail: { readonly flags: number };
}

const connect = async (hostname: string) => `hello from ${hostname}`;

test("collects garbage after every thousand connections, also failed ones, and returns what they return", async () => {
  let collections = 0;
  const collect = () => void collections++;
  const open = releasingMemory(connect, collect);
  for (let made = 0; made < 2_999; made++) expect(await open("a.example.com")).toBe("hello from a.example.com");
  expect(collections).toBe(2);
  const refused = releasingMemory(() => Promise.reject(new Error("refused")), collect);
  for (let made = 0; made < 1_000; made++) await expect(refused()).rejects.toThrow("refused");
  expect(collections).toBe(3);
});

test("asks V8 for a full collection", async () => {
  const flags: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) flags.push((entry as unknown as Collection).detail.flags);
  });
  observer.observe({ entryTypes: ["gc"] });
  const open = releasingMemory(connect);
  for (let made = 0; made < 1_000; made++) await open("a.example.com");
  // Entries are delivered in a later turn.
  for (let turn = 0; turn < 1_000 && !flags.includes(forced); turn++) await nextTurn();
  observer.disconnect();
  expect(flags).toContain(forced);
});
