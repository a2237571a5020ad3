import type { Block } from "../schema";
import { isList, isObject, sameValue, type ValueObject } from "../value";
import { covers, nameIn, type Overlay } from "./overlay";

/** A path in a resource: names of attributes and blocks, and indexes of lists. */
export type Path = readonly (string | number)[];

/** Returns the paths whose change makes Terraform replace the resource. */
export function replacements(
  schema: Block,
  overlay: Overlay,
  prior: ValueObject,
  planned: ValueObject,
): readonly Path[] {
  return [...differences(schema, overlay, "", [], prior, planned)];
}

function* differences(
  schema: Block,
  overlay: Overlay,
  name: string,
  path: Path,
  prior: ValueObject,
  planned: ValueObject,
): Iterable<Path> {
  for (const member of schema.attributes.keys()) {
    const isForcing = covers(overlay.forceNew, nameIn(name, member));
    if (isForcing && !sameValue(prior[member], planned[member])) yield [...path, member];
  }
  for (const [member, { nesting, block }] of schema.blocks) {
    const inner = nameIn(name, member);
    const [before, after] = [prior[member] ?? null, planned[member] ?? null];
    if (sameValue(before, after)) continue;
    if (nesting === "list" && isList(before) && isList(after) && before.length === after.length) {
      for (const [index, item] of after.entries()) {
        const itemBefore = before[index];
        if (!isObject(item) || !isObject(itemBefore)) continue;
        yield* differences(block, overlay, inner, [...path, member, index], itemBefore, item);
      }
    } else if (touchesForcing(overlay, inner)) {
      yield [...path, member];
    }
  }
}

/**
 * Returns whether a block without an index, or an added or removed block, forces replacement by itself or by anything
 * in it.
 */
function touchesForcing({ forceNew }: Overlay, name: string): boolean {
  return covers(forceNew, name) || forceNew.some((each) => each.startsWith(`${name}.`));
}
