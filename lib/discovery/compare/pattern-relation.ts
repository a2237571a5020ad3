import type { CharacterSet } from "../patterns";
import { type PatternNode, readPattern } from "../patterns";

/** What became of a set of allowed values; `changed` where neither set holds the other, or it can't be told. */
export type Relation = "same" | "narrowed" | "widened" | "changed";

/** Longer patterns are only compared as text. Published ones have up to some 500 characters, nearly all of them fewer than 250. */
const longestRead = 1_000;

/** An anchor that begins or ends no alternative; it may keep a pattern from matching anything. */
const anchorInside = /(?<![(|[\\]|^)\^|(?<!\\)\$(?![)|]|$)/;

/**
 * How the texts that two patterns match as a whole relate.
 *
 * What is called wider does hold all of the other one's texts, but not every inclusion is seen: patterns are held against each other part by part (a
 * larger class of characters, a larger count, more alternatives), so that those which are written quite differently come out as `narrowed` or `changed`.
 */
export function relatePatterns(before: string, after: string): Relation {
  if (before === after) return "same";
  const [old, now] = [treeOf(before), treeOf(after)];
  if (old === undefined || now === undefined) return "changed";
  const narrowed = isCovered(old, now);
  const widened = isCovered(now, old);
  if (narrowed && widened) return "same";
  return narrowed ? "narrowed" : widened ? "widened" : "changed";
}

/** Alternatives are held against alternatives; the longest published list of them takes some 3,000 steps. */
const mostSteps = 20_000;

/** Whether everything that the inner pattern matches is seen to be matched by the outer one. */
function isCovered(outer: PatternNode, inner: PatternNode): boolean {
  return covers(outer, inner, { left: mostSteps });
}

interface Steps {
  left: number;
}

/** Without anchors at the ends, which change nothing where the whole value has to match. */
function treeOf(pattern: string): PatternNode | undefined {
  // The reader has one place for all characters beyond ASCII, so it can't tell two of them apart.
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
  const inside = items.slice(from, to);
  return inside.length === 1 ? unanchored(inside[0]!) : { kind: "sequence", items: inside };
}

function covers(outer: PatternNode, inner: PatternNode, steps: Steps): boolean {
  if (--steps.left < 0) return false;
  if (outer.kind === "sequence" && outer.items.length === 1) return covers(outer.items[0]!, inner, steps);
  if (inner.kind === "sequence" && inner.items.length === 1) return covers(outer, inner.items[0]!, steps);
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

/** Part by part; the last part may cover all of the rest, and what is left over may match nothing. */
function sequenceCovers(outer: readonly PatternNode[], inner: readonly PatternNode[], steps: Steps): boolean {
  if (outer.length === 0) return inner.length === 0;
  const last = outer.length - 1;
  return outer.every((item, at) => {
    if (at >= inner.length) return shortest(item) === 0;
    return covers(item, at < last ? inner[at]! : { kind: "sequence", items: inner.slice(last) }, steps);
  });
}

/** Fewest characters that a part can match. */
function shortest(node: PatternNode): number {
  if (node.kind === "set") return 1;
  if (node.kind === "anchor") return 0;
  if (node.kind === "repeat") return node.min * shortest(node.item);
  const lengths = node.items.map(shortest);
  return node.kind === "choice" ? Math.min(...lengths) : lengths.reduce((sum, length) => sum + length, 0);
}

/** Whether a part matches nothing but texts of characters of a set. */
function hasOnly(node: PatternNode, set: CharacterSet): boolean {
  if (node.kind === "set") return isSubset(node.set, set);
  if (node.kind === "anchor") return true;
  return node.kind === "repeat" ? hasOnly(node.item, set) : node.items.every((item) => hasOnly(item, set));
}

/** Control characters don't count: no value has any, and `.` leaves the line feed out where `[^/]` doesn't. */
function isSubset(inner: CharacterSet, outer: CharacterSet): boolean {
  return inner.every((member, at) => at < 32 || member <= outer[at]!);
}
