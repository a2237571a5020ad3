import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, normalize, resolve } from "node:path";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { defined } from "../../json/defined";
import { fieldsOf } from "../../json/fields";
import { type CertificateSpec, formOf, type MigrationPlan, type MigrationSpec } from "../../plan";
import { describeIdsOfService, describeIdsOfTerraform, importsOf, type LeftOutResource } from "../../resource-names";
import type { TerraformModule } from "../../terraform-module";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { ExitCode, Io } from "../command";
import { defineCommand, type OptionValues, text, value } from "../declare";
import { errorCodeOf, writeWhole } from "../files";
import * as load from "../load";
import { createProgress } from "../progress";
import { filesAt } from "../result-files";
import { formWords, type ResultWriter, resultForms, resultWriter } from "../results";
import { readSpecText, writeWarnings } from "../source";
import { writeLine, writeNote } from "../text";
import { oneOf } from "../value-types";
import { type VerdictLine, writeVerdict } from "../verdict";
import { absentKey, checkFiles, lackedKeysOf, type ModuleFile, textAt, withCommittedNames } from "./synth-check";

const synthOptions = {
  "--spec <file>": "migration file, for example migration.yaml; - for standard input",
  "--out <folder>": "folder of the module; the command writes its main.tf.json",
  "--gate <kind>": value(
    oneOf("wait", "precondition", "check", "none"),
    "replaces the gate in the spec; precondition does not need Node.js where Terraform runs",
  ),
  "--root-blocks <file>":
    "also write import and moved blocks to this file, for example imports.tf.json; Terraform accepts these blocks only in the root module",
  "--module <name>":
    "name of the module block, with its key if it has one, for example certificates[0]; default: the name of the folder",
  "--id <id>": value(text, "construct id of the migration, which the resource addresses contain", "migration"),
  "--to-stack": "with --root-blocks: moved blocks from the module to the addresses of a cdktf or cdktn stack",
  "--import-all":
    "with --root-blocks: import blocks for every resource that exists, to continue after Terraform's state is lost",
  "--check": "compare the files with the result of the spec, and write nothing; needs no private key files",
  "--format <form>": value(oneOf("text", ...resultForms), `with --check: text; ${formWords}`, "text"),
};

type SynthOptions = OptionValues<typeof synthOptions>;

export const command = defineCommand({
  description:
    "Writes the resources of a migration as a Terraform module in JSON syntax, to be used with a module block in HCL. The module has no backend and no provider block. Private keys become sensitive variables. The same spec always gives the same text, so the folder can be committed and reviewed; --check compares it in a pipeline.",
  options: synthOptions,
  examples: {
    "cert-migration synth --spec migration.yaml --out certificates/": "write the module",
    "cert-migration synth --spec migration.yaml --out certificates/ --root-blocks imports.tf.json":
      "also write the imports of the root module",
    "cert-migration synth --spec migration.yaml --out certificates/ --root-blocks imports.tf.json --import-all":
      "take over everything that exists, after a lost state",
    "cert-migration synth --spec migration.yaml --out certificates/ --check":
      "check in a pipeline that the module is up to date",
  },
  exitCodes: { 4: "with --check: a file differs from the result of the spec" },
  run: async ({ options }, io) => {
    const { format, check, spec, out, rootBlocks } = options;
    const files = () =>
      filesAt([spec, out && join(out, load.terraformModule().moduleFile), rootBlocks].filter(isFile), io);
    const writer = resultWriter(format, "synth", files, io);
    if (writer === undefined) return runSynth(options, undefined, io);
    if (!check) throw new InputError("format-without-check", `--format ${format} is a result of --check; add --check`);
    return writer.reporting(() => runSynth(options, writer, io));
  },
});

function isFile(path: string | undefined): path is string {
  return path !== undefined && path !== "" && path !== "-";
}

