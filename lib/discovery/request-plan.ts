import { InputError, type Problem } from "../errors";
import { quote } from "../quote";
import type { DescriptionDocument } from "./document";
import type { Method } from "./method";
import {
  type CheckRun,
  type Parameter,
  type ParameterProblem,
  type ParameterValue,
  parametersOf,
  problem,
} from "./parameters";
import {
  type Encoding,
  encodeLiteral,
  encodeValue,
  hasDotSegment,
  parsePathTemplate,
  type TemplatePart,
} from "./path-template";
import { servicePathOf } from "./service-path";

/** A method, ready to make addresses: everything that doesn't depend on the values is worked out once. */
export interface RequestPlan {
  readonly method: Method;
  /** What keeps every request of the method from being made; empty where nothing does. */
  readonly refusals: readonly Problem[];
  readonly parameters: readonly Parameter[];
  /** Position in `parameters` by name. */
  readonly positions: ReadonlyMap<string, number>;
  /** Those of required parameters. */
  readonly required: readonly number[];
  /** Names as they stand in a query, by position. */
  readonly queryNames: readonly string[];
  /** servicePath and path. */
  readonly path: readonly Step[];
  readonly multiSegmentEncoding: Encoding;
  /** Frozen: every request of the method shares them. */
  readonly headers: { readonly withoutBody: Headers; readonly withJson: Headers };
}

type Headers = Readonly<Record<string, string>>;

/** Text, or the position of the parameter that stands there. */
type Step = string | { readonly position: number; readonly encoding: Encoding };

/** @throws {@link InputError} `path-unsupported` where the path has more than `{x}` and `{+x}` */
export function planRequests(method: Method, document: DescriptionDocument): RequestPlan {
  const joined = servicePathOf(document);
  const parts = readPath(method, method.path);
  const parameters = parametersOf(method, document.parameters ?? {}, new Set(variableNames(parts)));
  const positions = new Map(parameters.map(({ name }, position) => [name, position]));
  const encoding = document.fullyEncodeReservedExpansion === true ? "unreserved and slash" : "reserved";
  return {
    method,
    refusals: [...verbProblems(method), ...fixedTextProblems(method, joined, parts)],
    parameters,
    positions,
    required: parameters.flatMap((parameter, position) => (parameter.required ? [position] : [])),
    queryNames: parameters.map(({ name }) => encodeValue(name, "unreserved") ?? ""),
    path: [encodeLiteral(joined), ...stepsOf(parts, positions, encoding)],
    multiSegmentEncoding: encoding,
    headers: headersOf(method),
  };
}

/** A token, as HTTP has it (RFC 9110, 5.6.2): anything else could say more in a request line than its verb. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

function verbProblems({ id, httpMethod }: Method): readonly Problem[] {
  if (token.test(httpMethod)) return [];
  const message = `${quote(id)} can't be called: its httpMethod ${quote(httpMethod)} is no HTTP method`;
  return [{ code: "http-method-invalid", message }];
}

/** Whatever the values are: the path would lead elsewhere. */
function fixedTextProblems({ id }: Method, before: string, parts: readonly TemplatePart[]): readonly Problem[] {
  const path = `${before}${parts.map((part) => (typeof part === "string" ? part : `{${part.name}}`)).join("")}`;
  if (!hasDotSegment(path)) return [];
  const message = `the path ${quote(path)} of ${quote(id)} can't be filled: '.' and '..' as segments are taken for directions`;
  return [{ code: "path-unsupported", message }];
}

function headersOf({ document: { apiVersion } }: Method): RequestPlan["headers"] {
  // Text that a header can't carry is no version.
  const hasVersion = apiVersion !== undefined && /^[\x21-\x7e]{1,100}$/.test(apiVersion);
  const withoutBody = { accept: "application/json", ...(hasVersion ? { "x-goog-api-version": apiVersion } : {}) };
  return {
    withoutBody: Object.freeze(withoutBody),
    withJson: Object.freeze({ ...withoutBody, "content-type": "application/json" }),
  };
}

