import type { ParsedNode } from "yaml";
import type { Code } from "../../findings/codes";
import { pointerTo } from "../../json/pointer";
import { quote } from "../../text/quote";
import { type DocumentProblem, type Position, pathOf } from "./problem";
import { type Tree, yaml } from "./tree";

/** The most values in a document after its aliases are resolved: 10,000 certificates with 40 names each. */
const MOST_VALUES = 500_000;

/** Plain data of a document. Text that repeats by alias is one object in several places: treat it as read-only. */
export interface Values {
  readonly data: unknown;
  readonly problems: readonly DocumentProblem[];
  /** Whether a limit was exceeded; `data` is then null. */
  readonly abandoned: boolean;
}

interface Converted {
  readonly value: unknown;
  /** The number of values, including the root; aliases count as the values that they repeat. */
  readonly size: number;
}

/** Thrown when a document exceeds a limit. */
class Abandoned extends Error {}

/**
 * Returns the plain data of a tree: keys in their order, `null` for missing values. Reports duplicate keys, aliases
 * without a target, aliases that contain themselves, and more than 500,000 values.
 */
export function readValues(tree: Tree, source: string): Values {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  const problems: DocumentProblem[] = [];
  const anchored = new Map<string, ParsedNode>();
  const done = new Map<ParsedNode, Converted>();

  const report = (node: ParsedNode | null, pointer: string, code: Code, message: string) => {
    problems.push({ source, ...positionOf(node, tree), pointer, code, message });
  };

  const convert = (node: ParsedNode | null, at: string): Converted => {
    if (node === null) return { value: null, size: 1 };
    if (isAlias(node)) return alias(node, at);
    if (node.anchor !== undefined) anchored.set(node.anchor, node);
    const converted = isMap(node) ? mapping(node, at) : isSeq(node) ? list(node, at) : scalar(node);
    if (node.anchor !== undefined) done.set(node, converted);
    return converted;
  };

  const counted = (size: number, node: ParsedNode, at: string): number => {
    if (size <= MOST_VALUES) return size;
    const what = `the document has more than ${MOST_VALUES} values, including values that aliases repeat`;
    report(node, at, "document-too-many-values", `${what}: divide it, or repeat less`);
    throw new Abandoned();
  };

  const scalar = (node: ParsedNode): Converted => ({ value: isScalar(node) ? node.value : null, size: 1 });

  const list = (node: Extract<ParsedNode, { items: ParsedNode[] }>, at: string): Converted => {
    let size = 1;
    const value = node.items.map((item, index) => {
      const converted = convert(item, pointerTo(at, index));
      size = counted(size + converted.size, item, at);
      return converted.value;
    });
    return { value, size };
  };

  const mapping = (node: Extract<ParsedNode, { items: { key: ParsedNode }[] }>, at: string): Converted => {
    let size = 1;
    const value = new Map<string, unknown>();
    for (const pair of node.items) {
      // The composer has reported keys that are not text.
      if (!isScalar<string>(pair.key)) continue;
      const key = pair.key.value;
      const pointer = pointerTo(at, key);
      const converted = convert(pair.value, pointer);
      size = counted(size + converted.size, node, at);
      if (value.has(key)) {
        const where = at === "" ? "the document" : quote(pathOf(at));
        report(pair.key, pointer, "document-duplicate-key", `${quote(key)} is given twice in ${where}: keep one`);
      } else {
        value.set(key, converted.value);
      }
    }
    return { value: Object.fromEntries(value), size };
  };

  const alias = (node: Extract<ParsedNode, { source: string }>, at: string): Converted => {
    const target = anchored.get(node.source);
    if (target === undefined) {
      const what = `'*' begins an alias, and the anchor ${quote(`&${node.source}`)} is not defined before`;
      report(node, at, "document-bad-alias", `${what}: put the value in quotes`);
      return { value: `*${node.source}`, size: 1 };
    }
    const repeated = done.get(target);
    if (repeated === undefined) {
      const what = `the alias ${quote(`*${node.source}`)} lies within its own anchor`;
      report(node, at, "document-bad-alias", `${what}: write the value out`);
      throw new Abandoned();
    }
    return repeated;
  };

  try {
    return { data: convert(tree.root, "").value, problems, abandoned: false };
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error;
    return { data: null, problems, abandoned: true };
  }
}

function positionOf(node: ParsedNode | null, tree: Tree): Position {
  const { line, col } = tree.lines.linePos(node?.range[0] ?? 0);
  return { line, column: col };
}
