import type { Attribute, NestedBlock, SchemaBlock } from "../schema";
import { isList, isValueObject, itemsOf, sameValue, unknown, type Value, type ValueObject } from "../value";
import { equivalent } from "./equivalence";
import { includesName, nameIn, type Overlay } from "./overlay";

export interface PlanRequest {
  readonly schema: SchemaBlock;
  readonly overlay: Overlay;
  /** Prior state; undefined if the resource will be created. */
  readonly prior: ValueObject | undefined;
  /** The configuration, in which Terraform has filled in earlier computed values. */
  readonly proposed: ValueObject;
  readonly config: ValueObject;
}

/**
 * Plans the attributes of a resource. Attributes without configuration get their default. Values equivalent to the
 * state keep the state's spelling. Values that only the service determines are unknown.
 */
export function planAttributes(request: PlanRequest): ValueObject {
  return planBlock({ ...request, name: "" });
}

interface BlockRequest extends PlanRequest {
  /** Dotted name without indexes; empty at the top level. */
  readonly name: string;
}

function planBlock(request: BlockRequest): ValueObject {
  const planned: Record<string, Value> = {};
  for (const [member, attribute] of request.schema.attributes) {
    planned[member] = planAttribute(request, member, attribute);
  }
  for (const [member, nested] of request.schema.blocks) planned[member] = planNested(request, member, nested);
  return planned;
}

function planAttribute(
  { overlay, name, prior, proposed, config }: BlockRequest,
  member: string,
  attribute: Attribute,
): Value {
  if (attribute.writeOnly) return null;
  const path = nameIn(name, member);
  const configured = config[member] ?? null;
  const before = prior?.[member] ?? null;
  if (configured !== null) {
    return before !== null && equivalent(before, configured, overlay.equivalences?.[path]) ? before : configured;
  }
  const fallback = overlay.defaults?.[path];
  if (fallback !== undefined) return fallback;
  if (!attribute.computed) return null;
  return prior === undefined ? unknown : (proposed[member] ?? null);
}

function planNested(request: BlockRequest, member: string, { nesting, block }: NestedBlock): Value {
  const { overlay, prior, proposed, config } = request;
  const name = nameIn(request.name, member);
  const inner = { schema: block, overlay, name };
  const value = proposed[member] ?? null;
  const configured = config[member] ?? null;
  const before = prior?.[member];
  if (nesting === "single") {
    if (!isValueObject(value) || !isValueObject(configured)) return value;
    return planBlock({
      ...inner,
      prior: isValueObject(before) ? before : undefined,
      proposed: value,
      config: configured,
    });
  }
  if (!isList(value)) return value;
  const [priorItems, configItems] = [itemsOf(before), itemsOf(configured)];
  return value.map((item, index) => {
    if (!isValueObject(item)) return item;
    // Terraform matches the members of sets itself; an unmatched member is new.
    const priorItem = nesting === "set" ? priorItems.find((each) => sameValue(each, item)) : priorItems[index];
    const configItem = nesting === "set" ? item : configItems[index];
    return planBlock({
      ...inner,
      prior: isValueObject(priorItem) ? priorItem : undefined,
      proposed: item,
      config: isValueObject(configItem) ? configItem : item,
    });
  });
}

/** A path in a resource: names of attributes and blocks, and indexes of lists. */
export type Path = readonly (string | number)[];

/** Returns the paths whose change makes Terraform replace the resource. */
export function replacements(
  schema: SchemaBlock,
  overlay: Overlay,
  prior: ValueObject,
  planned: ValueObject,
): readonly Path[] {
  return [...differences(schema, overlay, "", [], prior, planned)];
}

function* differences(
  schema: SchemaBlock,
  overlay: Overlay,
  name: string,
  path: Path,
  prior: ValueObject,
  planned: ValueObject,
): Iterable<Path> {
  for (const member of schema.attributes.keys()) {
    const isForcing = includesName(overlay.forceNew, nameIn(name, member));
    if (isForcing && !sameValue(prior[member], planned[member])) yield [...path, member];
  }
  for (const [member, { nesting, block }] of schema.blocks) {
    const inner = nameIn(name, member);
    const [before, after] = [prior[member] ?? null, planned[member] ?? null];
    if (sameValue(before, after)) continue;
    if (nesting === "list" && isList(before) && isList(after) && before.length === after.length) {
      for (const [index, item] of after.entries()) {
        const itemBefore = before[index];
        if (!isValueObject(item) || !isValueObject(itemBefore)) continue;
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
  return includesName(forceNew, name) || forceNew.some((each) => each.startsWith(`${name}.`));
}
