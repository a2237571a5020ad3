/** What the checks of all languages share: the compiled package, and the stack in TypeScript to compare with. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forCdkTerrain } from "../../../build/exchange-kit";
import { devDependencies } from "../../../package.json";
import { newestBindings } from "../bindings";
import type { Check } from "../counted";
import { timed } from "../run";
import { packTarball } from "../tarball";

export const root = join(__dirname, "..", "..", "..");

export interface Project {
  /** Temporary folder for everything. */
  readonly work: string;
  /** Folder of the package that jsii compiled. */
  readonly compiled: string;
  /** Folder of the app in TypeScript, with the command of the package and a stack in `cdktf.out`. */
  readonly node: string;
  readonly check: Check;
}

/** Runs a program with the version of Node of jsii, which every language starts. */
export function withNodeOfJsii(folder: string, ...words: readonly string[]): Promise<string> {
  const [program = "", ...others] = words;
  const what = `${program.split("/").at(-1)} ${others.find((word) => !word.startsWith("-")) ?? others[0] ?? ""}`;
  return timed(what, ["sh", join(root, "test", "with-node.sh"), "22", ...words], { folder });
}

/** Installs the tarball of this package beside the kit, and synthesizes the stack that the other languages write. */
export async function synthesizeInTypeScript({ work, compiled, node }: Project): Promise<void> {
  mkdirSync(node);
  writeFileSync(join(node, "package.json"), JSON.stringify({ name: "user", private: true }));
  const tarball = await packTarball(work);
  const { cdktn, constructs, tsx } = devDependencies;
  const packages = [
    tarball,
    join(compiled, `bindings-${newestBindings}.tgz`),
    `cdktn@${cdktn}`,
    `constructs@${constructs}`,
    `tsx@${tsx}`,
  ];
  await timed("npm install", ["npm", "install", "--no-audit", "--no-fund", ...packages], { folder: node });
  const all = stacksInTypeScript(node);
  mkdirSync(all);
  for (const name of ["main.ts", "stacks.ts"]) {
    writeFileSync(join(node, name), forCdkTerrain(readFileSync(join(__dirname, name), "utf8")));
  }
  await withNodeOfJsii(node, "npx", "tsx", "main.ts");
  await withNodeOfJsii(all, "npx", "tsx", join(node, "stacks.ts"), specs);
}

/** Folder with a migration of each kind, as data. */
export const specs = join(__dirname, "specs");

/** Returns the folder in which `synthesizeInTypeScript` writes the stacks of stacks.ts. */
export function stacksInTypeScript(node: string): string {
  return join(node, "all-stacks");
}

/** Compares all stacks of two apps. @throws Error that contains the first stack that differs, in both forms */
export function compareStacks(app: string, node: string): void {
  const written = stacksOf(app);
  const expected = stacksOf(node);
  for (const name of new Set([...Object.keys(written), ...Object.keys(expected)])) {
    if (written[name] === expected[name]) continue;
    throw new Error(`the stack '${name}' differs:\n${written[name]}\n${expected[name]}`);
  }
}

/** Returns the synthesized stacks of an app without metadata, by their names. */
function stacksOf(folder: string): Readonly<Record<string, string>> {
  const stacks = join(folder, "cdktf.out", "stacks");
  const texts = readdirSync(stacks).map((name) => {
    const text = readFileSync(join(stacks, name, "cdk.tf.json"), "utf8");
    // The kit writes the folder of the app into the path of the local state.
    return [name, JSON.stringify(withoutMetadata(JSON.parse(text.replaceAll(folder, "FOLDER"))), undefined, 2)];
  });
  return Object.fromEntries(texts);
}

/** Removes the construct paths that the kit adds to each block. */
function withoutMetadata(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMetadata);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== "//");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMetadata(member)]));
}
