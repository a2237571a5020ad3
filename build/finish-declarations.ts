/**
 * Finishes the type declarations in `dist`, after all other steps of the build: `tsx build/finish-declarations.ts`.
 *
 * - Deletes the declarations that no entry point of the package refers to, a fifth of them.
 * - Removes the comments in files without a type of an entry point, 2 % of the package.
 * - Lets optional properties accept `undefined`.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { internalDeclarations, withoutDocComments } from "./internal-declarations";
import { withUndefined } from "./optional-properties";
import { reachableDeclarations } from "./reachable-declarations";

const root = join(__dirname, "..");
const { exports: entryPoints } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const entries = Object.values(entryPoints).flatMap((entry) =>
  typeof entry === "string" ? [] : normalize(entry.types),
);
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
const reachable = reachableDeclarations(entries, read);
const internal = internalDeclarations(reachable, entries, read);
for (const name of readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })) {
  const path = join("dist", name);
  if (!path.endsWith(".d.ts")) continue;
  const text = readFileSync(join(root, path), "utf8");
  if (!reachable.has(path)) rmSync(join(root, path));
  else writeFileSync(join(root, path), withUndefined(internal.has(path) ? withoutDocComments(text) : text));
}
