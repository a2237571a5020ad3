/** Holds what is kept of Terraform against the verdict of a rehearsal: plans, states, and what it said. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors";
import { quote } from "../quote";
import type { RehearsalResult } from "./rehearsal";
import { runsName } from "./terraform";

/** One thing that the evidence has to show. */
export interface EvidenceCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was counted, or what is wrong. */
  readonly detail: string;
}

export function check(name: string, ok: boolean, detail: string): EvidenceCheck {
  return { name, ok, detail };
}

interface PlannedModule {
  readonly resources?: readonly { readonly address: string; readonly mode?: string }[];
}

interface PlanJson {
  readonly resource_changes?: readonly { readonly change: { readonly actions: readonly string[] } }[];
  readonly planned_values?: { readonly root_module?: PlannedModule };
}

interface StateJson {
  readonly resources?: readonly {
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly index_key?: string | number; readonly deposed?: string }[];
  }[];
}

/** @param folder of Terraform in the evidence */
export function terraformChecks(folder: string, result: RehearsalResult): readonly EvidenceCheck[] {
  const plans = namesIn(join(folder, "plans"));
  const states = namesIn(join(folder, "states"));
  return [
    plansCheck(folder, plans, result),
    statesCheck(folder, plans, states),
    runsCheck(join(folder, runsName), states.length),
  ];
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function readJson<Document>(file: string): Document {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Document;
  } catch {
    throw new InputError("evidence-unreadable", `${quote(file)} is not there, or is not JSON`);
  }
}

/** A plan after an apply changes nothing; where nothing was in the way of any apply, each has one. */
function plansCheck(folder: string, all: readonly string[], { struck, kills }: RehearsalResult): EvidenceCheck {
  const names = all.filter((name) => name.endsWith("-after.json"));
  const applied = all.filter((name) => name.endsWith("-apply.json")).length;
  const isUndisturbed = kills === 0 && struck.every(({ count }) => count === 0);
  const changing = names.filter((name) => {
    const { resource_changes: changes = [] } = readJson<PlanJson>(join(folder, "plans", name));
    return changes.some(({ change }) => change.actions.some((action) => action !== "no-op" && action !== "read"));
  });
  const isEach = names.length > 0 && (!isUndisturbed || names.length >= applied);
  return check(
    "plans after each apply",
    isEach && changing.length === 0,
    changing.length > 0 ? `not empty: ${changing.join(", ")}` : `${names.length} of ${applied}, all empty`,
  );
}

/** After an apply that ended well the state has what its plan said, and nothing else. */
function statesCheck(folder: string, plans: readonly string[], states: readonly string[]): EvidenceCheck {
  const ended = plans.filter((name) => name.endsWith("-after.json")).map((name) => name.replace("-after.json", ""));
  const missing = ended.filter((number) => !states.includes(`${number}.json`));
  const unlike = ended
    .filter((number) => !missing.includes(number))
    .filter((number) => {
      const plan = readJson<PlanJson>(join(folder, "plans", `${number}-apply.json`));
      const state = readJson<StateJson>(join(folder, "states", `${number}.json`));
      return addressesOfPlan(plan).join() !== addressesOfState(state).join();
    });
  const wrong = [
    ...missing.map((number) => `none after ${number}`),
    ...unlike.map((number) => `${number} is not as planned`),
  ];
  return check(
    "states",
    ended.length > 0 && wrong.length === 0,
    wrong.length === 0 ? `${ended.length} as planned` : wrong.join("; "),
  );
}

function addressesOfPlan({ planned_values: planned }: PlanJson): readonly string[] {
  const resources = planned?.root_module?.resources ?? [];
  return resources
    .filter(({ mode }) => mode !== "data")
    .map(({ address }) => address)
    .sort();
}

function addressesOfState({ resources = [] }: StateJson): readonly string[] {
  return resources
    .filter(({ mode }) => mode === "managed")
    .flatMap(({ type, name, instances }) =>
      instances
        .filter(({ deposed }) => deposed === undefined)
        .map(({ index_key: key }) => `${type}.${name}${key === undefined ? "" : `[${JSON.stringify(key)}]`}`),
    )
    .sort();
}

/** Every run that is told of has an end, and every state an apply. */
function runsCheck(file: string, states: number): EvidenceCheck {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const runs = lines.filter((line) => line.startsWith("$ "));
  const ends = lines.filter((line) => /^(?:exit code \d+|killed)$/.test(line)).length;
  const applies = runs.filter((line) => / apply /.test(line)).length;
  return check(
    "runs of Terraform",
    applies > 0 && applies >= states && ends >= runs.length,
    `${runs.length} with ${ends} ends, ${applies} of them applied, ${states} states`,
  );
}
