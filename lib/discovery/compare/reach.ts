import type { Reach } from "./changes";
import type { Direction } from "./differences";

/** A node of a graph at which a method's body begins. */
export interface Start<Node> {
  readonly methodId: string;
  readonly direction: Direction;
  readonly node: Node;
}

export interface Reaches<Node> {
  /** Of the wanted nodes that any method reaches. */
  readonly byNode: ReadonlyMap<Node, Reach>;
  /** Whether the lists end before all methods were followed. */
  readonly isCut: boolean;
}

/** Lists have as many entries as there are methods times schemas, at the worst; the largest published API takes some 100,000 steps. */
const mostSteps = 10_000_000;

/** Tells which methods reach which of the wanted nodes. */
export function reachedBy<Node>(
  starts: readonly Start<Node>[],
  next: (node: Node) => Iterable<Node>,
  wanted: ReadonlySet<Node>,
): Reaches<Node> {
  const leading = leadingTo(
    wanted,
    closureOf(
      starts.map(({ node }) => node),
      next,
    ),
    next,
  );
  const byNode = new Map<Node, { readonly request: string[]; readonly response: string[] }>();
  let steps = 0;
  for (const { methodId, direction, node } of [...starts].sort((a, b) => (a.methodId < b.methodId ? -1 : 1))) {
    const seen = new Set([node].filter((start) => leading.has(start)));
    for (const reached of seen) {
      if (++steps > mostSteps) return { byNode, isCut: true };
      if (wanted.has(reached)) {
        const reach = byNode.get(reached) ?? { request: [], response: [] };
        byNode.set(reached, reach);
        reach[direction].push(methodId);
      }
      // A set that grows while it is walked is walked to its end.
      for (const inner of next(reached)) {
        steps++;
        if (leading.has(inner)) seen.add(inner);
      }
    }
  }
  return { byNode, isCut: false };
}

/** Every node that can be reached, the starts included. */
export function closureOf<Node>(starts: Iterable<Node>, next: (node: Node) => Iterable<Node>): ReadonlySet<Node> {
  const found = new Set(starts);
  for (const node of found) for (const inner of next(node)) found.add(inner);
  return found;
}

/** The nodes from which a wanted one can be reached, the wanted ones included. */
function leadingTo<Node>(
  wanted: ReadonlySet<Node>,
  nodes: ReadonlySet<Node>,
  next: (node: Node) => Iterable<Node>,
): ReadonlySet<Node> {
  const backwards = backwardsOf(nodes, next);
  return closureOf(
    [...wanted].filter((node) => nodes.has(node)),
    (node) => backwards.get(node) ?? [],
  );
}

/** The edges of a graph the other way round. */
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