/** The steps of another path of the same method, such as that of an upload. */
export function stepsOfPath(plan: RequestPlan, path: string): readonly Step[] {
  const parts = readPath(plan.method, path);
  const refusals = fixedTextProblems(plan.method, "", parts);
  if (refusals.length > 0) throw new InputError(refusals);
  const unknown = variableNames(parts).find((name) => !plan.positions.has(name));
  if (unknown === undefined) return stepsOf(parts, plan.positions, plan.multiSegmentEncoding);
  const message = `the path ${quote(path)} of ${quote(plan.method.id)} can't be filled: there is no parameter ${quote(unknown)}`;
  throw new InputError("path-unsupported", message);
}

function readPath(method: Method, path: string): readonly TemplatePart[] {
  const template = parsePathTemplate(path.replace(/^\/+/, ""));
  if (template !== undefined) return template.parts;
  const message = `the path ${quote(path)} of ${quote(method.id)} can't be filled: only {x} and {+x} are understood`;
  throw new InputError("path-unsupported", message);
}

function variableNames(parts: readonly TemplatePart[]): readonly string[] {
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part.name]));
}

function stepsOf(
  parts: readonly TemplatePart[],
  positions: ReadonlyMap<string, number>,
  multiSegmentEncoding: Encoding,
): readonly Step[] {
  return parts.map((part) => {
    if (typeof part === "string") return encodeLiteral(part);
    return {
      position: positions.get(part.name) ?? -1,
      encoding: part.multiSegment ? multiSegmentEncoding : "unreserved",
    };
  });
}

/** Values by position, written as texts; undefined where none was given. */
export type WrittenParameters = readonly (string | readonly string[] | undefined)[];

/** Checks every value and writes it; what is wrong goes to `problems`. */
export function writeParameters(
  plan: RequestPlan,
  values: Readonly<Record<string, ParameterValue>>,
  problems: ParameterProblem[],
  run: CheckRun,
): WrittenParameters {
  const written: (string | readonly string[] | undefined)[] = new Array(plan.parameters.length);
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const position = plan.positions.get(name);
    if (position === undefined) problems.push(unknownParameter(plan, name, value));
    else written[position] = writeGiven(plan.parameters[position] as Parameter, value, problems, run);
  }
  for (const position of plan.required) {
    const value = written[position];
    if (value === undefined || value.length === 0)
      requireValue(plan.parameters[position] as Parameter, values, problems);
  }
  return written;
}

function writeGiven(
  parameter: Parameter,
  value: unknown,
  problems: ParameterProblem[],
  run: CheckRun,
): string | readonly string[] | undefined {
  return Array.isArray(value) ? writeList(parameter, value, problems, run) : writeOne(parameter, value, problems, run);
}

function requireValue(
  { name, schema }: Parameter,
  values: Readonly<Record<string, ParameterValue>>,
  problems: ParameterProblem[],
): void {
  // What was given and refused has been told already.
  const given = Object.hasOwn(values, name) ? (values[name] ?? []) : [];
  if (!Array.isArray(given) || given.length > 0) return;
  const hint = schema.default ? `; the service's own default is ${quote(schema.default)}` : "";
  problems.push(problem("parameter-required", name, undefined, `a value, it is required${hint}`));
}

function writeOne(
  parameter: Parameter,
  value: unknown,
  problems: ParameterProblem[],
  run: CheckRun,
): string | undefined {
  const text = parameter.write(value, run);
  if (typeof text === "string") return text;
  problems.push(text);
  return undefined;
}

function writeList(
  parameter: Parameter,
  values: readonly unknown[],
  problems: ParameterProblem[],
  run: CheckRun,
): readonly string[] | undefined {
  if (!parameter.repeated) {
    problems.push(problem("parameter-repeated", parameter.name, values, "one value, it can't be repeated"));
    return undefined;
  }
  return values.flatMap((value) => writeOne(parameter, value, problems, run) ?? []);
}

