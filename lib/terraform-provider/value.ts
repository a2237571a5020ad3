/** A value that Terraform does not know before an apply. */
export const unknown: symbol = Symbol("unknown");

/**
 * A value in Terraform's protocol. The only symbol is {@link unknown}. Lists and sets are arrays, maps and objects are
 * plain objects, and absent attributes are null.
 */
export type Value = null | boolean | number | bigint | string | symbol | readonly Value[] | ValueObject;

/** An object or a map. */
export interface ValueObject {
  readonly [name: string]: Value;
}

export function isValueObject(value: Value | undefined): value is ValueObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Returns the members of an object or map; no members if the value is absent or unknown. */
export function membersOf(value: Value | undefined): ValueObject {
  return isValueObject(value) ? value : {};
}

/** Returns the items of a list or set; no items if the value is absent or unknown. */
export function itemsOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

/** Returns the members that are not null. */
export function withoutNull(values: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** Returns whether two values are deeply equal; unknown is equal only to unknown. */
export function sameValue(left: Value | undefined, right: Value | undefined): boolean {
  if (left === right) return true;
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((item, index) => sameValue(item, right[index]));
  }
  if (isValueObject(left) && isValueObject(right)) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && sameValue(left[name], right[name]))
    );
  }
  return (typeof left === "number" || typeof left === "bigint") && typeof right !== "symbol" && sameNumber(left, right);
}

function sameNumber(left: number | bigint, right: Value | undefined): boolean {
  return (typeof right === "number" || typeof right === "bigint") && String(left) === String(right);
}

/** Returns whether a value contains no unknown value. */
export function isWhollyKnown(value: Value | undefined): boolean {
  if (value === unknown) return false;
  if (isList(value)) return value.every(isWhollyKnown);
  return isValueObject(value) ? Object.values(value).every(isWhollyKnown) : true;
}

/**
 * Returns whether services omit a value from their answers: null, empty text, zero, false, and lists and maps without
 * members.
 */
export function isEmpty(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return true;
  if (isList(value)) return value.length === 0;
  return isValueObject(value) && Object.keys(value).length === 0;
}

/** Returns the text of an attribute; empty if the attribute is absent or unknown. */
export function textValue(values: ValueObject, name: string): string {
  const value = values[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
