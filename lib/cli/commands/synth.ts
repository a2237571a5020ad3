import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize, resolve } from "node:path";
import { InputError } from "../../errors";
import type { Gate, MigrationSpec } from "../../plan";
import type { TerraformModule } from "../../terraform-module";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { writeWhole } from "../files";
import { createProgress } from "../progress";
import { readSpecText, writeWarnings } from "../source";
import { safe } from "../text";

export const synthCommand: CommandDetails = {
  description:
    "Writes the resources of a migration as a Terraform module in JSON syntax, to be used with a module block in HCL. The module has no backend and no provider block. Private keys become sensitive variables. The same spec always gives the same text, so the folder can be committed and reviewed; --check compares it in a pipeline.",
  options: [
    { flags: "--spec <file>", description: "migration file, for example migration.yaml; - for standard input" },
    { flags: "--out <folder>", description: "folder of the module; the command writes its main.tf.json" },
    {
      flags: "--gate <kind>",
      description: "replaces the gate in the spec; precondition does not need Node.js where Terraform runs",
      choices: ["wait", "precondition", "check", "none"],
    },
    {
      flags: "--root-blocks <file>",
      description:
        "also write import and moved blocks to this file, for example imports.tf.json; Terraform accepts these blocks only in the root module",
    },
    {
      flags: "--module <name>",
      description:
        "name of the module block, with its key if it has one, for example certificates[0]; default: the name of the folder",
    },
    {
      flags: "--id <id>",
      description: "construct id of the migration, which the resource addresses contain",
      default: "migration",
    },
    {
      flags: "--to-stack",
      description: "with --root-blocks: moved blocks from the module to the addresses of a cdktf or cdktn stack",
    },
    { flags: "--check", description: "compare the files with the result of the spec, and write nothing" },
  ],
  examples: [
    { command: "cert-migration synth --spec migration.yaml --out certificates/", what: "write the module" },
    {
      command: "cert-migration synth --spec migration.yaml --out certificates/ --root-blocks imports.tf.json",
      what: "also write the imports of the root module",
    },
    {
      command: "cert-migration synth --spec migration.yaml --out certificates/ --check",
      what: "check in a pipeline that the module is up to date",
    },
  ],
  exitCodes: { 4: "with --check: a file differs from the result of the spec" },
  run: runSynth,
};

interface Output {
  readonly path: string;
  readonly text: string;
}

async function runSynth({ options }: Invocation, io: Io): Promise<ExitCode> {
  const { moduleFile, rootBlocksOf, terraformModuleOf, writeOnlyVersions } =
    require("../../terraform-module") as typeof import("../../terraform-module");
  const { synthesizeSpec } = require("../synthesize") as typeof import("../synthesize");
  const { spec: source, out, rootBlocks, id } = options as Readonly<Record<string, string | undefined>>;
  if (source === undefined || out === undefined) {
    throw new InputError("synth-option-missing", "give --spec and --out: the migration, and the folder of the module");
  }
  if (options.toStack === true && rootBlocks === undefined) {
    throw new InputError("synth-option-missing", "--to-stack needs --root-blocks: the file of the moved blocks");
  }
  if (rootBlocks !== undefined) refuseRootBlocks(rootBlocks, out);
  const moduleAddress = moduleAddressOf(options, out);
  // The root module decides the version of the provider, not the bindings that are installed here.
  const spec = withKeyStorage(await readMigration(source, options.gate as Gate | undefined, io));
  const isWriteOnly = spec.certificates.some(({ selfManaged }) => selfManaged?.privateKeyStorage === "writeOnly");
  const provider = isWriteOnly ? writeOnlyVersions.google : undefined;
  const stack = withProgress(spec, io, () => synthesizeSpec(spec, "not-in-the-module", id ?? "migration", provider));
  const header = headerOf(options);
  const made = terraformModuleOf(stack, { name: spec.name, header });
  refuseLostImports(made, rootBlocks);
  const path = join(out, moduleFile);
  const outputs: Output[] = [{ path, text: textOf(made.configuration) }];
  if (rootBlocks !== undefined && moduleAddress !== undefined) {
    const direction = options.toStack === true ? "to stack" : "into module";
    outputs.push({ path: rootBlocks, text: textOf(rootBlocksOf(made, { moduleAddress, direction, header })) });
  }
  refuseOtherFiles(out);
  if (options.check === true) return checkFiles(outputs, io);
  for (const output of outputs) await writeGenerated(output, io);
  if (io.quiet !== true) io.stderr.write(`${safe(path)}: ${summaryOf(made)}\n`);
  return 0;
}

