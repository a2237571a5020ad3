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
  readonly block: Block;
  readonly minItems: number;
  /** Maximum number of items; 0 for no limit. */
  readonly maxItems: number;
}

export interface Block {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: ReadonlyMap<string, NestedBlock>;
}

/** Returns the type of a whole block as an object. */
export function typeOfBlock({ attributes, blocks }: Block): AttributeType {
  const members: Record<string, AttributeType> = {};
  for (const [name, { type }] of attributes) members[name] = type;
  for (const [name, { nesting, block }] of blocks) {
    members[name] = nesting === "single" ? typeOfBlock(block) : [nesting, typeOfBlock(block)];
  }
  return ["object", members];
}
