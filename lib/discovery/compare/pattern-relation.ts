import { type CharacterSet, type PatternNode, readPattern } from "../patterns";

/** `changed`: neither set of values contains the other, or the relation is unknown. */
export type Relation = "same" | "narrowed" | "widened" | "changed";

/** Longer patterns are compared only as text. Published patterns have up to about 500 characters. */
const longestRead = 1_000;

/** Matches an anchor inside an alternative, which may prevent a pattern from matching any text. */
const anchorInside = /(?<![(|[\\]|^)\^|(?<!\\)\$(?![)|]|$)/;

/**
 * Returns the relation between the texts that two patterns match as a whole. Patterns are compared part by part, so not
 * every inclusion is detected: a different structure is reported as `narrowed` or `changed`.
 */
export function relatePatterns(before: string, after: string): Relation {
  if (before === after) return "same";
  const [old, now] = [treeOf(before), treeOf(after)];
  if (old === undefined || now === undefined) return "changed";
  const narrowed = covers(old, now, { left: mostSteps });
  const widened = covers(now, old, { left: mostSteps });
  if (narrowed && widened) return "same";
  return narrowed ? "narrowed" : widened ? "widened" : "changed";
}

/** The longest published list of alternatives takes about 3,000 steps. */
const mostSteps = 20_000;

interface Steps {
  left: number;
}

/** Parses a pattern without anchors at its ends. They have no effect, because the whole value must match. */
function treeOf(pattern: string): PatternNode | undefined {
  // The parser treats all characters outside of ASCII as one character, so it cannot distinguish them.
  if (pattern.length > longestRead || /[^\x20-\x7e]/.test(pattern) || anchorInside.test(pattern)) return undefined;
  const tree = readPattern(pattern);
  return tree && unanchored(tree);
}

function unanchored(node: PatternNode): PatternNode {
  if (node.kind === "choice") return { kind: "choice", items: node.items.map(unanchored) };
  if (node.kind !== "sequence") return node.kind === "anchor" ? { kind: "sequence", items: [] } : node;
  const { items } = node;
  const from = items[0]?.kind === "anchor" ? 1 : 0;
  const to = items.length > from && items.at(-1)?.kind === "anchor" ? items.length - 1 : items.length;
  const inside: PatternNode = { kind: "sequence", items: items.slice(from, to) };
  const only = onlyItem(inside);
  return only === undefined ? inside : unanchored(only);
}

/** Returns the item of a sequence that has no other item. */
function onlyItem(node: PatternNode): PatternNode | undefined {
  return node.kind === "sequence" && node.items.length === 1 ? node.items[0] : undefined;
}

function covers(outer: PatternNode, inner: PatternNode, steps: Steps): boolean {
  if (--steps.left < 0) return false;
  const [onlyOuter, onlyInner] = [onlyItem(outer), onlyItem(inner)];
  if (onlyOuter !== undefined) return covers(onlyOuter, inner, steps);
  if (onlyInner !== undefined) return covers(outer, onlyInner, steps);
  if (inner.kind === "choice") return inner.items.every((item) => covers(outer, item, steps));
  if (outer.kind === "choice") return outer.items.some((item) => covers(item, inner, steps));
  if (outer.kind === "repeat") return repeatCovers(outer, inner, steps);
  if (outer.kind === "set") return inner.kind === "set" && isSubset(inner.set, outer.set);
  if (outer.kind === "anchor") return inner.kind === "anchor";
  return sequenceCovers(outer.items, inner.kind === "sequence" ? inner.items : [inner], steps);
}

function repeatCovers(outer: PatternNode & { readonly kind: "repeat" }, inner: PatternNode, steps: Steps): boolean {
  if (outer.item.kind === "set" && outer.max === Number.POSITIVE_INFINITY) {
    return shortest(inner) >= outer.min && hasOnly(inner, outer.item.set);
  }
  if (inner.kind === "repeat") {
    return outer.min <= inner.min && outer.max >= inner.max && covers(outer.item, inner.item, steps);
  }
  return outer.min <= 1 && outer.max >= 1 && covers(outer.item, inner, steps);
}

/** Compares part by part. The last outer part may cover all remaining inner parts. */
function sequenceCovers(outer: readonly PatternNode[], inner: readonly PatternNode[], steps: Steps): boolean {
  if (outer.length === 0) return inner.length === 0;
  const last = outer.length - 1;
  return outer.every((item, at) => {
    const part = inner[at];
    if (part === undefined) return shortest(item) === 0;
    return covers(item, at < last ? part : { kind: "sequence", items: inner.slice(last) }, steps);
  });
}

function shortest(node: PatternNode): number {
  if (node.kind === "set") return 1;
  if (node.kind === "anchor") return 0;
  if (node.kind === "repeat") return node.min * shortest(node.item);
  const lengths = node.items.map(shortest);
  return node.kind === "choice" ? Math.min(...lengths) : lengths.reduce((sum, length) => sum + length, 0);
}

function hasOnly(node: PatternNode, set: CharacterSet): boolean {
  if (node.kind === "set") return isSubset(node.set, set);
  if (node.kind === "anchor") return true;
  return node.kind === "repeat" ? hasOnly(node.item, set) : node.items.every((item) => hasOnly(item, set));
}

/** Control characters are ignored: no value has them, and `.` excludes the line feed but `[^/]` does not. */
function isSubset(inner: CharacterSet, outer: CharacterSet): boolean {
  return inner.every((member, at) => at < 32 || member <= outer[at]!);
}
