import type { Problem } from "../../errors";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import { type ValueFinding, valueFinding } from "../codes";
import type { NameMap, SchemaDocument } from "../document";
import { brokenBound, formatCheck, isDecimal, isWholeNumber } from "../formats";
import type { Method } from "../method";
import { type PatternBudget, patternBudget, patternMatcher } from "../patterns";

/** Value of a parameter. undefined and null mean "not given". */
export type ParameterValue = string | number | bigint | boolean | object | null | undefined | readonly ParameterValue[];

/** A parameter whose value cannot be sent. */
export interface ParameterProblem extends Omit<Problem, "code"> {
  readonly code:
    | "parameter-required"
    | "parameter-unknown"
    | "parameter-type"
    | "parameter-pattern"
    | "parameter-enum"
    | "parameter-minimum"
    | "parameter-maximum"
    | "parameter-format"
    | "parameter-repeated"
    | "parameter-too-long"
    | "parameter-encoding"
    | "parameter-dot-segment";
  readonly parameter: string;
  /** The given value; undefined if it is missing. */
  readonly value: unknown;
  /** Allowed values, for example `at most 1000`. */
  readonly rule: string;
}

/** Maximum length of a value, in characters. No server accepts a URL of this length. */
const longestValue = 16_384;

/** Budget for the checks of one call's parameters, and the findings that do not prevent the request. */
export interface CheckRun extends PatternBudget {
  findings: readonly ValueFinding[];
}

const noFindings: readonly never[] = [];

export function checkRun(): CheckRun {
  const { quickSteps, linearSteps } = patternBudget();
  return { quickSteps, linearSteps, findings: noFindings };
}

/** A parameter, prepared to check and to write its values. */
export interface Parameter {
  readonly name: string;
  readonly schema: SchemaDocument;
  /** Location; also `path` if only the path shows it. */
  readonly location: "path" | "query";
  readonly required: boolean;
  readonly repeated: boolean;
  /** Returns the text of one value, or its problem. */
  readonly write: (value: unknown, run?: CheckRun) => string | ParameterProblem;
}

/** Returns a method's parameters in declared order, then the API's parameters that the method does not redeclare. */
export function parametersOf(
  method: Method,
  apiParameters: NameMap<SchemaDocument>,
  pathVariables: ReadonlySet<string>,
): readonly Parameter[] {
  const declared = new Set(Object.keys(method.parameters));
  const undeclared = [...pathVariables].filter((name) => !declared.has(name));
  const entries: (readonly [string, SchemaDocument])[] = [
    ...Object.entries(method.parameters),
    ...undeclared.map((name) => [name, { type: "string", location: "path", required: true }] as const),
    ...Object.entries(apiParameters).filter(([name]) => !declared.has(name)),
  ];
  return entries.map(([name, schema]) => prepare(name, schema, pathVariables.has(name) ? "path" : "query"));
}

function prepare(name: string, schema: SchemaDocument, location: Parameter["location"]): Parameter {
  const inPath = location === "path";
  const toText = textOf(schema);
  const check = valueCheck(name, schema);
  const hasDeprecations = schema.deprecated === true || schema.enumDeprecated?.includes(true) === true;
  return {
    name,
    schema,
    location,
    required: inPath || schema.required === true,
    repeated: schema.repeated === true && !inPath,
    write: (value, run) => {
      const text = toText.write(value);
      if (text === undefined) return parameterProblem("parameter-type", name, value, toText.rule);
      const refusal = check(text, value, run);
      if (refusal !== undefined) return refusal;
      if (run !== undefined && hasDeprecations) addDeprecations(name, schema, text, run);
      return text;
    },
  };
}

function addDeprecations(parameter: string, schema: SchemaDocument, text: string, run: CheckRun): void {
  const messages: string[] = [];
  if (schema.deprecated === true) messages.push(`parameter ${quote(parameter)} is deprecated`);
  if (schema.enumDeprecated?.[schema.enum?.indexOf(text) ?? -1] === true)
    messages.push(`${quote(text)} is deprecated as a value of parameter ${quote(parameter)}`);
  const added = messages.filter((message) => !run.findings.some((known) => known.message === message));
  run.findings = [...run.findings, ...added.map((message) => valueFinding("deprecated", parameter, message))];
}

/** Returns the text of a value; undefined if the value has the wrong type. */
interface Writer {
  readonly write: (value: unknown) => string | undefined;
  readonly rule: string;
}

const writers: Readonly<Record<"integer" | "number" | "boolean" | "object" | "bigText" | "text", Writer>> = {
  integer: numberWriter("a whole number", Number.isSafeInteger, isWholeNumber),
  number: numberWriter("a number", () => true, isDecimal),
  boolean: {
    rule: "true or false",
    write: (value) => {
      if (typeof value === "boolean") return String(value);
      return value === "true" || value === "false" ? value : undefined;
    },
  },
  // No published rule defines an object in a query; two parameters have this type.
  object: { rule: "an object that can be written as JSON", write: writeObject },
  bigText: numberWriter("a text, or a whole number below 2^53", Number.isSafeInteger, () => true),
  text: { rule: "a text", write: (value) => (typeof value === "string" ? value : undefined) },
};

