import { patternMatcher } from "./pattern";
import { type PatternNode, readPatternLoosely } from "./pattern-syntax";

/**
 * Returns a short text that matches a pattern.
 *
 * @returns undefined for a pattern with unsupported syntax
 */
export function patternExample(pattern: string): string | undefined {
  return patternExamples(pattern)[0];
}

/**
 * Returns short texts that match a pattern: letters if the pattern allows them, and digits. Empty for unsupported
 * syntax.
 */
export function patternExamples(pattern: string): readonly string[] {
  const tree = readPatternLoosely(pattern);
  if (tree === undefined || lengthOf(tree) > longestExample) return [];
  const texts = [lettersFirst, digitsFirst].map((order) => write(tree, order));
  return [...new Set(texts)].filter((text) => patternMatcher(pattern)(text) === true);
}

/** Maximum length of an example, in characters, because nested repeats could exhaust the memory. */
const longestExample = 10_000;

function lengthOf(node: PatternNode): number {
  if (node.kind === "set" || node.kind === "anchor") return 1;
  if (node.kind === "repeat") return lengthOf(node.item) * node.min;
  const lengths = node.items.map(lengthOf);
  return node.kind === "sequence" ? lengths.reduce((sum, length) => sum + length, 0) : (lengths[0] ?? 0);
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const lettersFirst: readonly string[] = [...lower, ...lower.toUpperCase(), ..."0123456789-_.~/:"];
const digitsFirst: readonly string[] = [..."0123456789", ...lettersFirst];

function write(node: PatternNode, order: readonly string[]): string {
  if (node.kind === "set") return characterOf(node, order);
  if (node.kind === "anchor") return "";
  if (node.kind === "repeat") return write(node.item, order).repeat(node.min);
  if (node.kind === "sequence") return node.items.map((item) => write(item, order)).join("");
  return write(node.items[0] ?? { kind: "anchor" }, order);
}

/** Returns the first allowed character of an order, otherwise any printable character. */
function characterOf({ set, other }: PatternNode & { readonly kind: "set" }, order: readonly string[]): string {
  const place = order.find((character) => set[character.charCodeAt(0)] === 1);
  if (place !== undefined) return place;
  const printable = set.findIndex((member, at) => member === 1 && at > 31 && at < 128);
  return printable === -1 ? (other ?? "\u0080") : String.fromCharCode(printable);
}
