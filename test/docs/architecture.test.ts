import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { usesOfModules } from "../../docs/generate/architecture";

const lib = join(__dirname, "..", "..", "lib");
const folders = readdirSync(lib).filter((name) => statSync(join(lib, name)).isDirectory());

/** Returns the other modules that the files of a module import. */
function importsOf(folder: string): ReadonlySet<string> {
  const files = readdirSync(join(lib, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return new Set(
    files.flatMap((name) => {
      const file = join(lib, folder, name);
      const imports = readFileSync(file, "utf8").matchAll(/(?:from|require\(|import\()\s*"(\.[^"]+)"/g);
      return [...imports].flatMap(([, path = ""]) => relative(lib, resolve(dirname(file), path)).split(sep)[0] ?? []);
    }),
  );
}

test("the table of modules lists every module of lib", () => {
  expect([...usesOfModules.keys()].sort()).toEqual([...folders].sort());
});

test.each([...usesOfModules])("the row of %s lists no module that it does not import", (folder, uses) => {
  const imports = importsOf(folder);
  expect([...uses].filter((other) => !imports.has(other))).toEqual([]);
});