/** Returns the migration with a storage for each private key that does not depend on the installed bindings. */
function withKeyStorage(spec: MigrationSpec): MigrationSpec {
  const certificates = spec.certificates.map(({ selfManaged, ...certificate }) =>
    selfManaged === undefined
      ? certificate
      : { ...certificate, selfManaged: { privateKeyStorage: "state" as const, ...selfManaged } },
  );
  return { ...spec, certificates };
}

/** Number of certificates from which a synthesis may take more than 2 seconds. */
const manyCertificates = 100;

function withProgress<Result>({ certificates }: MigrationSpec, io: Io, work: () => Result): Result {
  const progress = createProgress(io);
  if (certificates.length >= manyCertificates) {
    progress.announce(`synthesizing ${countOf(certificates.length, "certificate")}`);
  }
  try {
    return work();
  } finally {
    progress.end();
  }
}

function textOf(configuration: object): string {
  return `${JSON.stringify(configuration, undefined, 2)}\n`;
}

function summaryOf({ addresses, keyVariables }: TerraformModule): string {
  const keys = keyVariables.length === 0 ? "" : `; pass the private keys as ${keyVariables.join(", ")}`;
  return `${countOf(addresses.length, "resource")}${keys}`;
}

/**
 * Reads the spec, and writes the warnings of its plan to stderr. A literal private key is no reason for a warning here,
 * because the module does not contain it.
 */
async function readMigration(path: string, gate: Gate | undefined, io: Io): Promise<MigrationSpec> {
  const { parseMigrationDocument } = require("../../plan") as typeof import("../../plan");
  const { sourceFromSpec } = require("../../source") as typeof import("../../source");
  const { text, reading } = await readSpecText(path, "--spec", io);
  const { warnings } = sourceFromSpec(text, { ...reading, now: io.now() });
  writeWarnings(
    warnings.filter(({ code }) => code !== "private-key-in-stack"),
    io,
  );
  const read = parseMigrationDocument(text, reading);
  if ("problems" in read) throw new InputError(read.problems);
  return gate === undefined ? read.spec : { ...read.spec, gate };
}

/**
 * Returns the address of the module block: `--module`, or the name of the module's folder.
 *
 * @returns undefined if nothing needs the address: without `--root-blocks`, the folder can have any name
 */
