import type { ApiDescription, SchemaDocument } from "../../discovery";
import { camelCase } from "./service";

/** The fields of an object, according to a description. */
export interface Shape {
  readonly description: ApiDescription;
  readonly schema: SchemaDocument;
}

export interface FieldPathOptions {
  /** Whether a path continues in the items of a list, as in filters but not in masks. @default false */
  readonly throughLists?: boolean;
}

/**
 * Resolves a dotted field path, for example `labels.env` or `ssl_policy`, in a schema. Fields may have either spelling;
 * map keys stay unchanged.
 *
 * @returns field names in the schema's spelling, or why the path is invalid
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
  const shownName = name.slice(0, 100);
  const place = before.join(".");
  if (place === "") return `unknown field '${shownName}'`;
  if (type === "array") return `'${place}' is a list and taken as a whole, without '.${shownName}'`;
  return type === "object"
    ? `'${place}' has no field '${shownName}'`
    : `'${place}' has no fields, such as '${shownName}'`;
}
