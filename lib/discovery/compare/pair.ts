import type { SchemaDocument } from "../document";
import type { Difference } from "./differences";

/**
 * Two schemas that stand in each other's place, by name or at one place of a method. Pairs are nodes of a graph, whose edges are references: that way
 * each is compared once, however many methods lead to it, and recursion ends by itself.
 */
export interface Pair {
  /**
   * `place`: where a method, a parameter or a list of schemas begins. `same`: both have one name. `renamed`: neither name is in the other description.
   * `replaced`: one took the other's place though both are still there, or one has no name.
   */
  readonly relation: "place" | "same" | "renamed" | "replaced";
  readonly old: SchemaDocument;
  readonly now: SchemaDocument;
  /** Names of the two schemas; undefined for one that stands in place. */
  readonly names: readonly [string | undefined, string | undefined];
  /** How the old schema's places are called. */
  readonly path: string;
  /** Whether a value of any type may stand somewhere in the old schema itself. */
  holdsAny: boolean;
  readonly differences: PlacedDifference[];
  /** Pairs that references lead to. */
  readonly next: Set<Pair>;
}

export interface PlacedDifference extends Difference {
  readonly subject: string;
  /** Where one schema took another's place: means what that pair's differences mean, taken together. */
  readonly replacement?: Pair;
}

/** Whether two schemas are held against each other that don't have one name. */
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
