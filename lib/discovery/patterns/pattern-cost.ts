/**
 * Estimates an upper bound of V8's time for a regular expression. V8 backtracks over every way to match, which takes
 * exponential time for some published patterns. Most patterns leave no choice, and V8 is by far the fastest engine for
 * them.
 */
import { type CharacterSet, emptySet, overlap, type PatternNode, readPattern, union } from "./pattern-syntax";

export interface PatternCost {
  /** Number of unbounded repeats with an ambiguous end. Each multiplies the work by the value's length. */
  readonly degree: number;
  /** Number of alternatives of each bounded choice, which multiplies the work (at most by the value's length). */
  readonly choices: readonly number[];
}

export function worstSteps({ degree, choices }: PatternCost, length: number): number {
  return choices.reduce((steps, ways) => steps * Math.min(ways, length + 1), (length + 1) ** (degree + 1));
}

/** @returns undefined if the cost may be exponential, or if the pattern has unsupported syntax */
export function patternCost(pattern: string): PatternCost | undefined {
  const tree = readPattern(pattern);
  return tree === undefined ? undefined : cost(tree, emptySet());
}

/**
 * Returns the size of a pattern with expanded repeats. Unsupported syntax counts as one repeat of the whole pattern.
 */
export function patternSize(pattern: string): number {
  const tree = readPattern(pattern);
  if (tree !== undefined) return sizeOf(tree);
  const counts = [...pattern.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g)];
  return pattern.length * Math.max(1, ...counts.map((count) => Math.max(Number(count[1]), Number(count[2] ?? 0))));
}

function sizeOf(node: PatternNode): number {
  if (node.kind === "set" || node.kind === "anchor") return 1;
  if (node.kind === "repeat") return sizeOf(node.item) * (Number.isFinite(node.max) ? node.max : node.min + 1);
  return node.items.reduce((sum, item) => sum + sizeOf(item), 1);
}

function isNullable(node: PatternNode): boolean {
  if (node.kind === "set") return false;
  if (node.kind === "anchor") return true;
  if (node.kind === "repeat") return node.min === 0 || isNullable(node.item);
  return node.kind === "sequence" ? node.items.every(isNullable) : node.items.some(isNullable);
}

/** Returns the characters that a match can begin with. `follow` is the set of characters after the node. */
function firstOf(node: PatternNode, follow: CharacterSet): CharacterSet {
  if (node.kind === "set") return node.set;
  if (node.kind === "anchor") return follow;
  if (node.kind === "repeat") return firstOf(node.item, isNullable(node) ? follow : emptySet());
  if (node.kind === "choice") return node.items.map((item) => firstOf(item, follow)).reduce(union, emptySet());
  return node.items.reduceRight(
    (after, item) => (isNullable(item) ? union(firstOf(item, after), after) : firstOf(item, after)),
    follow,
  );
}

const free: PatternCost = { degree: 0, choices: [] };

function cost(node: PatternNode, follow: CharacterSet): PatternCost | undefined {
  if (node.kind === "set" || node.kind === "anchor") return free;
  if (node.kind === "sequence") return sequenceCost(node.items, follow);
  if (node.kind === "choice") return choiceCost(node.items, follow);
  return repeatCost(node, follow);
}

function both(a: PatternCost | undefined, b: PatternCost | undefined): PatternCost | undefined {
  return a && b ? { degree: a.degree + b.degree, choices: [...a.choices, ...b.choices] } : undefined;
}

function sequenceCost(items: readonly PatternNode[], follow: CharacterSet): PatternCost | undefined {
  let total: PatternCost | undefined = free;
  let after = follow;
  for (const item of [...items].reverse()) {
    total = both(total, cost(item, after));
    after = isNullable(item) ? union(firstOf(item, after), after) : firstOf(item, after);
  }
  return total;
}

function choiceCost(items: readonly PatternNode[], follow: CharacterSet): PatternCost | undefined {
  const seen = emptySet();
  let ambiguous = false;
  let total: PatternCost | undefined = free;
  for (const item of items) {
    const first = firstOf(item, follow);
    ambiguous ||= overlap(seen, first);
    seen.set(union(seen, first));
    total = both(total, cost(item, follow));
  }
  return ambiguous ? both(total, { degree: 0, choices: [items.length] }) : total;
}

function repeatCost(node: PatternNode & { readonly kind: "repeat" }, follow: CharacterSet): PatternCost | undefined {
  const { item, min, max } = node;
  const endIsOpen = overlap(firstOf(item, emptySet()), follow);
  const whereToEnd: PatternCost = !endIsOpen
    ? free
    : max === Number.POSITIVE_INFINITY
      ? { degree: 1, choices: [] }
      : { degree: 0, choices: [max - min + 1] };
  if (item.kind === "set") return whereToEnd;
  const inner = cost(item, union(firstOf(item, emptySet()), follow));
  if (inner === undefined || isNullable(item)) return undefined;
  if (max <= 1) return both(inner, whereToEnd);
  // If the end of a round is ambiguous, the number of ways to split the text into rounds multiplies.
  const isPlain = inner.degree === 0 && inner.choices.length === 0;
  return isPlain && endsUnmistakably(item) ? whereToEnd : undefined;
}

function endsUnmistakably(node: PatternNode): boolean {
  if (node.kind !== "sequence") return false;
  const last = node.items.at(-1);
  if (last?.kind !== "set") return false;
  return node.items.slice(0, -1).every((item) => !overlap(membersOf(item), last.set));
}

function membersOf(node: PatternNode): CharacterSet {
  if (node.kind === "set") return node.set;
  if (node.kind === "anchor") return emptySet();
  if (node.kind === "repeat") return membersOf(node.item);
  return node.items.map(membersOf).reduce(union, emptySet());
}
