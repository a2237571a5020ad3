import type { Equivalence } from "../planning";

/** Attributes that refer to other resources, for which a link, a path and a name mean the same. */
export function links(...attributes: readonly string[]): Readonly<Record<string, Equivalence>> {
  return Object.fromEntries(attributes.map((name) => [name, "link"]));
}
