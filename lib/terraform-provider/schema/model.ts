import { isList, isValueObject, type Value, type ValueObject } from "../value";

/** Type of an attribute, in Terraform's JSON format for types. */
export type AttributeType =
  | "string"
  | "number"
  | "bool"
  | readonly ["list" | "set" | "map", AttributeType]
  | readonly ["object", Readonly<Record<string, AttributeType>>];

export interface Attribute {
  readonly type: AttributeType;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  /** Whether Terraform only sends the value: no plan and no state contains it. */
  readonly writeOnly: boolean;
}

export interface NestedBlock {
  readonly nesting: "list" | "set" | "single";
  readonly block: SchemaBlock;
  readonly minItems: number;
  /** Maximum number of items; 0 for no limit. */
  readonly maxItems: number;
}

export interface SchemaBlock {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: ReadonlyMap<string, NestedBlock>;
}

/** Returns the type of a whole block as an object. */
export function typeOfBlock({ attributes, blocks }: SchemaBlock): AttributeType {
  const members: Record<string, AttributeType> = {};
  for (const [name, { type }] of attributes) members[name] = type;
  for (const [name, { nesting, block }] of blocks) {
    members[name] = nesting === "single" ? typeOfBlock(block) : [nesting, typeOfBlock(block)];
  }
  return ["object", members];
}

/**
 * Returns an object with exactly the attributes and blocks of a schema. Absent attributes are null, absent lists of
 * blocks are empty, and other members are removed.
 */
export function shapeBlock({ attributes, blocks }: SchemaBlock, values: ValueObject): ValueObject {
  const shaped: Record<string, Value> = {};
  for (const [name, { type }] of attributes) shaped[name] = shapeValue(type, values[name]);
  for (const [name, { nesting, block }] of blocks) {
    const value = values[name];
    if (nesting === "single") shaped[name] = isValueObject(value) ? shapeBlock(block, value) : null;
    else if (isList(value)) shaped[name] = value.map((item) => (isValueObject(item) ? shapeBlock(block, item) : item));
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
    if (!isValueObject(value)) return value;
    const members = Object.entries(element as Readonly<Record<string, AttributeType>>);
    return Object.fromEntries(members.map(([name, each]) => [name, shapeValue(each, value[name])]));
  }
  const elementType = element as AttributeType;
  if (isList(value)) return value.map((item) => shapeValue(elementType, item));
  if (!isValueObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeValue(elementType, item)]));
}
