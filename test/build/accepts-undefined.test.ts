/** The declarations of the package, as the build finishes them, for users with `exactOptionalPropertyTypes`. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { withUndefined } from "../../build/optional-properties";
import { reachableDeclarations } from "../../build/reachable-declarations";
import { exports as entryPoints } from "../../package.json";

const root = join(__dirname, "..", "..");
const tsc = join(root, "node_modules", ".bin", "tsc");
/** Contains `dist` with the declarations as the compiler writes them. */
const folder = mkdtempSync(join(tmpdir(), "accepts-undefined-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined);

/** Returns the files of all entry points of this kit, and the files that they refer to. */
function declarationFiles(): readonly string[] {
  const entries = Object.entries(entryPoints).flatMap(([name, entry]) =>
    typeof entry === "string" || name === "./cdktn" ? [] : [normalize(entry.types)],
  );
  return [...reachableDeclarations(entries, read)];
}

/** Returns a line for each exported interface, with an error for properties that refuse `undefined`. */
function checksOf(files: readonly string[]): readonly string[] {
  const indexes = files.filter((path) => path.endsWith("index.d.ts"));
  const exported = new Set(indexes.flatMap((path) => (read(path) ?? "").match(/\w+/g) ?? []));
  return files.flatMap((path, index) => {
    const names = [...(read(path) ?? "").matchAll(/^export interface (\w+) (?:extends|\{)/gm)].map(
      ([, name = ""]) => name,
    );
    const checks = names.filter((name) => exported.has(name)).map((name) => `accepted<Refused<m${index}.${name}>>();`);
    return [`import type * as m${index} from "./${path.replace(/\.d\.ts$/, "")}";`, ...checks];
  });
}

/** Names the optional properties of a type that can't be undefined; properties of mappings have no names. */
const refused = `
type Optional<T> = { [K in keyof T]-?: string extends K ? never : {} extends Pick<T, K> ? K : never }[keyof T];
type Refused<T> = { [K in Optional<T>]-?: { [P in K]: undefined } extends Pick<T, K> ? never : K }[Optional<T>];
declare function accepted<Name extends never>(): Name;
`;

/** Returns the errors of the compiler. */
function compile(): readonly string[] {
  const options = ["--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "--types", "node"];
  try {
    execFileSync(tsc, ["--noEmit", "--module", "commonjs", "--target", "es2022", ...options, "check.ts"], {
      cwd: folder,
      encoding: "utf8",
    });
    return [];
  } catch (error) {
    const { stdout } = error as { readonly stdout: string };
    return stdout.split("\n").filter((line) => line.includes("error TS"));
  }
}

test("optional properties accept 'undefined', and each one that does not is found", () => {
  execFileSync(tsc, ["-p", "tsconfig.build.json", "--emitDeclarationOnly", "--outDir", join(folder, "dist")], {
    cwd: root,
  });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const files = declarationFiles();
  writeFileSync(join(folder, "check.ts"), [...checksOf(files), refused].join("\n"));
  expect(compile()).toEqual(expect.arrayContaining([expect.stringContaining("'Refused<MigrationProps>'")]));

  for (const path of files) writeFileSync(join(folder, path), withUndefined(read(path) ?? ""));
  expect(compile()).toEqual([]);

  const props = join(folder, "dist", "constructs", "gate-props.d.ts");
  const text = readFileSync(props, "utf8");
  writeFileSync(props, text.replace(/(dependsOn\?: .*) \| undefined;/, "$1;"));
  expect(compile()).toEqual([expect.stringContaining("'\"dependsOn\"'")]);
});
