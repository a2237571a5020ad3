import type { ParsedNode, YAMLMap } from "yaml";
import { stepsOf } from "../../json/pointer";
import type { Position } from "./problem";
import { type Tree, yaml } from "./tree";

/** A document that was read, in which later findings are located. */
export interface MigrationDocument {
  /** Name of the document, as passed to the reader. */
  readonly source: string;
  /** Used only by {@link locate}. */
  readonly tree: Pick<Tree, "root" | "lines">;
}

interface Pair {
  readonly key: ParsedNode;
  readonly value: ParsedNode | null;
}

type Mapping = YAMLMap<ParsedNode, ParsedNode | null>;

/** Pairs by key. Searching the mapping for each problem would take time in proportion to the product of both. */
const pairs = new WeakMap<Mapping, ReadonlyMap<unknown, Pair>>();

function pairsOf(mapping: Mapping): ReadonlyMap<unknown, Pair> {
  const { isScalar } = yaml();
  let found = pairs.get(mapping);
  if (found === undefined) {
    const byKey = new Map<unknown, Pair>();
    for (const { key, value } of mapping.items) {
      if (isScalar(key) && !byKey.has(key.value)) byKey.set(key.value, { key, value });
    }
    found = byKey;
    pairs.set(mapping, found);
  }
  return found;
}

/**
 * Returns the position of a value in its document.
 *
 * @param pointer JSON pointer into the spec. If nothing is written there, the position of the nearest parent is
 * returned
 * @param part `value`: the start of a scalar, or the key of a list or mapping. `key`: always the key, if there is one
 */
export function locate(document: MigrationDocument, pointer: string, part: "value" | "key" = "value"): Position {
  const { isMap, isScalar, isSeq } = yaml();
  let node: ParsedNode | null = document.tree.root;
  let offset = node?.range[0] ?? 0;
  for (const step of stepsOf(pointer)) {
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = pairsOf(node).get(step);
      if (pair === undefined) break;
      const { key, value } = pair;
      node = value;
      const written = isScalar(value) && value.range[1] > value.range[0];
      offset = part === "value" && written ? value.range[0] : key.range[0];
    } else if (isSeq<ParsedNode>(node)) {
      const item: ParsedNode | undefined = node.items[Number(step)];
      if (item === undefined) break;
      node = item;
      offset = node.range[0];
    } else {
      break;
    }
  }
  const { line, col } = document.tree.lines.linePos(offset);
  return { line, column: col };
}