function moduleAddressOf({ module, rootBlocks }: Invocation["options"], out: string): string | undefined {
  if (module === undefined && rootBlocks === undefined) return undefined;
  // The name of the current folder would differ between clones, so `.` names nothing.
  const name = typeof module === "string" ? module : basename(normalize(out));
  if (/^[A-Za-z_][\w-]*(?:\[(?:\d+|"[^"\\]*")\])?$/.test(name)) return `module.${name}`;
  const message = `${quote(name)} can't name a module block; give --module with a name of letters, digits, - and _`;
  throw new InputError("module-name-invalid", message);
}

/** Returns the comment of the generated files. It contains no folders, so that every clone gets the same text. */
function headerOf(options: Invocation["options"]): readonly string[] {
  const { headerBegin } = require("../../terraform-module") as typeof import("../../terraform-module");
  const file = (value: unknown) => shellWord(basename(normalize(String(value))));
  const { spec, gate, rootBlocks, module, id, toStack } = options;
  const words = [
    `cert-migration synth --spec ${file(spec)} --out FOLDER`,
    ...(gate === undefined ? [] : [`--gate ${gate}`]),
    ...(rootBlocks === undefined ? [] : [`--root-blocks ${file(rootBlocks)}`]),
    ...(module === undefined ? [] : [`--module ${shellWord(String(module))}`]),
    ...(id === undefined || id === "migration" ? [] : [`--id ${shellWord(String(id))}`]),
    ...(toStack === true ? ["--to-stack"] : []),
  ];
  return [
    headerBegin,
    `To change this module, edit the migration and run, with the module's folder as FOLDER: ${words.join(" ")}`,
  ];
}

/** Returns a word as a POSIX shell reads it, in quotes if necessary. */
function shellWord(text: string): string {
  return /^[\w.,:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Refuses a module whose apply would create resources that already exist. */
function refuseLostImports({ imports }: TerraformModule, rootBlocks: string | undefined): void {
  if (imports.length === 0 || rootBlocks !== undefined) return;
  const first = imports
    .slice(0, 3)
    .map(({ id }) => quote(id))
    .join(", ");
  const message = `the migration takes over ${countOf(imports.length, "existing resource")} (${first}), and Terraform accepts import blocks in the root module only; give --root-blocks, as in --root-blocks imports.tf.json`;
  throw new InputError("root-blocks-missing", message);
}

/** Refuses a file of root blocks that Terraform would not read as a part of the root module. */
function refuseRootBlocks(rootBlocks: string, out: string): void {
  if (!/\.(?:tf|tofu)\.json$/.test(rootBlocks)) {
    const message = `--root-blocks: Terraform does not read ${quote(rootBlocks)}; give a name that ends with .tf.json, as in moves.tf.json`;
    throw new InputError("root-blocks-unusable", message);
  }
  if (resolve(dirname(rootBlocks)) === resolve(out)) {
    const message = `--root-blocks: ${quote(rootBlocks)} is in the folder of the module, and Terraform accepts import blocks in the root module only; give a file in the folder of the root module`;
    throw new InputError("root-blocks-unusable", message);
  }
}

/** Refuses a folder with other files that Terraform would read as parts of the module. */
function refuseOtherFiles(out: string): void {
  const { moduleFile } = require("../../terraform-module") as typeof import("../../terraform-module");
  if (!existsSync(out)) return;
  const others = readdirSync(out).filter((name) => name !== moduleFile && /\.(?:tf|tofu)(?:\.json)?$/.test(name));
  if (others.length === 0) return;
  const message = `--out: the folder ${quote(out)} has other Terraform files (${others.slice(0, 3).map(quote).join(", ")}), which would be parts of the module; move them, or give another folder`;
  throw new InputError("module-folder-taken", message);
}

/** Returns the text of a file, with Unix line ends; undefined if there is none. */
function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").replace(/\r\n/g, "\n") : undefined;
}

function checkFiles(outputs: readonly Output[], io: Io): ExitCode {
  const stale = outputs.flatMap(({ path, text }) => {
    const found = textAt(path);
    if (found === text) return [];
    if (found === undefined) return [`${path} is missing`];
    const [lines, wanted] = [found.split("\n"), text.split("\n")];
    const at = lines.findIndex((line, index) => line !== wanted[index]);
    return [`${path} differs from what the spec gives, first in line ${(at === -1 ? lines.length : at) + 1}`];
  });
  for (const one of stale) io.stdout.write(`${safe(one)}; run 'cert-migration synth' without --check\n`);
  return stale.length === 0 ? 0 : 4;
}

/** Writes a generated file; an unchanged file is not touched. */
async function writeGenerated({ path, text }: Output, io: Io): Promise<void> {
  const { makeFolder } = require("../../files/make-folder") as typeof import("../../files/make-folder");
  const { headerBegin } = require("../../terraform-module") as typeof import("../../terraform-module");
  const found = textAt(path);
  if (found !== undefined && !found.includes(headerBegin)) {
    const message = `${quote(path)} exists and was not written by 'cert-migration synth'; move it, or give another name`;
    throw new InputError("file-not-generated", message);
  }
  if (found !== text) {
    makeFolder(dirname(path));
    await writeWhole(path, text, { force: true });
  }
  io.stdout.write(`${found === text ? "unchanged" : "written"} ${safe(path)}\n`);
}