function unknownParameter({ method, parameters }: RequestPlan, name: string, value: unknown): ParameterProblem {
  const known = parameters.map((parameter) => parameter.name);
  const lower = name.toLowerCase();
  const sameLetters = known.find((other) => other.toLowerCase().replaceAll("_", "") === lower.replaceAll("_", ""));
  const listed = known.length === 0 ? "none" : `one of ${known.slice(0, 30).map(quote).join(", ")}`;
  const hint = sameLetters === undefined ? listed : `${quote(sameLetters)} instead`;
  const unknown = problem("parameter-unknown", name, value, hint);
  return { ...unknown, message: `${quote(method.id)} has no parameter ${quote(name)}: give ${hint}` };
}

/** Far beyond what servers take. A path that names a variable a thousand times would take minutes to write. */
const longestPath = 262_144;

/** Fills a path. Everything that would lead elsewhere goes to `problems`. */
export function fillPath(
  plan: RequestPlan,
  steps: readonly Step[],
  written: WrittenParameters,
  problems: ParameterProblem[],
): string {
  let path = "";
  for (const step of steps) {
    if (typeof step === "string") {
      path += step;
      continue;
    }
    path += fillVariable(plan, step, written, problems);
    if (path.length > longestPath) {
      const name = plan.parameters[step.position]?.name ?? "";
      const rule = `a shorter value, the path would get longer than ${longestPath} characters`;
      problems.push(problem("parameter-too-long", name, written[step.position], rule));
      return "";
    }
  }
  if (hasDotSegment(path)) problems.push(...dotSegments(plan, steps, written));
  return path;
}

function fillVariable(
  plan: RequestPlan,
  step: Exclude<Step, string>,
  written: WrittenParameters,
  problems: ParameterProblem[],
): string {
  const value = written[step.position];
  if (typeof value !== "string") return "";
  const parameter = plan.parameters[step.position]?.name ?? "";
  if (value === "")
    problems.push(
      problem("parameter-required", parameter, value, "a value that is not empty, as it is part of the path"),
    );
  const encoded = encodeValue(value, step.encoding);
  if (encoded === undefined) problems.push(problem("parameter-encoding", parameter, value, "Unicode text"));
  return encoded ?? "";
}

/** One for each parameter that brings a segment in, or one for the path where only all of it together has one. */
function dotSegments(
  plan: RequestPlan,
  steps: readonly Step[],
  written: WrittenParameters,
): readonly ParameterProblem[] {
  const rule = "a value without '.' and '..' as segments, which URL parsers take for directions";
  const inPath = steps.flatMap((step) => (typeof step === "string" ? [] : [step.position]));
  const given = [...new Set(inPath)].map(
    (position) => [plan.parameters[position]?.name ?? "", written[position]] as const,
  );
  const guilty = given.filter(([, value]) => typeof value === "string" && /(?:^|\/)\.{1,2}(?:\/|$)/.test(value));
  // Half of a mixed segment may be missing, and the fixed text may have one itself: both have been told already.
  const isTold = given.some(([, value]) => value === undefined) || plan.refusals.length > 0;
  const suspects = guilty.length > 0 || isTold ? guilty : given.slice(0, 1);
  return suspects.map(([name, value]) => problem("parameter-dot-segment", name, value, rule));
}

/** `?a=b&c=d` in declared order; empty where nothing is to be said. */
export function fillQuery(plan: RequestPlan, written: WrittenParameters, problems: ParameterProblem[]): string {
  let query = "";
  for (let position = 0; position < plan.parameters.length; position++) {
    const value = written[position];
    const parameter = plan.parameters[position];
    if (value === undefined || parameter === undefined || parameter.location === "path") continue;
    for (const text of typeof value === "string" ? [value] : value) {
      const encoded = encodeValue(text, "unreserved");
      if (encoded === undefined) problems.push(problem("parameter-encoding", parameter.name, text, "Unicode text"));
      query += `${query === "" ? "?" : "&"}${plan.queryNames[position]}=${encoded}`;
    }
  }
  return query;
}
