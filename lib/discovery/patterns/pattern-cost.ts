/**
 * How long V8 may need for a regular expression at worst. V8 tries every way to match, which for some published patterns takes longer than
 * the sun will burn; most patterns leave it no choice, though, and there it is by far the fastest engine.
 *
 * The answer is an upper bound.
 */
import { type CharacterSet, emptySet, overlap, union } from "./character-set";
import { type PatternNode, readPattern } from "./pattern-syntax";

/** What makes V8's work grow. */
export interface PatternCost {
  /** How many repeats without bound leave a choice of where they end: each multiplies the work by the value's length. */
  readonly degree: number;
  /** How many ways each bounded choice has: each multiplies the work by that, or by the value's length if that is less. */
  readonly choices: readonly number[];
}

/** Upper bound of the steps for a value of this many characters. */
export function worstSteps({ degree, choices }: PatternCost, length: number): number {
  return choices.reduce((steps, ways) => steps * Math.min(ways, length + 1), (length + 1) ** (degree + 1));
}

/**
 * The cost of a pattern.
 *
 * @returns undefined where it can be exponential, or has syntax that isn't read here
 */
export function patternCost(pattern: string): PatternCost | undefined {
  const tree = readPattern(pattern);
  return tree === undefined ? undefined : cost(tree, emptySet());
}

/**
 * How large a pattern is with its counted repeats written out, which is what engines make of them.
 *
 * Where it has syntax that isn't read here, the answer is that of one large repeat of all of it.
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

/** The characters that a match can begin with; `follow` is what comes after the node. */
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
  // Several rounds: only where each round's end can't be mistaken, or the ways to cut the text into rounds multiply.
  const isPlain = inner.degree === 0 && inner.choices.length === 0;
  return isPlain && endsUnmistakably(item) ? whereToEnd : undefined;
}

/** Whether the last character of a match is always there, and can be nowhere else in it. */
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
