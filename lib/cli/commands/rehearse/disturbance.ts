import { existsSync } from "node:fs";
import type { FaultPlan } from "../../../cloud";
import { InputError } from "../../../errors";
import type { Disturbance } from "../../../rehearsal";
import { quote } from "../../../text/quote";
import type { ExitCode, Io } from "../../command";
import { readJsonFile } from "../../files";
import * as load from "../../load";
import { adviceOn } from "../../suggest";
import { jsonDocument } from "../../text";
import { writeTable } from "../../text-table";
import type { RehearseOptions } from "./options";

/** Reads the faults to inject, from a scenario of the matrix or a file. */
export async function readDisturbance(
  { faults: given, seed }: Pick<RehearseOptions, "faults" | "seed">,
  io: Io,
): Promise<Partial<Disturbance>> {
  const { disturbances } = load.rehearsal();
  const { readFaultPlan } = load.cloud();
  const seeded = (faults: FaultPlan | undefined) =>
    faults === undefined ? {} : { faults: seed === undefined ? faults : { ...faults, seed } };
  if (given === undefined) return seeded(seed === undefined ? undefined : {});
  const scenario = disturbances.find(({ name }) => name === given);
  if (scenario !== undefined) {
    return { ...scenario, ...seeded(scenario.faults) };
  }
  if (isName(given) && !existsSync(given)) {
    const names = disturbances.map(({ name }) => name);
    const advice = adviceOn(given, names, "'--faults list' lists the scenarios");
    throw new InputError("faults-unknown", `--faults ${quote(given)} is neither a file nor a scenario; ${advice}`);
  }
  return seeded(
    readFaultPlan(
      await readJsonFile(
        given,
        "--faults",
        io,
        "pass a file of faults (docs/rehearsal.md#scenarios), or the name of a scenario",
      ),
    ),
  );
}

export function listScenarios({ json }: RehearseOptions, io: Io): ExitCode {
  const { disturbances } = load.rehearsal();
  const scenarios = disturbances.map(({ name, summary }) => ({ name, description: summary }));
  const rows = scenarios.map(({ name, description }) => [name, description]);
  if (json) io.stdout.write(jsonDocument({ scenarios }, 0));
  else writeTable(["SCENARIO", "WHAT HAPPENS"], rows, io);
  return 0;
}

/** Returns whether the value looks like a name rather than a file. */
function isName(given: string): boolean {
  return /^[\w -]+$/.test(given);
}
