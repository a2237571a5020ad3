/** `["a"]` or `[0]` behind a name. */
const key = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/;
const keys = new RegExp(key.source, "g");
const part = new RegExp(`^(?:module\\.[^.[]+|(?:data\\.)?[^.[]+\\.[^.[]+)(${key.source})?(?:\\.|$)`);
const named = new RegExp(`^([^.[]+)(${key.source})?(?:\\[[^\\]]*\\])*(?:\\.|$)`);

/** `a.b` of `a.b[0]`, in modules too: as configurations have it. */
export function withoutKeys(address: string): string {
  return address.includes("[") ? address.replace(keys, "") : address;
}

/** The type in an address without keys. */
export function typeOf(bare: string): string {
  return bare.replace(/^(?:module\.[^.]+\.)*(?:data\.)?/, "").replace(/\..*$/, "");
}

/** Instance keys with their brackets: those of the modules, from the outermost on, and the resource's own. An empty text for each that has none. */
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
