import type { EventParameter } from "../catalogue";
import type { ParameterValue } from "./model";

/** A JSON object. */
export type Data = Readonly<Record<string, unknown>>;

export function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The property of that name that is the object's own. */
export function own(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/** The properties that have a value. */
export function defined(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

/** Keys under which a parameter holds its value, in the order in which they are looked for. */
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

/** How deep parameters can lie within parameters; the service goes one deep. */
const deepest = 8;

/**
 * What a parameter of a record holds: `undefined` where there is a value that can't be read, an empty text where there
 * is none.
 */
export function parameterValue(parameter: Data, depth = 0): ParameterValue | undefined {
  const key = valueKeys.find((candidate) => own(parameter, candidate) !== undefined);
  if (key === undefined) return Object.keys(parameter).every((name) => name === "name") ? "" : undefined;
  const value = own(parameter, key);
  if (key === "messageValue") return nested(value, depth + 1);
  if (key === "multiMessageValue")
    return Array.isArray(value) ? all(value, (item) => nested(item, depth + 1)) : undefined;
  return plainValue(value, depth);
}

/** A value of JSON as the value of a parameter. Numbers are written out. */
export function plainValue(value: unknown, depth = 0): ParameterValue | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return String(value);
  if (depth >= deepest) return undefined;
  if (Array.isArray(value)) return all(value, (item) => plainValue(item, depth + 1));
  if (!isData(value)) return undefined;
  const entries = Object.entries(value).map(([name, item]) => [name, plainValue(item, depth + 1)] as const);
  return entries.some(([, item]) => item === undefined)
    ? undefined
    : (Object.fromEntries(entries) as Readonly<Record<string, ParameterValue>>);
}

function nested(message: unknown, depth: number): ParameterValue | undefined {
  const list = isData(message) ? own(message, "parameter") : undefined;
  if (!Array.isArray(list) || depth >= deepest) return undefined;
  const entries: [string, ParameterValue][] = [];
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
  read: (item: unknown) => ParameterValue | undefined,
): readonly ParameterValue[] | undefined {
  const values = items.map(read);
  return values.some((value) => value === undefined) ? undefined : (values as readonly ParameterValue[]);
}

/** Whether a number of JSON stands for digits that an earlier reader has already rounded. */
export function isImprecise(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** A value brought to the type that the catalogue gives its parameter; undefined where it is none of that type. */
export function typedValue({ type }: EventParameter, value: ParameterValue | undefined): string | boolean | undefined {
  if (typeof value !== "string" && typeof value !== "boolean") return undefined;
  if (type === "string") return String(value);
  if (type === "integer") return typeof value === "string" && isInt64(value) ? BigInt(value).toString() : undefined;
  const word = String(value).toLowerCase();
  return word === "true" ? true : word === "false" ? false : undefined;
}

function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** Any value as text, for telling values apart; what JSON can't write (too deep, or in a circle) is all the same. */
export function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return "unwritable";
  }
}
