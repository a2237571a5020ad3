import type { SchemaDocument } from "./document";

/** Schemas by id. */
export type Schemas = ReadonlyMap<string, SchemaDocument>;

/**
 * Maximum number of references in a chain. A longer chain counts as a missing target. Published references never lead
 * to another reference.
 */
const mostHops = 20;

/** Target of a schema's reference; the schema itself if it has no reference. */
export interface Followed {
  /** The last name of the chain; undefined for an inline schema. */
  readonly name: string | undefined;
  /** Undefined if a reference has no target, or is circular. */
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
 * Returns the schema itself, or the target of its `$ref`.
 *
 * @returns undefined if a reference has no target, or is circular
 */
export function resolveReference(schema: SchemaDocument, schemas: Schemas): SchemaDocument | undefined {
  return schema.$ref === undefined ? schema : followReference(schema, schemas).target;
}

/**
 * Returns the type of a schema's values. A schema with properties is an object, and a schema with items is a list, even
 * without `type`.
 *
 * @param schema resolved
 * @returns undefined if the schema has no type: any value is valid
 */
export function typeOf({ type, properties, additionalProperties, items }: SchemaDocument): string | undefined {
  if (type !== undefined) return type;
  if (properties !== undefined || additionalProperties !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

/** Returns the schemas directly inside a schema. */
export function childrenOf(schema: SchemaDocument): readonly SchemaDocument[] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(additionalProperties ? [additionalProperties] : []),
  ];
}
