/**
 * Packages the constructs for other languages: `npm run build:languages -- --out FOLDER`, by default `dist/languages`.
 * `--targets` names them (`python,java,go,dotnet`; by default `python`). For Java, Go and C#, sources with their build
 * file are written. `--with-kit` also writes the sources of the kit and its bindings for Java and Go. Of the bindings,
 * these contain the modules of the constructs, and those that `--modules` names (`compute-url-map,…`).
 * `--bindings FOLDER` takes the bindings from a folder of tarballs named VERSION.tgz.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compileJsiiPackage, packageFor, prepareJsiiPackage } from "./jsii-package";
import { isKitLanguage, packageWithKit } from "./kit-packages";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join("dist", "languages") },
    targets: { type: "string", default: "python" },
    "with-kit": { type: "boolean", default: false },
    modules: { type: "string", default: "" },
    bindings: { type: "string" },
  },
});

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "languages-"));
  try {
    await prepareJsiiPackage(work, values.bindings);
    const types = await compileJsiiPackage(work);
    process.stdout.write(`.jsii: ${types.length} types, ${statSync(join(work, ".jsii")).size} bytes\n`);
    const out = resolve(values.out);
    for (const language of values.targets.split(",")) {
      if (values["with-kit"] && isKitLanguage(language)) {
        await packageWithKit(language, work, out, values.modules.split(",").filter(Boolean));
      } else {
        await packageFor(language, work, { codeOnly: language !== "python" });
        cpSync(join(work, "dist", language), join(out, language), { recursive: true });
      }
      const files = readdirSync(join(out, language), { recursive: true, encoding: "utf8" })
        .map((name) => statSync(join(out, language, name)))
        .filter((file) => file.isFile());
      const total = files.reduce((sum, { size }) => sum + size, 0);
      process.stdout.write(`${language}: ${files.length} files, ${total} bytes in ${join(out, language)}\n`);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

void main();