async function runSynth(options: SynthOptions, writer: ResultWriter | undefined, io: Io): Promise<ExitCode> {
  const { spec: source, out, rootBlocks } = options;
  if (source === undefined || out === undefined) {
    throw new InputError("synth-option-missing", "give --spec and --out: the migration, and the folder of the module");
  }
  if (options.toStack && rootBlocks === undefined) {
    throw new InputError("synth-option-missing", "--to-stack needs --root-blocks: the file of the moved blocks");
  }
  if (options.importAll && (rootBlocks === undefined || options.toStack)) {
    const message = "--import-all needs --root-blocks, the file of the import blocks, and excludes --to-stack";
    throw new InputError("synth-option-missing", message);
  }
  if (rootBlocks !== undefined) refuseRootBlocks(rootBlocks, out);
  const moduleAddress = moduleAddressOf(options, out);
  const { moduleFile, readmeFile, readmeOf, rootBlocksOf, terraformModuleOf, testFile, testsOf } =
    load.terraformModule();
  // The root module decides the version of the provider, not the bindings that are installed here.
  const read = await readMigration(source, options, io);
  const spec = withKeyStorage(read.spec);
  const stack = synthesizeModule(spec, options, io);
  const externalPlan = spec.dns.kind === "external" ? read.plan : undefined;
  const made = terraformModuleOf(stack, {
    name: spec.name,
    spec: read.spec,
    header: headerOf({ ...options, ...withoutRootBlocks }),
    ...defined({ externalPlan }),
  });
  refuseLostImports(made, rootBlocks);
  if (options.importAll) noteLeftOut(made, io);
  const path = join(out, moduleFile);
  const outputs: ModuleFile[] = [
    { path, text: textOf(made.configuration) },
    { path: join(out, testFile), text: testsOf(made, read.spec) },
    ...ownReadme({ path: join(out, readmeFile), text: readmeOf(made, spec.name) }, io),
  ];
  if (rootBlocks !== undefined && moduleAddress !== undefined) {
    const direction = options.toStack ? "to stack" : "into module";
    const header = headerOf(options);
    outputs.push({ path: rootBlocks, text: textOf(rootBlocksOf(made, { moduleAddress, direction, header })) });
  }
  refuseOtherFiles(out);
  if (options.check) return checkFiles(withCommittedNames(outputs, path, read.lackedKeys, made), writer, io);
  for (const output of outputs) await writeGenerated(output, io);
  const { describeReplacement, uploadedReplacements } = load.plan();
  for (const next of read.plan === undefined ? [] : uploadedReplacements(read.plan)) {
    writeNote("uploaded-replacement", describeReplacement(next), io);
  }
  const verdict: VerdictLine = { state: "done", headline: path, rest: `: ${summaryOf(made)}` };
  if (io.quiet !== true) writeVerdict(verdict, io, "stderr");
  return 0;
}

/** Returns the migration with a storage for each private key that does not depend on the installed bindings. */
function withKeyStorage(spec: MigrationSpec): MigrationSpec {
  return { ...spec, certificates: spec.certificates.map(withStoredKey) };
}

function withStoredKey(certificate: CertificateSpec): CertificateSpec {
  if ("kind" in certificate && certificate.kind === "selfManaged")
    return { privateKeyStorage: "state", ...certificate };
  if (!("selfManaged" in certificate) || certificate.selfManaged === undefined) return certificate;
  return { ...certificate, selfManaged: { privateKeyStorage: "state", ...certificate.selfManaged } };
}

/** Number of certificates from which a synthesis may take more than 2 seconds. */
const manyCertificates = 100;

