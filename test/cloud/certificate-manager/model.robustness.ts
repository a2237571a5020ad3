import { randomInt } from "node:crypto";
import { checkModel } from "./model";
import { startAlone, startWhole, useWhole } from "./model-subjects";

const runs = Number(process.env.RUNS ?? 500);
const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

test(`Certificate Manager agrees with a simple model in ${runs} random runs`, async () => {
  process.stdout.write(`seed ${seed}\n`);
  await expect(checkModel(startAlone, { runs, seed })).resolves.toBeUndefined();
}, 1_800_000);

test(`the whole cloud agrees with a simple model in ${runs} random runs`, async () => {
  await using cloud = await startWhole();
  await expect(checkModel(() => useWhole(cloud), { runs, seed })).resolves.toBeUndefined();
}, 1_800_000);
