import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../errors";
import { withRemedy } from "../findings/finding";
import { defined } from "../json/defined";
import { isFields, parseJson } from "../json/fields";
import type { WatchStart } from "../live/watch";
import { projectIn } from "../resource-names";
import type { MigrationSource, SourceMigration } from "../source";
import { quote } from "../text/quote";
import type { Io } from "./command";
import { type OptionValues, value } from "./declare";
import { readStackFile, stackFile, stackFolder } from "./files";
import * as load from "./load";
import { nameOfInput, readInput } from "./standard-input";
import { writeLine } from "./text";
import { projectId } from "./value-types";

export const sourceOptions = {
  "--spec <file>": "read the migration from this file, for example migration.yaml; - for standard input",
  "--stack <folder>":
    "read the migration from a synthesized stack, for example cdktf.out/stacks/shop, or from a Terraform folder with a module of 'synth'",
  "--outputs <file>": "read the migration from the output of 'terraform output -json'; - for standard input",
  "--migration <path>": "construct path of one migration in a stack; default: all migrations",
  "--project <id>": value(
    projectId,
    "project of resources without a project; default: GOOGLE_CLOUD_PROJECT, then GOOGLE_PROJECT",
  ),
} as const;

export type SourceOptions = OptionValues<typeof sourceOptions>;

export function hasSource({ spec, stack, outputs }: SourceOptions): boolean {
  return [spec, stack, outputs].some((named) => named !== undefined);
}

/** Reads the migrations that the options name, and writes warnings of the plan to stderr. */
export async function readSource(options: SourceOptions, io: Io): Promise<MigrationSource> {
  const { spec, stack, outputs, migration } = options;
  const given = Object.entries({ "--spec": spec, "--stack": stack, "--outputs": outputs })
    .filter(([, named]) => named !== undefined)
    .map(([flag]) => flag);
  if (given.length === 0) {
    throw new InputError("source-missing", "the migration is missing; use one of --spec, --stack, --outputs");
  }
  if (given.length > 1) {
    const message = `${given.join(" and ")} each name a migration; use only one of them`;
    throw new InputError("source-twice", message);
  }
  const project = readProject(options, io);
  const read =
    spec === undefined ? await readApplied(stack, outputs, project, io) : await readSpec(spec, "--spec", project, io);
  if (migration === undefined) return read;
  const migrations = read.migrations.filter(({ path }) => path === migration);
  if (migrations.length > 0) return { ...read, migrations };
  const paths = read.migrations.map(({ path }) => path).join(", ");
  throw new InputError("migration-unknown", `--migration: ${quote(migration)} is not there; there are ${quote(paths)}`);
}

/**
 * Returns the default project, for resources that name none: `--project`, else `GOOGLE_CLOUD_PROJECT`, else
 * `GOOGLE_PROJECT`.
 */
export function readProject({ project }: Pick<SourceOptions, "project">, { env }: Io): string | undefined {
  if (project !== undefined) return project;
  const place = env.GOOGLE_CLOUD_PROJECT === undefined ? "GOOGLE_PROJECT" : "GOOGLE_CLOUD_PROJECT";
  const named = env[place] ?? "";
  return named === "" ? undefined : projectId.read(named, place);
}

/**
 * Reads a migration spec and plans it.
 *
 * @param path path of the file, or `-` for standard input. The spec names files relative to its own folder, or to the
 * working folder if it comes from standard input.
 */
export async function readSpec(
  path: string,
  option: string,
  project: string | undefined,
  io: Io,
): Promise<MigrationSource> {
  const { sourceFromSpec } = load.source();
  const { text, reading } = await readSpecText(path, option, io);
  const source = sourceFromSpec(text, { ...reading, now: io.now(), ...defined({ project }) });
  writeWarnings(source.warnings, io);
  return source;
}

/** Reads the text of a spec, with the options of its parsers. */
export async function readSpecText(path: string, option: string, io: Io) {
  const readFile = (named: string) => readFileSync(resolve(dirname(path), named), "utf8");
  return { text: await readInput(path, option, io), reading: { source: nameOfInput(path), readFile } };
}

export function writeWarnings(warnings: MigrationSource["warnings"], io: Io): void {
  for (const found of warnings) writeLine(`warning: ${withRemedy(found)} [${found.code}]`, io, "stderr");
}

async function readApplied(
  stack: string | undefined,
  outputs: string | undefined,
  project: string | undefined,
  io: Io,
): Promise<MigrationSource> {
  const { sourceFromOutputs } = load.source();
  if (stack !== undefined) {
    const file = join(stackFolder(stack), stackFile);
    return readModules(file, project, io) ?? readStack(await readStackFile(file, io.signal), file, project, io);
  }
  const path = outputs ?? "";
  return sourceFromOutputs(await readInput(path, "--outputs", io), nameOfInput(path));
}

/** Reads a synthesized stack. Terraform reads the values of its variables from files in its folder too. */
function readStack(text: string, file: string, project: string | undefined, { env }: Io): MigrationSource {
  const { sourceFromStack } = load.source();
  const { stackWithValues } = load.terraformFolder();
  const json = parseJson(text);
  // `sourceFromStack` reports a text that is no stack.
  const known = isFields(json) ? JSON.stringify(stackWithValues(dirname(file), json, env)) : text;
  return sourceFromStack(known, file, project);
}

/**
 * Reads the modules of `cert-migration synth` that a folder of Terraform contains or calls.
 *
 * @param file path of the stack's own file; if it exists, the folder is a stack
 * @returns undefined for a stack, and for a folder without such modules
 */
function readModules(file: string, project: string | undefined, { env }: Io): MigrationSource | undefined {
  const { sourceFromStack } = load.source();
  const { modulesWithValuesIn } = load.terraformFolder();
  if (existsSync(file)) return undefined;
  const read = modulesWithValuesIn(dirname(file), env).map((module) =>
    sourceFromStack(JSON.stringify(module.json), module.file, project),
  );
  const [first] = read;
  return first === undefined ? undefined : { ...first, migrations: read.flatMap(({ migrations }) => migrations) };
}

/** A migration whose hostnames a command has checked, for the title of a report. */
export type CheckedMigration = NonNullable<WatchStart["migrations"]>[number];

/** Returns the names of migrations, with their projects as far as known. */
export function checkedMigrations(migrations: readonly SourceMigration[]): readonly CheckedMigration[] {
  return migrations.map(({ path, certificates, entries, map }) => {
    const ids = [...certificates, ...entries, ...(map === undefined ? [] : [map])].flatMap(({ id }) => id ?? []);
    const project = ids.map(projectIn).find((id) => id !== undefined);
    return { name: path, ...defined({ project }) };
  });
}
