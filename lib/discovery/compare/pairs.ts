import type { SchemaDocument } from "../document";
import type { Difference, Direction, Reach } from "./changes";

/**
 * Two schemas that replace each other: a node of a graph whose edges are references. Each pair is compared once, and
 * recursive schemas end.
 */
export interface Pair {
  /**
   * `place`: root schema of a method, a parameter or a list. `same`: same name. `renamed`: neither name is in the other
   * description. `replaced`: both schemas still exist, or one has no name.
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
  readonly next: Set<Pair>;
}

export interface PlacedDifference extends Difference {
  readonly subject: string;
  /** Set if one schema replaced another. The class of this difference is the worst class of that pair's differences. */
  readonly replacement?: Pair;
}

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

export interface Start<Node> {
  readonly methodId: string;
  readonly direction: Direction;
  readonly node: Node;
}

interface Reaches<Node> {
  readonly byNode: ReadonlyMap<Node, Reach>;
  readonly isCut: boolean;
}

/** Two versions of the largest published API take about 25,000 steps; the worst case is methods times schemas. */
const mostSteps = 2_000_000;

/** Returns the methods that reach each wanted node, by a search backwards from the wanted nodes. */
export function reachedBy<Node>(
  starts: readonly Start<Node>[],
  next: (node: Node) => Iterable<Node>,
  wanted: Iterable<Node>,
): Reaches<Node> {
  const startsAt = groupByNode(starts);
  const users = backwardsOf(closureOf(startsAt.keys(), next), next);
  const byNode = new Map<Node, Reach>();
  let steps = 0;
  for (const node of wanted) {
    const found = { request: new Set<string>(), response: new Set<string>() };
    const leading = closureOf([node], (inner) => users.get(inner) ?? []);
    for (const inner of leading) {
      for (const { methodId, direction } of startsAt.get(inner) ?? []) {
        found[direction].add(methodId);
        steps++;
      }
    }
    steps += leading.size;
    if (steps > mostSteps) return { byNode, isCut: true };
    byNode.set(node, { request: [...found.request].sort(), response: [...found.response].sort() });
  }
  return { byNode, isCut: false };
}

function groupByNode<Node>(starts: readonly Start<Node>[]): ReadonlyMap<Node, readonly Start<Node>[]> {
  const groups = new Map<Node, Start<Node>[]>();
  for (const start of starts) {
    const group = groups.get(start.node);
    if (group === undefined) groups.set(start.node, [start]);
    else group.push(start);
  }
  return groups;
}

export function closureOf<Node>(starts: Iterable<Node>, next: (node: Node) => Iterable<Node>): ReadonlySet<Node> {
  const found = new Set(starts);
  for (const node of found) for (const inner of next(node)) found.add(inner);
  return found;
}

function backwardsOf<Node>(
  nodes: Iterable<Node>,
  next: (node: Node) => Iterable<Node>,
): ReadonlyMap<Node, readonly Node[]> {
  const backwards = new Map<Node, Node[]>();
  for (const node of nodes) {
    for (const inner of next(node)) {
      const known = backwards.get(inner);
      if (known === undefined) backwards.set(inner, [node]);
      else known.push(node);
    }
  }
  return backwards;
}

export type Replacement =
  | { readonly class: "noise" }
  | {
      readonly class: "breaking" | "compatible";
      /** The first difference that leads to this class. */
      readonly cause: PlacedDifference;
    };

/**
 * Returns the worst class of the differences between two schemas and between replaced schemas inside. Schemas that kept
 * their name do not count, because their differences are reported separately.
 */
export function classOfReplacements(pairs: readonly Pair[]): (pair: Pair, direction: Direction) => Replacement {
  const replaced = pairs.filter(({ relation }) => relation === "replaced");
  const users = backwardsOf(replaced, ({ differences }) =>
    differences.flatMap(({ replacement }) => (replacement === undefined ? [] : [replacement])),
  );
  const causes = (direction: Direction, wanted: "breaking" | "compatible") =>
    spread(replaced, users, direction, wanted);
  const levels = {
    request: { breaking: causes("request", "breaking"), compatible: causes("request", "compatible") },
    response: { breaking: causes("response", "breaking"), compatible: causes("response", "compatible") },
  };
  return (pair, direction) => {
    for (const inClass of ["breaking", "compatible"] as const) {
      const cause = levels[direction][inClass].get(pair);
      if (cause !== undefined) return { class: inClass, cause };
    }
    return { class: "noise" };
  };
}

function spread(
  replaced: readonly Pair[],
  users: ReadonlyMap<Pair, readonly Pair[]>,
  direction: Direction,
  wanted: "breaking" | "compatible",
): ReadonlyMap<Pair, PlacedDifference> {
  const causes = new Map<Pair, PlacedDifference>();
  for (const pair of replaced) {
    const cause = pair.differences.find(({ effect }) => effect[direction] === wanted);
    if (cause !== undefined) causes.set(pair, cause);
  }
  // Iterating over a map also visits entries that are added during the iteration.
  for (const [pair, cause] of causes) {
    for (const user of users.get(pair) ?? []) if (!causes.has(user)) causes.set(user, cause);
  }
  return causes;
}
