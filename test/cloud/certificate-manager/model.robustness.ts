import { randomInt } from "node:crypto";
import { checkModel } from "./model";
import { startAlone, startWhole, useWhole } from "./model-subjects";

const runs = Number(process.env.RUNS ?? 500);
const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

test(`Certificate Manager does what a simple model of it does, in ${runs} runs`, async () => {
  process.stdout.write(`seed ${seed}\n`);
  await expect(checkModel(startAlone, { runs, seed })).resolves.toBeUndefined();
}, 1_800_000);

test(`so does the whole cloud, in ${runs} runs`, async () => {
  await using cloud = await startWhole();
  await expect(checkModel(() => useWhole(cloud), { runs, seed })).resolves.toBeUndefined();
}, 1_800_000);
