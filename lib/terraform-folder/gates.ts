import type { ProgramRun } from "../gate-call";
import { type Fields, fieldsOf, isFields } from "../json/fields";

/** The provisioners of a file in JSON syntax. */
interface Provisioners {
  /** Commands with their variables, which {@link withGateRuns} replaces. */
  readonly gateRuns: readonly ProgramRun[];
  /** Kinds of the other provisioners, for example `remote-exec`. A copy would run them unchanged. */
  readonly others: readonly string[];
}

/** Returns the provisioners of a file: those in the forms in which this package writes gates, and all others. */
export function provisionersIn(json: Fields): Provisioners {
  const gateRuns: ProgramRun[] = [];
  const rest = mapGates(json, (_, runs) => {
    gateRuns.push(...runs);
    return undefined;
  });
  return { gateRuns, others: kindsIn(rest) };
}

/** Returns the names of the resources that are gates. */
export function gateNamesIn(json: Fields): readonly string[] {
  const { terraform_data: blocks } = fieldsOf(json.resource);
  return Object.entries(fieldsOf(blocks)).flatMap(([name, block]) => (gateRunsOf(block) === undefined ? [] : [name]));
}

/** Returns a file with other commands for its gates. */
export function withGateRuns(json: Fields, change: (run: ProgramRun) => ProgramRun): Fields {
  return mapGates(json, (block, runs) => ({
    ...block,
    provisioner: runs.map((run) => ({ "local-exec": change(run) })),
  }));
}

/** @param change returns a block that has gates as it is to be, or undefined to remove it */
function mapGates(json: Fields, change: (block: Fields, runs: readonly ProgramRun[]) => Fields | undefined): Fields {
  const resource = fieldsOf(json.resource);
  if (!isFields(resource.terraform_data)) return json;
  const blocks = Object.entries(resource.terraform_data).flatMap(([name, block]) => {
    const runs = gateRunsOf(block);
    const changed = runs === undefined ? block : change(block as Fields, runs);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return { ...json, resource: { ...resource, terraform_data: Object.fromEntries(blocks) } };
}

/** Returns the commands of a block if each of its provisioners is a `local-exec` with a command and variables alone. */
function gateRunsOf(block: unknown): readonly ProgramRun[] | undefined {
  const { provisioner } = fieldsOf(block);
  if (!Array.isArray(provisioner)) return undefined;
  const runs = provisioner.map((call) => {
    const { "local-exec": run, ...otherKinds } = fieldsOf(call);
    const { command, environment, ...otherArguments } = fieldsOf(run);
    const isPlain = Object.keys(otherKinds).length === 0 && Object.keys(otherArguments).length === 0;
    if (!isPlain || typeof command !== "string") return undefined;
    return environment === undefined ? { command } : isTexts(environment) ? { command, environment } : undefined;
  });
  return runs.every((run) => run !== undefined) ? runs : undefined;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && Object.values(value).every((member) => typeof member === "string");
}

function kindsIn(json: unknown): readonly string[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    if (name !== "provisioner") return kindsIn(value);
    return [value].flat().flatMap((block) => Object.keys(fieldsOf(block)));
  });
}
