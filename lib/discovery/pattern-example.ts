import { patternMatcher } from "./pattern";
import { type CharacterSet, type PatternNode, readPattern } from "./pattern-syntax";

/**
 * A short text that matches a pattern.
 *
 * @returns undefined for a pattern whose syntax is not read
 */
export function patternExample(pattern: string): string | undefined {
  const tree = readPattern(pattern.replace(/^\(\?i\)/, ""));
  const text = tree === undefined || lengthOf(tree) > longestExample ? undefined : write(tree);
  return text !== undefined && patternMatcher(pattern)(text) === true ? text : undefined;
}

/** Repeats in repeats would fill the memory. */
const longestExample = 10_000;

function lengthOf(node: PatternNode): number {
  if (node.kind === "set" || node.kind === "anchor") return 1;
  if (node.kind === "repeat") return lengthOf(node.item) * node.min;
  const lengths = node.items.map(lengthOf);
  return node.kind === "sequence" ? lengths.reduce((sum, length) => sum + length, 0) : (lengths[0] ?? 0);
}

function write(node: PatternNode): string {
  if (node.kind === "set") return characterOf(node.set);
  if (node.kind === "anchor") return "";
  if (node.kind === "repeat") return write(node.item).repeat(node.min);
  return node.kind === "sequence" ? node.items.map(write).join("") : write(node.items[0] ?? { kind: "anchor" });
}

/** A letter if there is one, else a digit, else whatever is printable. */
function characterOf(set: CharacterSet): string {
  const printable = [..."abcdefghijklmnopqrstuvwxyz", ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ", ..."0123456789-_.~/:"];
  const place = printable.find((character) => set[character.charCodeAt(0)] === 1);
  return (
    place ??
    String.fromCharCode(
      Math.max(
        0,
        set.findIndex((member, at) => member === 1 && at > 31),
      ),
    )
  );
}
