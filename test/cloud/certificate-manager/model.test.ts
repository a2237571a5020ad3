import { randomInt } from "node:crypto";
import { checkModel } from "./model";
import { startAlone, startWhole, useWhole } from "./model-subjects";

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

// For a failure, fast-check prints the shortest list of commands that causes it.
test("Certificate Manager agrees with a simple model on random requests", async () => {
  await expect(checkModel(startAlone, { runs: 10, seed })).resolves.toBeUndefined();
}, 30_000);

test("the whole cloud agrees with a simple model, with its own DNS and CA", async () => {
  await using cloud = await startWhole();
  const scope = { runs: 15, seed, maxCommands: 40 };
  await expect(checkModel(() => useWhole(cloud), scope)).resolves.toBeUndefined();
}, 30_000);
