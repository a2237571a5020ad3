import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldsOf } from "../../lib/json/fields";

const root = join(__dirname, "..", "..");
const examplesFolder = join(root, "examples");
/** Folder of the stacks and modules that the previous version synthesized. */
export const formerFolder = join(root, "test", "fixtures", "upgrade");

export type Configuration = Readonly<Record<string, unknown>>;

/** What one version of the package synthesizes for an example. */
export interface Synthesized {
  /** Stacks by name; empty for a module. */
  readonly stacks: Readonly<Record<string, Configuration>>;
  /** Module that `synth` writes, with the blocks of the root module. */
  readonly module?: Configuration;
  readonly rootBlocks?: Configuration;
}

/** Examples without a stack, or with the stacks of another example. */
export const withoutStacks: readonly string[] = [
  "cdk-terrain", // the stacks of 'from-spec' and 'one-hostname'
  "csharp", // as for Go
  "environments", // modules of its two environments
  "go", // the stack of `npm run test:languages`, as for Java and Python
  "java",
  "monitoring", // alert rules
  "pipelines",
  "python",
];

/** Programs of the examples, with their arguments, by the name of the recording. */
const programs: Readonly<Record<string, readonly [example: string, ...words: readonly string[]]>> = {
  ...Object.fromEntries(
    readdirSync(examplesFolder)
      .filter((name) => !withoutStacks.includes(name) && existsSync(join(examplesFolder, name, "main.ts")))
      .map((name) => [name, [name, ...(name === "from-spec" ? [join(examplesFolder, name, "migration.yaml")] : [])]]),
  ),
  // No example moves traffic, which adds the gate before traffic and adopts records.
  traffic: ["from-spec", join(formerFolder, "traffic.yaml")],
};

/** Migration files from which modules are written, by the name of the recording. */
const modules: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    readdirSync(examplesFolder)
      .filter((name) => existsSync(join(examplesFolder, name, "certificates", "main.tf.json")))
      .map((name) => [name, join(examplesFolder, name, "migration.yaml")]),
  ),
  // Its script makes new certificates each time, so the recording has certificates of its own.
  "mutual-tls": join(examplesFolder, "mutual-tls", "migration.yaml"),
  "traffic-module": join(formerFolder, "traffic.yaml"),
};

/** Names of the recordings: every example that synthesizes, and two with traffic. */
export const upgradeExamples: readonly string[] = [...Object.keys(programs), ...Object.keys(modules)];

/** Returns what the previous version synthesized. */
export function formerOf(name: string): Synthesized {
  return JSON.parse(readFileSync(join(formerFolder, `${name}.json`), "utf8"));
}

/** Runs what synthesizes. */
export interface Runner {
  /** Runs the program of an example in this process. */
  readonly load: (file: string) => void;
  /** Runs the command `cert-migration`. @throws if it fails */
  readonly command: (words: readonly string[]) => Promise<void>;
}

/** Synthesizes an example with this version. */
export async function synthesizeExample(name: string, { load, command }: Runner): Promise<Synthesized> {
  const outdir = mkdtempSync(join(tmpdir(), "upgrade-"));
  try {
    const program = programs[name];
    if (program !== undefined) return { stacks: stacksOf(program, outdir, load) };
    return await moduleOf(withCertificates(name, modules[name] ?? "", outdir), outdir, command);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function stacksOf(
  [example, ...words]: readonly [string, ...(readonly string[])],
  outdir: string,
  load: (file: string) => void,
): Synthesized["stacks"] {
  const before = { outdir: process.env.CDKTF_OUTDIR, argv: process.argv, write: process.stdout.write };
  try {
    // Some examples print what they have synthesized.
    process.stdout.write = () => true;
    process.env.CDKTF_OUTDIR = outdir;
    process.argv = [...before.argv.slice(0, 2), ...words];
    load(join(examplesFolder, example, "main.ts"));
  } finally {
    process.stdout.write = before.write;
    if (before.outdir === undefined) delete process.env.CDKTF_OUTDIR;
    else process.env.CDKTF_OUTDIR = before.outdir;
    process.argv = before.argv;
  }
  const names = readdirSync(join(outdir, "stacks"));
  return Object.fromEntries(names.map((name) => [name, readStack(join(outdir, "stacks", name, "cdk.tf.json"))]));
}

/** Copies a migration file beside the certificates that its recording was made with, if there are some. */
function withCertificates(name: string, spec: string, outdir: string): string {
  const certificates = join(formerFolder, name);
  if (!existsSync(certificates)) return spec;
  const copy = join(outdir, "spec", "migration.yaml");
  cpSync(spec, copy);
  cpSync(certificates, join(outdir, "spec", "certificates"), { recursive: true });
  return copy;
}

/** Returns a stack without its backend, whose path contains the folder, and without metadata of the kit. */
function readStack(file: string): Configuration {
  const { "//": _, terraform, ...stack } = fieldsOf(JSON.parse(readFileSync(file, "utf8")));
  const { backend: __, ...settings } = fieldsOf(terraform);
  return { ...stack, terraform: settings };
}

async function moduleOf(spec: string, outdir: string, command: Runner["command"]): Promise<Synthesized> {
  const blocks = join(outdir, "blocks.tf.json");
  const words = ["--spec", spec, "--out", join(outdir, "module"), "--root-blocks", blocks];
  await command(["synth", ...words]);
  const { "//": _, ...module } = JSON.parse(readFileSync(join(outdir, "module", "main.tf.json"), "utf8"));
  const { "//": __, moved: ___, ...rootBlocks } = JSON.parse(readFileSync(blocks, "utf8"));
  return { stacks: {}, module, rootBlocks };
}
