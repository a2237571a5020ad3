import { PartRunner } from "../../lib/rehearsal/part-runner";
import type { Stage } from "../../lib/rehearsal/stage";

const count = { probes: 0, failed: 0, previous: 0, loadBalancer: 0, discarded: 0 };
const stage = {
  prober: { count: () => count, everyHostname: async () => {} },
  noteCertificates: async () => {},
  cloud: { clock: { now: () => new Date("2026-11-21T00:00:00Z") } },
} as unknown as Stage;

const quiet = { say: () => {}, onPart: () => {}, afterSteps: async () => {} };

test("reports which steps a stop prevents, and does not begin them", async () => {
  const stopping = new AbortController();
  const said: string[] = [];
  const runner = new PartRunner(stage, { ...quiet, say: (line) => said.push(line), signal: stopping.signal });
  let begun = 0;
  const work = async () => {
    begun += 1;
    return true;
  };
  expect(await runner.step([1, 2], work)).toBe(true);
  expect(runner.wasStopped).toBe(false);
  stopping.abort();
  expect(await runner.step([3], work)).toBe(false);
  expect(await runner.extra("rotation", work)).toBeUndefined();
  expect({ begun, stopped: runner.wasStopped, steps: runner.steps.map(({ number }) => number) }).toEqual({
    begun: 1,
    stopped: true,
    steps: [1, 2],
  });
  expect(said.slice(1)).toEqual(["not run: step 3 (certificates ACTIVE)", "not run: rotation"]);
});

test.each<[string, (stopping: AbortController) => Promise<boolean>]>([
  [
    "throws the reason of the stop",
    async (stopping) => {
      stopping.abort(new Error("enough"));
      throw stopping.signal.reason;
    },
  ],
  [
    "throws an AbortError",
    async (stopping) => {
      stopping.abort(new Error("enough"));
      throw new DOMException("This operation was aborted", "AbortError");
    },
  ],
])("treats a stopped step that %s as stopped, not as failed", async (_, work) => {
  const stopping = new AbortController();
  const runner = new PartRunner(stage, { ...quiet, signal: stopping.signal });
  expect(await runner.step([3], () => work(stopping))).toBe(false);
  expect(runner.wasStopped).toBe(true);
  expect(runner.steps).toMatchObject([{ number: 3, ok: false, stopped: true, failedHandshakes: 0 }]);
});

test("does not treat another error as a stop, even after a stop", async () => {
  const stopping = new AbortController();
  stopping.abort();
  const runner = new PartRunner(stage, { ...quiet, signal: new AbortController().signal });
  await expect(runner.step([3], async () => Promise.reject(stopping.signal.reason))).rejects.toBe(
    stopping.signal.reason,
  );
});
