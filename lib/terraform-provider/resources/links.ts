import type { Equivalence } from "../planning";

/** Returns the equivalence for attributes that refer to other resources by a link, a path or a name. */
export function links(...attributes: readonly string[]): Readonly<Record<string, Equivalence>> {
  return Object.fromEntries(attributes.map((name) => [name, "link"]));
}
