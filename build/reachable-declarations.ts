import { dirname, join } from "node:path";

const reference = /(?:\bfrom|\bimport\(?)\s*"(\.[^"]+)"/g;

/**
 * Returns the declaration files that the given ones refer to, directly or through others, and the given ones.
 *
 * @param read returns the text of a file; undefined if it does not exist
 * @throws Error if a file refers to one that does not exist
 */
export function reachableDeclarations(
  entries: readonly string[],
  read: (path: string) => string | undefined,
): ReadonlySet<string> {
  const found = new Map<string, string>();
  const add = (candidates: readonly string[], referrer: string) => {
    const path = candidates.find((candidate) => found.has(candidate) || read(candidate) !== undefined);
    if (path === undefined) throw new Error(`${referrer} refers to ${candidates[0]}, which does not exist`);
    if (!found.has(path)) found.set(path, read(path) ?? "");
  };
  for (const entry of entries) add([entry], "package.json");
  // A map is iterated in the order of its additions, also of those that the loop makes.
  for (const [path, text] of found) {
    for (const [, target = ""] of text.matchAll(reference)) {
      const base = join(dirname(path), target);
      if (!target.endsWith(".json")) add([`${base}.d.ts`, join(base, "index.d.ts")], path);
    }
  }
  return new Set(found.keys());
}
