/** Compares Terraform's plans, states and log with the verdict of a rehearsal. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import type { RehearsalResult } from "../rehearsal";
import { runsName } from "../terraform";
import { check, checkWithout, type EvidenceCheck, textOf } from "./evidence-lines";

interface PlannedModule {
  readonly resources?: readonly { readonly address: string; readonly mode?: string }[];
}

interface Change {
  readonly actions: readonly string[];
}

interface PlanJson {
  readonly resource_changes?: readonly { readonly change: Change }[];
  readonly output_changes?: Readonly<Record<string, Change>>;
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

/** @param folder Terraform's folder in the evidence */
export function terraformChecks(folder: string, result: RehearsalResult): readonly EvidenceCheck[] {
  const plans = namesIn(join(folder, "plans"));
  const states = namesIn(join(folder, "states"));
  const log = readRuns(textOf(join(folder, runsName)));
  return [
    plansCheck(folder, plans, log, result),
    statesCheck(folder, plans, states),
    runsCheck(log, states.length, result),
  ];
}

/** Returns the sorted names in a folder; an empty list if the folder can't be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/**
 * Reads something from a plan or a state.
 *
 * @param read throws for a document that Terraform did not write
 * @throws InputError `evidence-unreadable`
 */
export function readEvidenceJson<Document, Found>(file: string, read: (document: Document) => Found): Found {
  try {
    return read(JSON.parse(readFileSync(file, "utf8")) as Document);
  } catch {
    throw new InputError("evidence-unreadable", `${quote(file)} is missing, or is not a JSON file of Terraform`);
  }
}

/**
 * Checks that the plan after each apply is empty. Without faults, each successful apply must have a plan after it. With
 * faults, an apply may wait at a gate and run again.
 */
function plansCheck(
  folder: string,
  all: readonly string[],
  { runs }: Log,
  { faultCounts, kills, stopped }: RehearsalResult,
): EvidenceCheck {
  const names = all.filter((name) => name.endsWith("-after.json"));
  const applied = runs.filter(({ words, end }) => isApply(words) && end === "exit code 0").length;
  const isUndisturbed = kills === 0 && faultCounts.every(({ count }) => count === 0) && stopped !== true;
  const changing = names.filter((name) => readEvidenceJson(join(folder, "plans", name), isChanging));
  const isEach = names.length > 0 && (!isUndisturbed || names.length >= applied);
  return check(
    "plans after each apply",
    isEach && changing.length === 0,
    changing.length > 0 ? `not empty: ${changing.join(", ")}` : `${names.length} of ${applied}, all empty`,
  );
}

function isChanging({ resource_changes: resources = [], output_changes: outputs = {} }: PlanJson): boolean {
  const changes = [...resources.map(({ change }) => change), ...Object.values(outputs)];
  return changes.some(({ actions }) => actions.some((action) => action !== "no-op" && action !== "read"));
}

/** Checks that the state after a successful apply has exactly the resources of its plan. */
function statesCheck(folder: string, plans: readonly string[], states: readonly string[]): EvidenceCheck {
  const ended = plans.filter((name) => name.endsWith("-after.json")).map((name) => name.replace("-after.json", ""));
  const missing = ended.filter((number) => !states.includes(`${number}.json`));
  const unlike = ended
    .filter((number) => !missing.includes(number))
    .filter((number) => {
      const planned = readEvidenceJson(join(folder, "plans", `${number}-apply.json`), addressesOfPlan);
      const made = readEvidenceJson(join(folder, "states", `${number}.json`), addressesOfState);
      return planned.join() !== made.join();
    });
  const wrong = [
    ...missing.map((number) => `none after ${number}`),
    ...unlike.map((number) => `${number} is not as planned`),
  ];
  const result = checkWithout(wrong, "states", `${ended.length} as planned`);
  return { ...result, ok: result.ok && ended.length > 0 };
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

interface LoggedRun {
  readonly words: string;
  /** How the run ended, for example `exit code 0`; absent if the log has no end. */
  readonly end?: string;
  readonly hasError: boolean;
}

interface Log {
  readonly runs: readonly LoggedRun[];
  /** Number of lines that belong to no run. */
  readonly strays: number;
}

function isApply(words: string): boolean {
  return / apply /.test(words);
}

/**
 * Checks the log: every run has an end, and a successful run has no error. A failed apply has an error, and every state
 * has an apply. After a destroyed rehearsal, the last run is a destroy.
 */
function runsCheck({ runs, strays }: Log, states: number, { destroyed, stopped }: RehearsalResult): EvidenceCheck {
  const ends = runs.filter(({ end }) => end !== undefined).length;
  const applies = runs.filter(({ words }) => isApply(words)).length;
  const denied = runs.filter(({ words, end, hasError }) => hasError && isGood(words, end));
  const isFailure = ({ words, end }: LoggedRun) => isApply(words) && end === "exit code 1" && stopped !== true;
  const silent = runs.filter((run) => isFailure(run) && !run.hasError);
  const last = runs.at(-1);
  const isDestroyed = last !== undefined && / destroy(?: |$)/.test(last.words) && last.end === "exit code 0";
  const wrong = [
    ...denied.map(({ words }) => `an error in ${quote(words)}, which ended well`),
    ...silent.map(({ words }) => `no error in ${quote(words)}, which did not end well`),
    ...(strays > 0 ? [`${strays} lines of no run`] : []),
    ...(destroyed && !isDestroyed ? ["the last run is not a successful destroy"] : []),
  ];
  return check(
    "Terraform runs",
    applies > 0 && applies >= states && ends >= runs.length && wrong.length === 0,
    [`${runs.length}, ${ends} ended, ${applies} applied, ${states} states`, ...wrong].join("; "),
  );
}

/** Returns whether a run succeeded. A plan ends with exit code 2 if there are changes. */
function isGood(words: string, end: string | undefined): boolean {
  return end === "exit code 0" || (end === "exit code 2" && / plan /.test(words));
}

function readRuns(text: string): Log {
  const runs: LoggedRun[] = [];
  let open: LoggedRun | undefined;
  let strays = 0;
  for (const line of text.split("\n")) {
    if (line.startsWith("$ ")) {
      if (open !== undefined) runs.push(open);
      open = { words: line.slice(2), hasError: false };
    } else if (open === undefined) {
      if (line !== "") strays += 1;
    } else if (/^(?:exit code \d+|killed)$/.test(line)) {
      runs.push({ ...open, end: line });
      open = undefined;
    } else if (/^(?:│ )?Error: /.test(line)) {
      open = { ...open, hasError: true };
    }
  }
  return { runs: open === undefined ? runs : [...runs, open], strays };
}
