import { dirname, join } from "node:path";

/**
 * Returns the declaration files that have no type of an entry point: users read no comment in them.
 *
 * @param paths all declaration files
 * @param entries paths of the entry points, which export names of other files
 * @param read returns the text of a file; undefined if the file does not exist
 */
export function internalDeclarations(
  paths: Iterable<string>,
  entries: readonly string[],
  read: (path: string) => string | undefined,
): ReadonlySet<string> {
  const exported = new Set<string>();
  const indexes = new Set<string>();
  const readExports = (path: string) => {
    const text = read(path);
    if (text === undefined || indexes.has(path)) return;
    indexes.add(path);
    for (const [name] of withoutDocComments(text).matchAll(/\w+/g)) exported.add(name);
    for (const [, from = ""] of text.matchAll(/^export \* from "(\.[^"]*)"/gm)) {
      for (const end of [".d.ts", "/index.d.ts"]) readExports(`${join(dirname(path), from)}${end}`);
    }
  };
  for (const entry of entries) readExports(entry);
  const declared = /^export (?:declare )?(?:abstract )?(?:interface|class|type|function|const) (\w+)/gm;
  const isInternal = (path: string) =>
    !indexes.has(path) && [...(read(path) ?? "").matchAll(declared)].every(([, name = ""]) => !exported.has(name));
  return new Set([...paths].filter(isInternal));
}

/** Removes the doc comments that begin a line. */
export function withoutDocComments(declarations: string): string {
  return declarations.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, "");
}
