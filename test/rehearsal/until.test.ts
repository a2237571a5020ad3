import { until } from "../../lib/rehearsal/until";

/** Waits for the given number of polls; each poll advances both clocks. @returns the result and the number of polls */
async function ask(times: number, cloudMs: number, machineMs: number, signal = new AbortController().signal) {
  let asked = 0;
  const clock = { now: () => new Date(asked * cloudMs) };
  const isDone = () => {
    asked += 1;
    return asked === times;
  };
  const came = await until(
    { clock } as unknown as Parameters<typeof until>[0],
    signal,
    isDone,
    () => asked * machineMs,
  );
  return { came, asked };
}

const hourMs = 3_600_000;

test.each<[what: string, cloudMs: number, machineMs: number, came: boolean]>([
  ["within two hours of the cloud's time", hourMs / 2, 60_000, true],
  ["within twenty seconds of the machine's, in which a fast cloud has seen many hours", 10 * hourMs, 5_000, true],
  ["only after both", 2 * hourMs, 20_000, false],
])("waits for a condition that holds %s", async (_, cloudMs, machineMs, came) => {
  expect((await ask(4, cloudMs, machineMs)).came).toBe(came);
});

test("stops waiting when it is stopped", async () => {
  expect(await ask(4, 1, 1, AbortSignal.abort())).toEqual({ came: false, asked: 1 });
});
