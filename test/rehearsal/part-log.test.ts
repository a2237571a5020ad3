import type { Pause, Probe } from "../../lib/rehearsal";
import { createPartLog } from "../../lib/rehearsal/part-log";

const probe = (ok: boolean) => ({ time: "", hostname: "example.com", ok }) as unknown as Probe;
const pauseAfter = (...steps: readonly number[]) => ({ steps }) as unknown as Pause;

function logOf() {
  let nowMs = 0;
  const log = createPartLog(() => new Date(nowMs));
  const probes = (good: number, failed = 0) => {
    for (let count = 0; count < good; count += 1) log.observer.probe(probe(true));
    for (let count = 0; count < failed; count += 1) log.observer.probe(probe(false));
  };
  const pass = (milliseconds: number) => {
    nowMs += milliseconds;
  };
  return { log, probes, pass };
}

test("counts the handshakes of each part, and none between two parts", () => {
  const { log, probes } = logOf();
  probes(5);
  log.observer.part({ numbers: [1, 2], name: "step 1, step 2" });
  probes(3, 1);
  log.observer.part({ numbers: [1, 2], name: "step 1, step 2", ok: false, seconds: 1.9 });
  probes(5);
  log.observer.part({ numbers: [], name: "rotation" });
  probes(2);
  log.observer.part({ numbers: [], name: "rotation", ok: false, stopped: true, seconds: 0.5 });
  expect(log.parts).toEqual([
    { numbers: [1, 2], name: "step 1, step 2", state: "failed", seconds: 1.9, handshakes: 4, failed: 1 },
    { numbers: [], name: "rotation", state: "stopped", seconds: 0.5, handshakes: 2, failed: 0 },
  ]);
});

test.each([
  [pauseAfter(3), "pause after step 3"],
  [pauseAfter(4, 6), "pause after steps 4, 6"],
  [pauseAfter(), "pause before the destroy"],
])("counts a pause as a part of its own", async (pause, name) => {
  const { log, probes, pass } = logOf();
  await log.holding(async () => {
    probes(7);
    pass(60_000);
  })(pause);
  expect(log.parts).toEqual([{ numbers: [], name, state: "done", seconds: 60, handshakes: 7, failed: 0 }]);
});
