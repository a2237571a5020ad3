import type { SchemaDocument } from "../document";
import type { Difference } from "./differences";

/**
 * Two schemas that replace each other, by name or at one place of a method. Pairs are the nodes of a graph, and
 * references are its edges. Each pair is therefore compared once, however many methods use it, and recursive schemas
 * end.
 */
export interface Pair {
  /**
   * `place`: root schema of a method, a parameter or a list of schemas. `same`: both schemas have the same name.
   * `renamed`: neither name is in the other description. `replaced`: one schema replaced the other although both still
   * exist, or one schema has no name.
   */
  readonly relation: "place" | "same" | "renamed" | "replaced";
  readonly old: SchemaDocument;
  readonly now: SchemaDocument;
  /** Names of the two schemas; undefined for an inline schema. */
  readonly names: readonly [string | undefined, string | undefined];
  /** Path of the places in the old schema. */
  readonly path: string;
  /** Whether the old schema itself contains a place for a value of any type. */
  holdsAny: boolean;
  readonly differences: PlacedDifference[];
  /** Pairs that the references of this pair lead to. */
  readonly next: Set<Pair>;
}

export interface PlacedDifference extends Difference {
  readonly subject: string;
  /** Set if one schema replaced another. The class of this difference is the worst class of that pair's differences. */
  readonly replacement?: Pair;
}

/** Returns whether the two compared schemas have different names. */
export function isCross(relation: Pair["relation"]): boolean {
  return relation === "renamed" || relation === "replaced";
}

export const unnamed: Pair["names"] = [undefined, undefined];

export function newPair(
  relation: Pair["relation"],
  old: SchemaDocument,
  now: SchemaDocument,
  names: Pair["names"],
  path: string,
): Pair {
  return { relation, old, now, names, path, holdsAny: false, differences: [], next: new Set() };
}
