import { isList, isObject, type Value, type ValueObject } from "../value";
import type { AttributeType, Block } from "./model";

/**
 * Returns an object with exactly the attributes and blocks of a schema. Absent attributes are null, absent lists of
 * blocks are empty, and other members are removed.
 */
export function shapeBlock({ attributes, blocks }: Block, values: ValueObject): ValueObject {
  const shaped: Record<string, Value> = {};
  for (const [name, { type }] of attributes) shaped[name] = shapeValue(type, values[name]);
  for (const [name, { nesting, block }] of blocks) {
    const value = values[name];
    if (nesting === "single") shaped[name] = isObject(value) ? shapeBlock(block, value) : null;
    else if (isList(value)) shaped[name] = value.map((item) => (isObject(item) ? shapeBlock(block, item) : item));
    else shaped[name] = typeof value === "symbol" ? value : [];
  }
  return shaped;
}

/** Converts a value to an attribute's type. A number in a state may be text if it is too large for JSON. */
function shapeValue(type: AttributeType, value: Value | undefined): Value {
  if (value === undefined || value === null) return null;
  if (type === "number" && typeof value === "string") return BigInt(value);
  if (typeof type === "string") return value;
  const [nesting, element] = type;
  if (nesting === "object") {
    if (!isObject(value)) return value;
    const members = Object.entries(element as Readonly<Record<string, AttributeType>>);
    return Object.fromEntries(members.map(([name, each]) => [name, shapeValue(each, value[name])]));
  }
  const elementType = element as AttributeType;
  if (isList(value)) return value.map((item) => shapeValue(elementType, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeValue(elementType, item)]));
}
