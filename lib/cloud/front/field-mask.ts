import type { ApiDescription, SchemaDocument } from "../../discovery";
import { camelCase, invalidField, isJsonObject, type Json } from "./service";

/**
 * Applies a patch with a field mask. A field in the mask is set to the body's value, or cleared if the body lacks it.
 * Without a mask, the mutable fields of the body are set; with `*`, all mutable fields are set or cleared. In both
 * cases the body may repeat immutable fields (AIP-134, AIP-203).
 *
 * @param mask comma-separated field paths in either spelling, or `*`; empty means the fields of the body
 * @param mutable fields that may change, including their subfields and map keys
 * @throws CloudError for an unknown path, an immutable field, and a body that would change an immutable field without a
 * mask or with `*`
 */
export function applyMask(before: Json, body: Json, mask: string, mutable: readonly string[], shape: MaskShape): Json {
  const changed = new Map(Object.entries(before));
  for (const names of pathsOf(before, body, mask, mutable, shape)) {
    const [field = "", ...rest] = names;
    if (!mutable.includes(field)) throw immutable(field, mutable);
    const value = rest.length === 0 ? own(body, field) : nested(before[field], own(body, field), rest);
    if (value === undefined) changed.delete(field);
    else changed.set(field, value);
  }
  return Object.fromEntries(changed);
}

function immutable(field: string, mutable: readonly string[]) {
  return invalidField("update_mask", `the field ${field.slice(0, 100)} can't be updated; ${mutable.join(", ")} can`);
}

function pathsOf(
  before: Json,
  body: Json,
  mask: string,
  mutable: readonly string[],
  shape: MaskShape,
): readonly (readonly string[])[] {
  const paths = mask
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
  if (paths.length === 0 || paths.includes("*")) {
    const frozen = Object.keys(body).find(
      (field) => !mutable.includes(field) && !isPart(body[field], before[field], shape, propertyOf(shape, field)),
    );
    if (frozen !== undefined) throw immutable(frozen, mutable);
    const fields = paths.length > 0 ? mutable : mutable.filter((field) => Object.hasOwn(body, field));
    return fields.map((field) => [field]);
  }
  return paths.map((path) => {
    const reading = followFieldPath(path, shape);
    if ("names" in reading) return reading.names;
    const what = `'${path.slice(0, 200)}' is not a path of fields that can be updated: ${reading.problem}`;
    throw invalidField("update_mask", `${what}; ${mutable.join(", ")} can`);
  });
}

/**
 * Returns whether a value equals the present value. Missing fields and default values count as equal, because clients
 * omit unknown fields and write defaults when they send a resource back.
 */
function isPart(given: unknown, current: unknown, shape: MaskShape, schema: SchemaDocument | undefined): boolean {
  if (isJsonObject(given) && isJsonObject(current)) {
    const inner = { ...shape, schema: schema ?? {} };
    return Object.keys(given).every((key) => isPart(given[key], current[key], inner, propertyOf(inner, key)));
  }
  if (Array.isArray(given) && Array.isArray(current))
    return (
      given.length === current.length && given.every((item, index) => isPart(item, current[index], shape, undefined))
    );
  return given === current || (current === undefined && isUnset(given, schema));
}

/** Returns whether a value is unset: protocol buffers do not distinguish default values from missing ones. */
function isUnset(value: unknown, schema: SchemaDocument | undefined): boolean {
  if (typeof value === "object") return value === null || Object.keys(value).length === 0;
  return value === "" || (schema?.enum !== undefined && schema.enum[0] === value);
}

function propertyOf({ description, schema }: MaskShape, name: string): SchemaDocument | undefined {
  const properties = description.resolve(schema)?.properties ?? {};
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function nested(before: unknown, after: unknown, names: readonly string[]): unknown {
  const [name = "", ...rest] = names;
  const copy = new Map(Object.entries(isJsonObject(before) ? before : {}));
  const given = isJsonObject(after) ? own(after, name) : undefined;
  const value = rest.length === 0 ? given : nested(copy.get(name), given, rest);
  if (value === undefined) copy.delete(name);
  else copy.set(name, value);
  return Object.fromEntries(copy);
}

function own(value: Json, key: string): unknown {
  return Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
}

export interface MaskShape {
  readonly description: ApiDescription;
  readonly schema: SchemaDocument;
}

export interface FieldPathOptions {
  /** Whether a path continues in the items of a list, as in filters but not in masks. @default false */
  readonly throughLists?: boolean;
}

/** Resolves a path such as `labels.env` or `ssl_policy`. Fields may have either spelling; map keys stay unchanged. */
export function followFieldPath(
  path: string,
  { description, schema }: MaskShape,
  { throughLists = false }: FieldPathOptions = {},
): { readonly names: readonly string[] } | { readonly problem: string } {
  const names: string[] = [];
  let at: SchemaDocument | undefined = schema;
  for (const name of path.split(".")) {
    let target: SchemaDocument | undefined = at && description.resolve(at);
    while (throughLists && target?.type === "array") target = description.resolve(target.items ?? {});
    const { type, properties = {}, additionalProperties }: SchemaDocument = target ?? {};
    const property = [name, camelCase(name)].find((spelling) => Object.hasOwn(properties, spelling));
    const isKey = property === undefined && additionalProperties !== undefined && name !== "" && name !== "*";
    if (property === undefined && !isKey && type !== "any") return { problem: problemWith(name, names, type) };
    names.push(property ?? name);
    at = type === "any" ? target : property === undefined ? additionalProperties : properties[property];
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
