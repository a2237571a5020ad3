/** `["a"]` or `[0]` after a name. */
const key = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/;
const keys = new RegExp(key.source, "g");
const part = new RegExp(`^(?:module\\.[^.[]+|(?:data\\.)?[^.[]+\\.[^.[]+)(${key.source})?(?:\\.|$)`);
const named = new RegExp(`^([^.[]+)(${key.source})?(?:\\[[^\\]]*\\])*(?:\\.|$)`);

/** Returns an address without instance keys, as configurations contain it: `a.b` for `a.b[0]`. */
export function withoutKeys(address: string): string {
  return address.includes("[") ? address.replace(keys, "") : address;
}

/** Returns the resource type in an address without keys. */
export function typeOf(bare: string): string {
  return bare.replace(/^(?:module\.[^.]+\.)*(?:data\.)?/, "").replace(/\..*$/, "");
}

/**
 * Returns the instance keys in an address, with their brackets: the keys of the modules, outermost first, then the key
 * of the resource. A missing key is an empty string.
 */
export function keysOf(address: string): readonly string[] {
  const found: string[] = [];
  for (let rest = address; rest !== ""; ) {
    const match = part.exec(rest);
    if (match === null) return found;
    found.push(match[1] ?? "");
    rest = rest.slice(match[0].length);
  }
  return found;
}

/** Matches the first name of a path, its key in brackets (or an empty string), and the rest. */
export function nameWithKey(
  path: string,
): { readonly name: string; readonly key: string; readonly rest: string } | undefined {
  const match = named.exec(path);
  return match === null ? undefined : { name: match[1] ?? "", key: match[2] ?? "", rest: path.slice(match[0].length) };
}
