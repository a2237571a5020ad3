import type { ApiObject } from "../cloud-api";
import { includesName, nameIn } from "../planning";
import type { Attribute, AttributeType, SchemaBlock } from "../schema";
import { isList, isValueObject, type Value, type ValueObject } from "../value";

/** Names of a type's attributes in the API. */
export interface Mapping {
  /**
   * API names that differ from the attribute in camel case, by dotted name. A name with a period denotes a member of a
   * member.
   *
   * @default none
   */
  readonly apiNames?: Readonly<Record<string, string>>;
  /** Dotted names that the API does not have; a name includes everything below it. */
  readonly foreign: readonly string[];
  /** Values of absent members, by dotted name. */
  readonly defaults?: Readonly<Record<string, Value>> | undefined;
}

/** Returns the attributes in the API's format, without absent attributes and attributes that only the service sets. */
export function toApi(schema: SchemaBlock, mapping: Mapping, values: ValueObject, block = ""): ApiObject {
  const body: Record<string, unknown> = {};
  for (const [member, attribute] of schema.attributes) {
    const name = nameIn(block, member);
    const value = values[member] ?? null;
    if (value === null || isOutput(attribute) || isForeign(schema, mapping, block, member)) continue;
    setMember(body, apiName(mapping, name), toJson(value));
  }
  for (const [member, nested] of schema.blocks) {
    const name = nameIn(block, member);
    const value = values[member];
    if (includesName(mapping.foreign, name) || !isList(value) || value.length === 0) continue;
    const items = value.filter(isValueObject).map((item) => toApi(nested.block, mapping, item, name));
    setMember(body, apiName(mapping, name), nested.maxItems === 1 ? items[0] : items);
  }
  return body;
}

/** Returns whether only the service sets an attribute. */
export function isOutput({ computed, optional, required }: Attribute): boolean {
  return computed && !optional && !required;
}

/** Returns the labels as a member of a body; no member without labels. */
export function labelsOf({ effective_labels: labels }: ValueObject): ApiObject {
  return isValueObject(labels) && Object.keys(labels).length > 0 ? { labels } : {};
}

/**
 * Returns the attributes in an answer of the API. Attributes that the API does not have are omitted; members that the
 * answer omits are null or their default.
 */
export function fromApi(schema: SchemaBlock, mapping: Mapping, body: ApiObject, block = ""): ValueObject {
  const attributes: Record<string, Value> = {};
  for (const [member, attribute] of schema.attributes) {
    const name = nameIn(block, member);
    // The service returns no write-only attribute, and where it did, no state may contain the value.
    if (attribute.writeOnly || isForeign(schema, mapping, block, member)) continue;
    const value = getMember(body, apiName(mapping, name)) ?? null;
    attributes[member] = value === null ? (mapping.defaults?.[name] ?? null) : fromJson(value, attribute.type);
  }
  for (const [member, nested] of schema.blocks) {
    const name = nameIn(block, member);
    if (includesName(mapping.foreign, name)) continue;
    const value = getMember(body, apiName(mapping, name)) ?? [];
    const items = Array.isArray(value) ? value : [value];
    attributes[member] = items.map((item) => fromApi(nested.block, mapping, item as ApiObject, name));
  }
  return attributes;
}

/**
 * Returns whether the API has no such attribute, as the version with which Terraform resends a write-only attribute.
 */
export function isForeign({ attributes }: SchemaBlock, { foreign }: Mapping, block: string, member: string): boolean {
  const versioned = member.replace(/_version$/, "");
  return (
    includesName(foreign, nameIn(block, member)) ||
    (versioned !== member && attributes.get(versioned)?.writeOnly === true)
  );
}

/** Returns the API name of an attribute within its block. @param name dotted */
export function apiName({ apiNames }: Mapping, name: string): string {
  return apiNames?.[name] ?? camelCase(name.slice(name.lastIndexOf(".") + 1));
}

function setMember(body: Record<string, unknown>, path: string, value: unknown): void {
  const [first = "", second] = path.split(".");
  body[first] = second === undefined ? value : { ...(body[first] as object | undefined), [second]: value };
}

function getMember(body: ApiObject, path: string): unknown {
  const [first = "", second] = path.split(".");
  return second === undefined ? body[first] : (body[first] as ApiObject | undefined)?.[second];
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts a JSON value to an attribute's type. Numbers may be text, for example 64-bit identifiers. */
function fromJson(value: unknown, type: AttributeType): Value {
  if (value === undefined || value === null) return null;
  if (type === "string") return typeof value === "string" ? value : String(value);
  if (type === "bool") return value === true || value === "true";
  if (type === "number") return toNumber(value);
  const [nesting, element] = type;
  if (nesting === "object") {
    const members = value as ApiObject;
    const types = Object.entries(element as Readonly<Record<string, AttributeType>>);
    return Object.fromEntries(types.map(([name, each]) => [name, fromJson(members[camelCase(name)], each)]));
  }
  const elementType = element as AttributeType;
  if (nesting === "map") {
    const entries = Object.entries(value as ApiObject);
    return Object.fromEntries(entries.map(([name, item]) => [name, fromJson(item, elementType)]));
  }
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => fromJson(item, elementType));
}

function toNumber(value: unknown): Value {
  const number = Number(value);
  if (typeof value === "string" && /^-?\d+$/.test(value) && !Number.isSafeInteger(number)) return BigInt(value);
  return Number.isNaN(number) ? null : number;
}

function toJson(value: Value): unknown {
  if (isList(value)) return value.map(toJson);
  if (isValueObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item)]));
  return typeof value === "bigint" ? String(value) : value;
}
