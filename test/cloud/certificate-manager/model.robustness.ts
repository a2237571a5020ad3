import { randomInt } from "node:crypto";
import { checkModel } from "./model";

const runs = Number(process.env.RUNS ?? 500);
const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

test(`Certificate Manager does what a simple model of it does, in ${runs} runs`, async () => {
  process.stdout.write(`seed ${seed}\n`);
  await expect(checkModel(runs, seed)).resolves.toBeUndefined();
}, 1_800_000);
