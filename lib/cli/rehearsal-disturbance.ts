import { existsSync } from "node:fs";
import type { FaultPlan } from "../cloud";
import { InputError } from "../errors";
import { quote } from "../quote";
import type { RehearsalOptions } from "../rehearsal";
import type { Invocation } from "./command";
import { readTextFile } from "./files";
import { safe } from "./text";

/** What goes wrong, from a scenario of the matrix or a file. */
export async function readDisturbance(options: Invocation["options"]): Promise<Partial<RehearsalOptions>> {
  const { disturbances } = require("../rehearsal") as typeof import("../rehearsal");
  const { readFaultPlan } = require("../cloud") as typeof import("../cloud");
  const given = options.faults as string | undefined;
  const seed = readSeed(options.seed as string | undefined);
  const seeded = (faults: FaultPlan | undefined) =>
    faults === undefined ? {} : { faults: seed === undefined ? faults : { ...faults, seed } };
  if (given === undefined) return seeded(seed === undefined ? undefined : {});
  const scenario = disturbances.find(({ name }) => name === given);
  if (scenario === undefined) {
    if (/^[a-z0-9-]+$/.test(given) && !existsSync(given)) {
      const names = disturbances.map(({ name }) => name).join(", ");
      throw new InputError(
        "faults-unknown",
        `--faults ${quote(given)} is neither a file nor a scenario of trouble alone; there are ${names}`,
      );
    }
    return seeded(readFaultPlan(parseJson(await readTextFile(given, "--faults"))));
  }
  const { faults, kills, cloud, attempts, order, mend } = scenario;
  return { ...seeded(faults), ...defined({ kills, cloud, attempts, order, mend }) };
}

/** Without what is undefined. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}

function readSeed(value: string | undefined): number | undefined {
  if (value === undefined || /^\d{1,15}$/.test(value)) return value === undefined ? undefined : Number(value);
  throw new InputError("seed-malformed", `--seed ${quote(value)} is not a whole number from 0`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError("json-malformed", `--faults is not JSON: ${safe((error as Error).message.slice(0, 200))}`);
  }
}
