import { randomInt } from "node:crypto";
import { checkModel } from "./model";

test("Certificate Manager does what a simple model of it does, whatever it is asked", async () => {
  // The one that fails is told by fast-check, together with the shortest list of commands that does.
  await expect(checkModel(15, randomInt(2 ** 31))).resolves.toBeUndefined();
}, 30_000);
