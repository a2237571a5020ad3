import { patternMatcher } from "./pattern";
import { type PatternNode, readPattern } from "./pattern-syntax";

/** Returns short texts that match a pattern, with letters and with digits. Empty for unsupported syntax. */
export function patternExamples(pattern: string): readonly string[] {
  const tree = readPattern(pattern, "loose");
  if (tree === undefined || lengthOf(tree) > longestExample) return [];
  const texts = [lettersFirst, digitsFirst].map((order) => write(tree, { ...shortest, order }));
  return [...new Set(texts)].filter((text) => patternMatcher(pattern)(text) === true);
}

/**
 * Returns texts of different forms that match a pattern: first and last characters of its sets, alternatives, minimum
 * and longer repeats, one to four segments in place of `.*` and `.+`. Segments are never empty. Empty for unsupported
 * syntax.
 */
export function patternSamples(pattern: string): readonly string[] {
  const matches = patternMatcher(pattern);
  const texts = [1, 2, 3, 4].flatMap((segments) => {
    const tree = readPattern(pattern.replace(/\.[*+]/g, Array(segments).fill(".+").join("/")), "loose");
    return tree === undefined || lengthOf(tree) * 2 > longestExample ? [] : ways.map((way) => write(tree, way));
  });
  return [...new Set(texts)].filter((text) => matches(text) === true);
}

/** Maximum length of an example, in characters, because nested repeats could exhaust the memory. */
const longestExample = 10_000;

function lengthOf(node: PatternNode): number {
  if (node.kind === "set" || node.kind === "anchor") return 1;
  if (node.kind === "repeat") return lengthOf(node.item) * (node.min + 1);
  const lengths = node.items.map(lengthOf);
  return node.kind === "sequence" ? lengths.reduce((sum, length) => sum + length, 0) : Math.max(0, ...lengths);
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const lettersFirst: readonly string[] = [...lower, ...lower.toUpperCase(), ..."0123456789-_.~/:"];
const digitsFirst: readonly string[] = [..."0123456789", ...lettersFirst];
const lastFirst: readonly string[] = [..."0123456789", ...lower.toUpperCase(), ...lower].reverse();

interface Way {
  readonly order: readonly string[];
  /** Index of the alternative; the last alternative if there are fewer. */
  readonly alternative: number;
  readonly further: 0 | 1;
}

const shortest = { alternative: 0, further: 0 } as const;
const ways: readonly Way[] = [lettersFirst, digitsFirst, lastFirst].flatMap((order) =>
  [0, 1, 2, 3].flatMap((alternative) => ([0, 1] as const).map((further) => ({ order, alternative, further }))),
);

function write(node: PatternNode, way: Way): string {
  if (node.kind === "set") return characterOf(node, way.order);
  if (node.kind === "anchor") return "";
  if (node.kind === "repeat") return write(node.item, way).repeat(Math.min(node.min + way.further, node.max));
  if (node.kind === "sequence") return node.items.map((item) => write(item, way)).join("");
  return write(node.items[way.alternative] ?? node.items.at(-1) ?? { kind: "anchor" }, way);
}

function characterOf(
  { set, other: otherThan }: PatternNode & { readonly kind: "set" },
  order: readonly string[],
): string {
  const place = order.find((character) => set[character.charCodeAt(0)] === 1);
  if (place !== undefined) return place;
  const printable = set.findIndex((member, at) => member === 1 && at > 31 && at < 128);
  return printable === -1 ? (otherThan ?? "\u0080") : String.fromCharCode(printable);
}
