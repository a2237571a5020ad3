import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { signalWithin } from "../../lib/async/abort";
import { libSources } from "../support/sources";
import { until } from "../support/until";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Returns a function that returns the name of the abort reason. */
const reasonOf = (signal: AbortSignal) => () => (signal.aborted ? (signal.reason as Error).name : undefined);

test("the time ends although garbage was collected, also for a signal that depends on the signal", async () => {
  const outer = new AbortController();
  const direct = signalWithin(50, outer.signal);
  const nested = signalWithin(60_000, signalWithin(50, outer.signal));
  const derived = AbortSignal.any([signalWithin(50, outer.signal)]);
  // Only listeners refer to a signal that is passed on.
  const heard = new Promise((resolve) => signalWithin(50).addEventListener("abort", resolve));
  // An object is collected in a later turn than that of its creation.
  await sleep(1);
  collectGarbage();
  for (const signal of [direct, nested, derived]) {
    expect(await until(reasonOf(signal), (name) => name !== undefined)).toBe("TimeoutError");
  }
  expect(await heard).toMatchObject({ type: "abort" });
  expect(outer.signal.aborted).toBe(false);
});

test("is aborted with the reason of a given signal, before the time or at the beginning", async () => {
  const outer = new AbortController();
  const signal = signalWithin(60_000, outer.signal);
  collectGarbage();
  outer.abort(new Error("stopped"));
  expect(signal.reason).toEqual(new Error("stopped"));
  expect(signalWithin(60_000, outer.signal).reason).toEqual(new Error("stopped"));
});

test("has a time of more than the longest timer of Node, which would end at once", async () => {
  const outer = new AbortController();
  const signal = signalWithin(2 ** 40, outer.signal);
  await sleep(5);
  expect(signal.aborted).toBe(false);
  outer.abort();
});

test("no call of AbortSignal.any in lib makes its own timeout, to which nothing else would refer", () => {
  const source = libSources.map(({ file, text }) => ({ file, text: text.replace(/\s+/g, " ") }));
  const weak = source.filter(({ text }) => /\[[^\]]*AbortSignal\.timeout\(/.test(text));
  expect(weak.map(({ file }) => file)).toEqual([]);
});
