import type { Parameter } from "./parameters";

/** The parameters of a request on the wire, by name: numbers where they stand for the very text, truth values, lists where repeated. */
export interface ReceivedParameters {
  readonly parameters: Readonly<Record<string, ReceivedValue>>;
  /** Parameters of the query that the method doesn't have, as name and text; `$`-names of protocols are among them. */
  readonly unknownParameters: readonly (readonly [string, string])[];
}

export type ReceivedValue = string | number | boolean | readonly (string | number | boolean)[];

/** The parameters of a method, and where each stands by its name. */
interface Declared {
  readonly parameters: readonly Parameter[];
  readonly positions: ReadonlyMap<string, number>;
}

/**
 * Reads path variables and query. What is not of the declared type, or written otherwise than numbers are, stays text, so that a check can name it.
 *
 * @param query without `?`; a plus sign stands for a space, and of a parameter that can't be repeated the last one counts
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
  // "007" is not 7, and a number that a double can't hold is another one: a proxy that passes them on would change them.
  const value = Number(text);
  const isExact = type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact && String(value) === text ? value : text;
}
