/**
 * The constructs in other languages, as a user has them: `npm run test:languages`. Compiles them with jsii; then, for
 * each of `-- --languages python,java,go` (by default `python`), makes the package, compares the stack of the
 * language's example with the one in TypeScript byte for byte, and runs the example's tests. `--bindings FOLDER` takes
 * the bindings of npm from a folder of tarballs named VERSION.tgz.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileJsiiPackage, prepareJsiiPackage } from "../../../build/jsii-package";
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
  await check("jsii compiles the constructs", () => compile(project));
  await check("the app in TypeScript synthesizes its stack", () => synthesizeInTypeScript(project));
  for (const language of values.languages.split(",")) {
    if (!(language in checks)) throw new Error(`'${language}' is none of ${Object.keys(checks).join(", ")}`);
    await checks[language as keyof typeof checks](project);
  }
}

async function compile({ compiled }: Project): Promise<void> {
  await prepareJsiiPackage(compiled, values.bindings);
  const types = await compileJsiiPackage(compiled);
  const { size } = statSync(join(compiled, ".jsii"));
  process.stdout.write(`.jsii has ${types.length} types and ${size} bytes\n`);
  if (size > mostTypes) throw new Error(`.jsii has ${size} bytes, more than ${mostTypes}`);
}

void main();
