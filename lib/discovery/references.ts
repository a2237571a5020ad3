import type { SchemaDocument } from "./document";

/** Schemas by id. */
export type Schemas = ReadonlyMap<string, SchemaDocument>;

/** References may lead to references; published ones never do, and none leads further than this. */
const mostHops = 20;

/**
 * What a schema stands for: itself, or where its `$ref` leads.
 *
 * @returns undefined where a reference dangles, or leads in a circle
 */
export function resolveReference(schema: SchemaDocument, schemas: Schemas): SchemaDocument | undefined {
  let target: SchemaDocument | undefined = schema;
  for (let hops = 0; target?.$ref !== undefined; hops++) {
    if (hops === mostHops) return undefined;
    target = schemas.get(target.$ref);
  }
  return target;
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
