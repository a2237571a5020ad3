/** Holds what is kept of Terraform against the verdict of a rehearsal: plans, states, and what it said. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import type { RehearsalResult } from "../rehearsal";
import { runsName } from "../terraform";
import { textOf } from "./evidence-lines";

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

/** @param folder of Terraform in the evidence */
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

/** Names in a folder, sorted; none where it is no folder. */
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
 * @param read throws where something is not as Terraform writes it
 * @throws InputError `evidence-unreadable`
 */
export function readJson<Document, Found>(file: string, read: (document: Document) => Found): Found {
  try {
    return read(JSON.parse(readFileSync(file, "utf8")) as Document);
  } catch {
    throw new InputError("evidence-unreadable", `${quote(file)} is not there, or is none of Terraform's files of JSON`);
  }
}

/** A plan after an apply changes nothing; where nothing was in the way, each apply that ended well has one: others may wait at a gate, and are made again. */
function plansCheck(
  folder: string,
  all: readonly string[],
  { runs }: Log,
  { struck, kills, stopped }: RehearsalResult,
): EvidenceCheck {
  const names = all.filter((name) => name.endsWith("-after.json"));
  const applied = runs.filter(({ words, end }) => isApply(words) && end === "exit code 0").length;
  const isUndisturbed = kills === 0 && struck.every(({ count }) => count === 0) && stopped !== true;
  const changing = names.filter((name) => readJson(join(folder, "plans", name), isChanging));
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

/** After an apply that ended well the state has what its plan said, and nothing else. */
function statesCheck(folder: string, plans: readonly string[], states: readonly string[]): EvidenceCheck {
  const ended = plans.filter((name) => name.endsWith("-after.json")).map((name) => name.replace("-after.json", ""));
  const missing = ended.filter((number) => !states.includes(`${number}.json`));
  const unlike = ended
    .filter((number) => !missing.includes(number))
    .filter((number) => {
      const planned = readJson(join(folder, "plans", `${number}-apply.json`), addressesOfPlan);
      const made = readJson(join(folder, "states", `${number}.json`), addressesOfState);
      return planned.join() !== made.join();
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

interface LoggedRun {
  readonly words: string;
  /** As in `exit code 0`; absent where it is not told. */
  readonly end?: string;
  readonly hasError: boolean;
}

interface Log {
  readonly runs: readonly LoggedRun[];
  /** How many lines belong to no run. */
  readonly strays: number;
}

function isApply(words: string): boolean {
  return / apply /.test(words);
}

/** Every run that is told of has an end that it does not deny, an apply that failed says why, every state an apply, and the last of all is a destroy. */
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
    ...(strays > 0 ? [`${strays} lines that no run has told`] : []),
    ...(destroyed && !isDestroyed ? ["the last is no destroy that ended well"] : []),
  ];
  return check(
    "runs of Terraform",
    applies > 0 && applies >= states && ends >= runs.length && wrong.length === 0,
    [`${runs.length} with ${ends} ends, ${applies} of them applied, ${states} states`, ...wrong].join("; "),
  );
}

/** A plan ends with 2 where something would change. */
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
