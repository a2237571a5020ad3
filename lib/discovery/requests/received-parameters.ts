import type { Parameter } from "./parameters";

/**
 * Parameters of a received request, by name. Values are numbers if a number has exactly this text, booleans, or lists
 * of repeated values.
 */
export interface ReceivedParameters {
  readonly parameters: Readonly<Record<string, ReceivedValue>>;
  /** Query parameters that the method does not have, as name and text. They include `$` names of protocols. */
  readonly unknownParameters: readonly (readonly [string, string])[];
}

export type ReceivedValue = string | number | boolean | readonly (string | number | boolean)[];

/** The parameters of a method, and their positions by name. */
interface Declared {
  readonly parameters: readonly Parameter[];
  readonly positions: ReadonlyMap<string, number>;
}

/**
 * Reads path variables and query. A value of another type, or with unusual notation of a number, stays text, so that a
 * check can report it.
 *
 * @param query without `?`; a plus sign means a space, and of a parameter that cannot be repeated, the last value
 * counts
 */
export function readQuery(
  { parameters: declared, positions }: Declared,
  pathParameters: ReadonlyMap<string, string>,
  query: string,
): ReceivedParameters {
  const find = (name: string) => declared[positions.get(name) ?? -1];
  const values = new Map<string, ReceivedValue>();
  const unknownParameters: (readonly [string, string])[] = [];
  for (const [name, text] of pathParameters) values.set(name, typed(find(name), text));
  for (const [name, text] of query === "" ? [] : new URLSearchParams(query)) {
    const parameter = find(name);
    if (parameter === undefined || parameter.location === "path") {
      unknownParameters.push([name, text]);
      continue;
    }
    const before = values.get(name);
    const value = typed(parameter, text);
    values.set(name, parameter.repeated ? [...(Array.isArray(before) ? before : []), value as string] : value);
  }
  return { parameters: Object.fromEntries(values), unknownParameters };
}

function typed(parameter: Parameter | undefined, text: string): string | number | boolean {
  const type = parameter?.schema.type;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (type !== "integer" && type !== "number") return text;
  // "007" is not 7, and a double cannot represent every number. A proxy that passes such values on would change them.
  const value = Number(text);
  const isExact = type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact && String(value) === text ? value : text;
}