/** Creates a writer of numbers, which callers may also give as text. */
function numberWriter(
  rule: string,
  acceptsNumber: (value: number) => boolean,
  acceptsText: (text: string) => boolean,
): Writer {
  const accepts = (value: unknown) =>
    typeof value === "bigint" ||
    (typeof value === "number" && acceptsNumber(value)) ||
    (typeof value === "string" && acceptsText(value));
  return { rule, write: (value) => (accepts(value) ? String(value) : undefined) };
}

function writeObject(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function textOf({ type, format }: SchemaDocument): Writer {
  if (type === "integer" || type === "number" || type === "boolean" || type === "object") return writers[type];
  return format === "int64" || format === "uint64" ? writers.bigText : writers.text;
}

type ValueCheck = (text: string, value: unknown, run: CheckRun | undefined) => ParameterProblem | undefined;

function valueCheck(name: string, schema: SchemaDocument): ValueCheck {
  const { enum: allowed, pattern, minimum, maximum } = schema;
  const inFormat = formatCheck(schema.format);
  const allowedSet = allowed && new Set(allowed);
  const patternProblem = pattern === undefined ? undefined : patternCheck(name, pattern);
  const bounds = { ...defined({ minimum, maximum }) };
  const bounded = minimum !== undefined || maximum !== undefined;
  return (text, value, run) => {
    if (text.length > longestValue) {
      return parameterProblem(
        "parameter-too-long",
        name,
        value,
        `at most ${longestValue} characters, got ${text.length}`,
      );
    }
    const formatRule = inFormat?.(text);
    if (formatRule !== undefined) return parameterProblem("parameter-format", name, value, formatRule);
    if (allowedSet !== undefined && !allowedSet.has(text)) {
      return parameterProblem("parameter-enum", name, value, `one of ${allowed?.slice(0, 30).map(quote).join(", ")}`);
    }
    const mismatch = patternProblem?.(text, value, run);
    if (mismatch !== undefined) return mismatch;
    const broken = bounded ? brokenBound(text, bounds) : undefined;
    return broken && parameterProblem(`parameter-${broken.code}`, name, value, broken.rule);
  };
}

/** Refuses a value that is too long to check. A pattern that can't be evaluated refuses nothing, but adds a finding. */
function patternCheck(name: string, pattern: string): ValueCheck {
  const matches = patternMatcher(pattern);
  return (text, value, run) => {
    const verdict = matches(text, run);
    if (verdict === true) return undefined;
    if (verdict === false)
      return parameterProblem("parameter-pattern", name, value, `text that matches ${quote(pattern)} as a whole`);
    if (verdict === "too-long") {
      const rule = `fewer characters, ${text.length} are too many to be checked against ${quote(pattern)}`;
      return parameterProblem("parameter-too-long", name, value, rule);
    }
    if (run !== undefined && !run.findings.some(({ subject }) => subject === name))
      run.findings = [...run.findings, unchecked(name, pattern)];
    return undefined;
  };
}

function unchecked(parameter: string, pattern: string): ValueFinding {
  const message = `parameter ${quote(parameter)} could not be checked against ${quote(pattern)}`;
  return valueFinding("pattern-unchecked", parameter, message);
}

export function parameterProblem(
  code: ParameterProblem["code"],
  parameter: string,
  value: unknown,
  rule: string,
): ParameterProblem {
  const given = value === undefined ? "is missing" : `can't be ${quote(printable(value))}`;
  return { code, parameter, value, rule, message: `parameter ${quote(parameter)} ${given}: give ${rule}` };
}

function printable(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/**
 * Parameters of a received request, by name. Values are numbers if a number has exactly this text, booleans, or lists
 * of repeated values.
 */
export interface ReceivedParameters {
  readonly parameters: Readonly<Record<string, ReceivedValue>>;
  /** Query parameters that the method does not have, as name and text. They include `$` names of protocols. */
  readonly unknownParameters: readonly (readonly [string, string])[];
}

/** Value of a received parameter, converted to its type. */
export type ReceivedValue = string | number | boolean | readonly (string | number | boolean)[];

interface Declared {
  readonly all: readonly Parameter[];
  readonly positions: ReadonlyMap<string, number>;
}

/**
 * Reads path variables and query. A value of another type, or with unusual notation of a number, stays text, so that a
 * check can report it. Of a parameter that can't be repeated, the last value counts.
 */
export function readQueryParameters(
  { all: declared, positions }: Declared,
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