function synthesizeModule(spec: MigrationSpec, { id, importAll: importsAll }: SynthOptions, io: Io) {
  const isWriteOnly = spec.certificates.some(
    (certificate) => formOf(certificate).selfManaged?.privateKeyStorage === "writeOnly",
  );
  const provider = isWriteOnly ? load.terraformModule().writeOnlyVersions.google : undefined;
  const progress = createProgress(io);
  if (spec.certificates.length >= manyCertificates) {
    progress.announce(`synthesizing ${countOf(spec.certificates.length, "certificate")}`);
  }
  try {
    return load
      .synthesize()
      .synthesizeSpec(spec, "not-in-the-module", { id, isModule: true, importsAll, ...defined({ provider }) });
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

interface ReadMigration {
  readonly spec: MigrationSpec;
  readonly plan: MigrationPlan | undefined;
  /** Indices of the certificates whose key file does not exist. */
  readonly lackedKeys: readonly number[];
}

/**
 * Reads the spec, and writes the warnings of its plan to stderr. A literal private key is no reason for a warning here,
 * because the module does not contain it; `--check` therefore needs no key files.
 */
async function readMigration(path: string, options: SynthOptions, io: Io): Promise<ReadMigration> {
  const { parseMigrationDocument } = load.plan();
  const { sourceFromSpec } = load.source();
  const { text: specText, reading } = await readSpecText(path, "--spec", io);
  const lacked = options.check ? lackedKeysOf(parseMigrationDocument(specText, reading)) : [];
  const readFile = (name: string) => {
    try {
      return reading.readFile(name);
    } catch (error) {
      if (lacked.length > 0 && errorCodeOf(error) === "ENOENT") return absentKey;
      throw error;
    }
  };
  const { spec, plan, warnings } = sourceFromSpec(specText, { ...reading, readFile, now: io.now() });
  writeWarnings(
    warnings.filter(({ code }) => code !== "private-key-in-stack"),
    io,
  );
  for (const index of lacked) {
    const message = `the key file of certificates[${index}] does not exist here: --check would not notice another key`;
    writeNote("private-key-unchecked", message, io);
  }
  const { gate } = options;
  return { spec: gate === undefined ? spec : { ...spec, gate }, plan, lackedKeys: lacked };
}

/**
 * Returns the address of the module block: `--module`, or the name of the module's folder.
 *
 * @returns undefined if nothing needs the address: without `--root-blocks`, the folder can have any name
 */
function moduleAddressOf({ module, rootBlocks }: SynthOptions, out: string): string | undefined {
  if (module === undefined && rootBlocks === undefined) return undefined;
  // The name of the current folder would differ between clones, so `.` names nothing.
  const name = module ?? basename(normalize(out));
  if (/^[A-Za-z_][\w-]*(?:\[(?:\d+|"[^"\\]*")\])?$/.test(name)) return `module.${name}`;
  const message = `${quote(name)} can't name a module block; give --module with a name of letters, digits, - and _`;
  throw new InputError("module-name-invalid", message);
}

/** The options for blocks of the root module, which don't change the module, as if they were not given. */
const withoutRootBlocks = { rootBlocks: undefined, module: undefined, toStack: false, importAll: false } as const;

/** Returns the comment of the generated files. It contains no folders, so that every clone gets the same text. */
function headerOf(options: SynthOptions): readonly string[] {
  const { headerBegin } = load.terraformModule();
  const { spec, gate, rootBlocks, module, id, toStack } = options;
  const file = (path: string) => shellWord(basename(normalize(path)));
  const words = [
    `cert-migration synth --spec ${file(spec ?? "")} --out FOLDER`,
    ...(gate === undefined ? [] : [`--gate ${gate}`]),
    ...(rootBlocks !== undefined ? [`--root-blocks ${file(rootBlocks)}`] : []),
    ...(module !== undefined ? [`--module ${shellWord(module)}`] : []),
    ...(id === "migration" ? [] : [`--id ${shellWord(id)}`]),
    ...(toStack ? ["--to-stack"] : []),
    ...(options.importAll ? ["--import-all"] : []),
  ];
  return [
    headerBegin,
    `To change this module, edit the migration and run, with the module's folder as FOLDER: ${words.join(" ")}`,
  ];
}

/** Names the resources that exist and that Terraform would create again, because no block can import them. */
function noteLeftOut({ configuration, imports }: TerraformModule, io: Io): void {
  const stated = new Set(imports.map(({ to }) => to));
  const { leftOut } = importsOf(fieldsOf(configuration.resource), (address) => !stated.has(address));
  const addressesOf = (wanted: LeftOutResource["reason"]) =>
    leftOut.filter(({ reason }) => reason === wanted).map(({ address }) => address);
  for (const address of addressesOf("keyUnknown")) {
    const message = `${address} can't be imported: no service returns the key of an uploaded certificate. Raise its 'generation' in the migration, and delete the former certificate after the apply`;
    writeNote("import-left-out", message, io);
  }
  const ofTerraform = describeIdsOfTerraform(addressesOf("idOfTerraform"));
  for (const message of [...(ofTerraform === undefined ? [] : [ofTerraform]), ...describeIdsOfService(leftOut)]) {
    writeNote("import-id-unknown", message, io);
  }
}

/** Returns the page about the module, unless the folder has a page of its user. */
function ownReadme(readme: ModuleFile, io: Io): readonly ModuleFile[] {
  const found = textAt(readme.path);
  if (found === undefined || found.includes(load.terraformModule().headerBegin)) return [readme];
  const message = `${quote(readme.path)} was not written by 'cert-migration synth', and stays as it is`;
  writeNote("module-readme-kept", message, io);
  return [];
}

/** Returns a word as a POSIX shell reads it, in quotes if necessary. */
function shellWord(word: string): string {
  return /^[\w.,:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
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
  const { moduleFile } = load.terraformModule();
  if (!existsSync(out)) return;
  if (!statSync(out).isDirectory()) {
    throw new InputError(
      "file-unwritable",
      `--out: ${quote(out)} is a file, and the module needs a folder; name a folder`,
    );
  }
  const others = readdirSync(out).filter((name) => name !== moduleFile && /\.(?:tf|tofu)(?:\.json)?$/.test(name));
  if (others.length === 0) return;
  const message = `--out: the folder ${quote(out)} has other Terraform files (${others.slice(0, 3).map(quote).join(", ")}), which would be parts of the module; move them, or give another folder`;
  throw new InputError("module-folder-taken", message);
}

/** Writes a generated file; an unchanged file is not touched. */
async function writeGenerated({ path, text: wanted }: ModuleFile, io: Io): Promise<void> {
  const { makeFolder } = load.makeFolder();
  const { headerBegin } = load.terraformModule();
  const found = textAt(path);
  if (found !== undefined && !found.includes(headerBegin)) {
    const message = `${quote(path)} exists and was not written by 'cert-migration synth'; move it, or give another name`;
    throw new InputError("file-not-generated", message);
  }
  if (found !== wanted) {
    try {
      makeFolder(dirname(path));
    } catch (error) {
      const what = `the folder ${quote(dirname(path))} can't be created: ${fileReason(error)}`;
      throw new InputError("file-unwritable", `${what}; name another folder`);
    }
    await writeWhole(path, wanted, { force: true });
  }
  writeLine(`${found === wanted ? "unchanged" : "written"} ${path}`, io, "stdout");
}
