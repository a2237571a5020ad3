import type { ParsedNode, YAMLMap } from "yaml";
import { stepsOf } from "../../json/pointer";
import type { Position } from "./problem";
import type { Tree } from "./tree";
import { yaml } from "./yaml";

/** A document that was read: what later findings are located in. */
export interface MigrationDocument {
  /** As the reader was told. */
  readonly source: string;
  /** For {@link locate} alone. */
  readonly tree: Pick<Tree, "root" | "lines">;
}

interface Pair {
  readonly key: ParsedNode;
  readonly value: ParsedNode | null;
}

type Mapping = YAMLMap<ParsedNode, ParsedNode | null>;

/** Pairs by key: looking through a mapping anew for each of its problems would take time by their product. */
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
 * Where a value stands in its document.
 *
 * @param pointer JSON pointer into the spec. Where it leads to nothing that is written, its nearest parent counts
 * @param part `value`: where a single value begins, or the key of a list or mapping. `key`: always the key, where there is one
 */
export function locate(document: MigrationDocument, pointer: string, part: "value" | "key" = "value"): Position {
  const { isMap, isScalar, isSeq } = yaml();
  let node: ParsedNode | null = document.tree.root;
  let offset = node?.range[0] ?? 0;
  for (const step of stepsOf(pointer)) {
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = pairsOf(node).get(step);
      if (pair === undefined) break;
      node = pair.value;
      const written = isScalar(node) && node.range[1] > node.range[0];
      offset = part === "value" && written ? node!.range[0] : pair.key.range[0];
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
