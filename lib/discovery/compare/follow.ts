import type { SchemaDocument } from "../document";
import type { Schemas } from "../references";

/** Where a schema's reference leads; the schema itself where it has none. */
export interface Followed {
  /** The last name on the way; undefined for a schema in place. */
  readonly name: string | undefined;
  /** Undefined where a reference dangles, or leads in a circle. */
  readonly target: SchemaDocument | undefined;
}

const mostHops = 20;

export function follow(schema: SchemaDocument, schemas: Schemas): Followed {
  let name: string | undefined;
  let target: SchemaDocument | undefined = schema;
  for (let hops = 0; target?.$ref !== undefined; hops++) {
    if (hops === mostHops) return { name, target: undefined };
    name = target.$ref;
    target = schemas.get(name);
  }
  return { name, target };
}
