/**
 * The constructs in other languages, as a user has them: `npm run test:languages`. Compiles them with jsii; then, for
 * each of `-- --languages python,java,go` (by default `python`), makes the package, compares the stack of the
 * language's example with the one in TypeScript byte for byte, and runs the example's tests. `--bindings FOLDER` takes
 * the bindings of npm from a folder of tarballs named VERSION.tgz.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileJsiiPackage, prepareJsiiPackage, runJsii } from "../../../build/jsii-package";
import { jsiiSource } from "../../../build/jsii-source";
import { countChecks } from "../counted";
import { checkGo } from "./go";
import { checkJava } from "./java";
import { type Project, synthesizeInTypeScript } from "./project";
import { checkPython } from "./python";

const { values } = parseArgs({
  options: { languages: { type: "string", default: "python" }, bindings: { type: "string" } },
});
/** Largest size of the types of the package, in bytes. */
const mostTypes = 2 * 1024 * 1024;
const checks = { python: checkPython, java: checkJava, go: checkGo };

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "languages-"));
  try {
    await countChecks((check) => checkAll({ work, compiled: join(work, "package"), node: join(work, "node"), check }));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function checkAll(project: Project): Promise<void> {
  const { compiled, check } = project;
  mkdirSync(compiled);
  await prepareJsiiPackage(compiled, values.bindings);
  await check("a type that jsii can't express is an error", () => compileMistake(project));
  await check("jsii compiles the constructs", () => compile(project));
  await check("the app in TypeScript synthesizes its stack", () => synthesizeInTypeScript(project));
  for (const language of values.languages.split(",")) {
    if (!(language in checks)) throw new Error(`'${language}' is none of ${Object.keys(checks).join(", ")}`);
    await checks[language as keyof typeof checks](project);
  }
}

/** A type that jsii can't express. It must be found: otherwise no other mistake would be found either. */
const mistake = "/** A mistake. */\nexport interface Mistake {\n  readonly names: ReadonlyMap<string, string>;\n}\n";

/** Compiles a package with a mistake: of its own, because the bindings take longer than the constructs. */
async function compileMistake({ compiled }: Project): Promise<void> {
  const folder = join(compiled, "mistake");
  mkdirSync(folder);
  const content = {
    name: "mistake",
    version: "0.0.0",
    license: "Apache-2.0",
    author: { name: "nobody" },
    repository: { type: "git", url: "none" },
    main: "index.js",
    types: "index.d.ts",
    jsii: { outdir: "dist", targets: {} },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(content));
  writeFileSync(join(folder, "index.ts"), jsiiSource(mistake));
  const message = await runJsii(compiled, folder).then(
    () => "",
    (error: unknown) => (error as Error).message,
  );
  if (!message.includes('Type "ReadonlyMap" cannot be used')) throw new Error(`the mistake was not found: ${message}`);
  rmSync(folder, { recursive: true });
}

async function compile({ compiled }: Project): Promise<void> {
  const types = await compileJsiiPackage(compiled);
  const { size } = statSync(join(compiled, ".jsii"));
  process.stdout.write(`.jsii has ${types.length} types and ${size} bytes\n`);
  const manifest = readFileSync(join(compiled, "package.json"), "utf8");
  if (manifest.includes("file:")) throw new Error(`the package names a folder of this machine: ${manifest}`);
  if (size > mostTypes) throw new Error(`.jsii has ${size} bytes, more than ${mostTypes}`);
}

void main();
