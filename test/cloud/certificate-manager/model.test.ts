import { randomInt } from "node:crypto";
import { checkModel } from "./model";
import { startAlone, startWhole, useWhole } from "./model-subjects";

// What fails is told by fast-check, together with the shortest list of commands that does.
test("Certificate Manager does what a simple model of it does, whatever it is asked", async () => {
  await expect(checkModel(startAlone, { runs: 20, seed: randomInt(2 ** 31) })).resolves.toBeUndefined();
}, 30_000);

test("so does the whole cloud, with its own DNS and authority", async () => {
  await using cloud = await startWhole();
  const scope = { runs: 30, seed: randomInt(2 ** 31), maxCommands: 40 };
  await expect(checkModel(() => useWhole(cloud), scope)).resolves.toBeUndefined();
}, 30_000);
