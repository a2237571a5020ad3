import type { Reach } from "./changes";
import type { Direction } from "./differences";

/** A node of a graph at which a method's body begins. */
export interface Start<Node> {
  readonly methodId: string;
  readonly direction: Direction;
  readonly node: Node;
}

export interface Reaches<Node> {
  /** The methods that reach each wanted node, for as many nodes as could be followed. */
  readonly byNode: ReadonlyMap<Node, Reach>;
  /** Whether some wanted nodes were not followed. */
  readonly isCut: boolean;
}

/**
 * Maximum number of steps. In the worst case, the lists have as many entries as methods times schemas. Two versions of
 * the largest published API take about 25,000 steps.
 */
const mostSteps = 2_000_000;

/**
 * Returns the methods that reach each of the wanted nodes. The search runs backwards from the wanted nodes, because
 * there are usually few.
 */
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

/** Returns every reachable node, including the start nodes. */
export function closureOf<Node>(starts: Iterable<Node>, next: (node: Node) => Iterable<Node>): ReadonlySet<Node> {
  const found = new Set(starts);
  for (const node of found) for (const inner of next(node)) found.add(inner);
  return found;
}

/** Returns the reversed edges of a graph. */
export function backwardsOf<Node>(
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
