import type { SchemaDocument } from "./document";

/** Schemas by id. */
export type Schemas = ReadonlyMap<string, SchemaDocument>;

/** References may lead to references; published ones never do, and none leads further than this. */
const mostHops = 20;

/** Where a schema's reference leads; the schema itself where it has none. */
export interface Followed {
  /** The last name on the way; undefined for a schema in place. */
  readonly name: string | undefined;
  /** Undefined where a reference dangles, or leads in a circle. */
  readonly target: SchemaDocument | undefined;
}

export function followReference(schema: SchemaDocument, schemas: Schemas): Followed {
  let name: string | undefined;
  let target: SchemaDocument | undefined = schema;
  for (let hops = 0; target?.$ref !== undefined; hops++) {
    if (hops === mostHops) return { name, target: undefined };
    name = target.$ref;
    target = schemas.get(name);
  }
  return { name, target };
}

/**
 * What a schema stands for: itself, or where its `$ref` leads.
 *
 * @returns undefined where a reference dangles, or leads in a circle
 */
export function resolveReference(schema: SchemaDocument, schemas: Schemas): SchemaDocument | undefined {
  return schema.$ref === undefined ? schema : followReference(schema, schemas).target;
}

/**
 * What a schema's values are. One that declares properties is of objects and one that declares items is of lists, whether it says so or not.
 *
 * @param schema resolved
 * @returns undefined where it doesn't tell: anything goes
 */
export function typeOf({ type, properties, additionalProperties, items }: SchemaDocument): string | undefined {
  if (type !== undefined) return type;
  if (properties !== undefined || additionalProperties !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

/** The schemas that stand directly in a schema. */
export function childrenOf(schema: SchemaDocument): readonly SchemaDocument[] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(additionalProperties ? [additionalProperties] : []),
  ];
}
