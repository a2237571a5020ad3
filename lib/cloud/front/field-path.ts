import type { ApiDescription, SchemaDocument } from "../../discovery";
import { camelCase } from "./service";

/** What an object has, as a description tells it. */
export interface Shape {
  readonly description: ApiDescription;
  readonly schema: SchemaDocument;
}

export interface FieldPathOptions {
  /** Whether a path goes on in the items of a list, as filters do and masks don't. @default false */
  readonly throughLists?: boolean;
}

/**
 * Follows a dotted path of fields, as in `labels.env` or `ssl_policy`, through a schema. A key of a map is taken as it is; fields are known in
 * either spelling.
 *
 * @returns its names as the schema spells them, or why it leads nowhere
 */
export function followFieldPath(
  path: string,
  { description, schema }: Shape,
  { throughLists = false }: FieldPathOptions = {},
): { readonly names: readonly string[] } | { readonly problem: string } {
  const names: string[] = [];
  let at: SchemaDocument | undefined = schema;
  for (const name of path.split(".")) {
    let target: SchemaDocument | undefined = at && description.resolve(at);
    while (throughLists && target?.type === "array") target = description.resolve(target.items ?? {});
    const { type, properties = {}, additionalProperties }: SchemaDocument = target ?? {};
    const own = [name, camelCase(name)].find((spelling) => Object.hasOwn(properties, spelling));
    const isKey = own === undefined && additionalProperties !== undefined && name !== "" && name !== "*";
    if (own === undefined && !isKey && type !== "any") return { problem: problemWith(name, names, type) };
    names.push(own ?? name);
    at = type === "any" ? target : own === undefined ? additionalProperties : properties[own];
  }
  return { names };
}

function problemWith(name: string, before: readonly string[], type: string | undefined): string {
  const told = name.slice(0, 100);
  const place = before.join(".");
  if (place === "") return `there is no field '${told}'`;
  if (type === "array") return `'${place}' is a list and taken as a whole, without '.${told}'`;
  return type === "object" ? `'${place}' has no field '${told}'` : `'${place}' has no fields, such as '${told}'`;
}
