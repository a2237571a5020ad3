import { existsSync } from "node:fs";
import type { FaultPlan } from "../../../cloud";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import type { RehearsalOptions } from "../../../rehearsal";
import { quote } from "../../../text/quote";
import type { ExitCode, Invocation, Io } from "../../command";
import { readJsonFile } from "../../files";
import { folderFor } from "../../style";
import { adviceOn } from "../../suggest";
import { formatTable, jsonDocument } from "../../text";

/** Maximum seed; larger seeds would repeat the sequence from 0. */
const largestSeed = 2 ** 32 - 1;

/** Reads the faults to inject, from a scenario of the matrix or a file. */
export async function readDisturbance(options: Invocation["options"], io: Io): Promise<Partial<RehearsalOptions>> {
  const { disturbances } = require("../../../rehearsal") as typeof import("../../../rehearsal");
  const { readFaultPlan } = require("../../../cloud") as typeof import("../../../cloud");
  const given = options.faults as string | undefined;
  const seed = readSeed(options.seed as string | undefined);
  const seeded = (faults: FaultPlan | undefined) =>
    faults === undefined ? {} : { faults: seed === undefined ? faults : { ...faults, seed } };
  if (given === undefined) return seeded(seed === undefined ? undefined : {});
  const scenario = disturbances.find(({ name }) => name === given);
  if (scenario !== undefined) {
    const { faults, kills, losesState, cloud, attempts, order, mend } = scenario;
    return { ...seeded(faults), ...defined({ kills, losesState, cloud, attempts, order, mend }) };
  }
  if (isName(given) && !existsSync(given)) {
    const names = disturbances.map(({ name }) => name);
    const advice = adviceOn(given, names, "'--faults list' lists the scenarios");
    throw new InputError("faults-unknown", `--faults ${quote(given)} is neither a file nor a scenario; ${advice}`);
  }
  return seeded(readFaultPlan(await readJsonFile(given, "--faults", io)));
}

/** Value of `--faults` that lists the scenarios instead of running one. */
export const listWord = "list";

export function listScenarios(options: Invocation["options"], io: Io): ExitCode {
  const { disturbances } = require("../../../rehearsal") as typeof import("../../../rehearsal");
  const scenarios = disturbances.map(({ name, summary }) => ({ name, description: summary }));
  const rows = scenarios.map(({ name, description }) => [name, description]);
  const fold = folderFor(io, "stdout");
  io.stdout.write(
    options.json === true
      ? jsonDocument({ scenarios }, 0)
      : formatTable(["SCENARIO", "WHAT HAPPENS"], rows, (cell) => cell, fold),
  );
  return 0;
}

/** Returns whether the value looks like a name rather than a file. */
function isName(given: string): boolean {
  return /^[\w -]+$/.test(given);
}

function readSeed(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value) && Number(value) <= largestSeed) return Number(value);
  throw new InputError("seed-malformed", `--seed ${quote(value)} is not a whole number from 0 to ${largestSeed}`);
}
