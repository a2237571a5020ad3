import type { EventParameter } from "../catalogue";
import type { ActivityEvent, AuditParameterValue } from "./model";

/** A JSON object. */
export type Data = Readonly<Record<string, unknown>>;

export function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an own property of the object by name. */
export function own(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/** Keys of a parameter's value, in search order. */
const valueKeys = [
  "value",
  "intValue",
  "boolValue",
  "multiValue",
  "multiIntValue",
  "multiBoolValue",
  "messageValue",
  "multiMessageValue",
] as const;

/** Maximum depth of nested parameters. The service uses a depth of one. */
const maxDepth = 8;

/**
 * Returns the value of a parameter in a record: `undefined` for an unreadable value, an empty string for a missing
 * value.
 */
export function parameterValue(parameter: Data, depth = 0): AuditParameterValue | undefined {
  const key = valueKeys.find((candidate) => own(parameter, candidate) !== undefined);
  if (key === undefined) return Object.keys(parameter).every((name) => name === "name") ? "" : undefined;
  const value = own(parameter, key);
  if (key === "messageValue") return nested(value, depth + 1);
  if (key === "multiMessageValue")
    return Array.isArray(value) ? all(value, (item) => nested(item, depth + 1)) : undefined;
  return plainValue(value, depth);
}

/** Converts a JSON value to a parameter value. Numbers become decimal text. */
export function plainValue(value: unknown, depth = 0): AuditParameterValue | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return String(value);
  if (depth >= maxDepth) return undefined;
  if (Array.isArray(value)) return all(value, (item) => plainValue(item, depth + 1));
  if (!isData(value)) return undefined;
  const entries = Object.entries(value).map(([name, item]) => [name, plainValue(item, depth + 1)] as const);
  return entries.some(([, item]) => item === undefined)
    ? undefined
    : (Object.fromEntries(entries) as Readonly<Record<string, AuditParameterValue>>);
}

function nested(message: unknown, depth: number): AuditParameterValue | undefined {
  const list = isData(message) ? own(message, "parameter") : undefined;
  if (!Array.isArray(list) || depth >= maxDepth) return undefined;
  const entries: [string, AuditParameterValue][] = [];
  for (const parameter of list) {
    const name = isData(parameter) ? own(parameter, "name") : undefined;
    const value = isData(parameter) ? parameterValue(parameter, depth) : undefined;
    if (typeof name !== "string" || value === undefined) return undefined;
    entries.push([name, value]);
  }
  const names = new Set(entries.map(([name]) => name));
  return names.size === entries.length ? Object.fromEntries(entries) : undefined;
}

function all(
  items: readonly unknown[],
  read: (item: unknown) => AuditParameterValue | undefined,
): readonly AuditParameterValue[] | undefined {
  const values = items.map(read);
  return values.some((value) => value === undefined) ? undefined : (values as readonly AuditParameterValue[]);
}

/** Returns whether an earlier parser has already rounded this JSON number. */
export function isImprecise(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Converts a value to the parameter's type in the catalog; undefined if the value does not have this type. */
export function typedValue(
  { type }: EventParameter,
  value: AuditParameterValue | undefined,
): string | boolean | undefined {
  if (typeof value !== "string" && typeof value !== "boolean") return undefined;
  if (type === "string") return String(value);
  if (type === "integer") return typeof value === "string" && isInt64(value) ? BigInt(value).toString() : undefined;
  const word = String(value).toLowerCase();
  return word === "true" ? true : word === "false" ? false : undefined;
}

function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/**
 * Returns a value as text, to distinguish values. All values that JSON cannot write (too deep or circular) have the
 * same text.
 */
export function valueText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return "unwritable";
  }
}

/**
 * Returns every readable parameter of an event by name, catalogued or not. For a repeated name, the first value counts.
 */
export function allParameters({
  parameters,
  otherParameters,
}: ActivityEvent): ReadonlyMap<string, AuditParameterValue> {
  const all = new Map<string, AuditParameterValue>(Object.entries<string | boolean>(parameters));
  for (const { name, value } of otherParameters) {
    if (value !== undefined && !all.has(name)) all.set(name, value);
  }
  return all;
}
