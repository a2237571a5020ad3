/**
 * Compiles the public surface of the constructs with jsii, as for a package in other languages: `npm run check:jsii`.
 * The sources, with the package names of CDK Terrain, and all packages are in a temporary folder. `-- --bindings
 * FOLDER` takes the bindings from a folder of tarballs named VERSION.tgz instead of npm or PyPI.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileJsiiPackage, prepareJsiiPackage } from "../../build/jsii-package";

const { bindings: kept } = parseArgs({ options: { bindings: { type: "string" } } }).values;

/** A type that jsii can't express. The check must find it: otherwise it would find no other mistake either. */
const mistake = "/** A mistake. */\nexport interface Mistake {\n  readonly names: ReadonlyMap<string, string>;\n}\n";

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "jsii-"));
  let passed = 0;
  try {
    await prepareJsiiPackage(work, kept);
    const types = await compileJsiiPackage(work);
    passed += 1;
    process.stdout.write(`ok: jsii compiles the surface, ${types.length} types\n`);
    const entry = join(work, "lib", "constructs", "index.ts");
    writeFileSync(join(work, "lib", "constructs", "mistake.ts"), mistake);
    writeFileSync(entry, `${readFileSync(entry, "utf8")}export type { Mistake } from "./mistake";\n`);
    const message = await compileJsiiPackage(work).then(
      () => "",
      (error: unknown) => (error as Error).message,
    );
    if (!message.includes('Type "ReadonlyMap" cannot be used'))
      throw new Error(`the mistake was not found: ${message}`);
    passed += 1;
    process.stdout.write(`ok: a type that jsii can't express is an error\n${passed} passed, 0 failed\n`);
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n${passed} passed, 1 failed\n`);
    process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

void main();
