import { quote } from "../../text/quote";
import type { Method } from "../method";
import { nearestName } from "../nearest";
import { encodeValue, hasDotSegment, parsePathTemplate } from "../paths";
import { type CheckRun, type Parameter, type ParameterProblem, type ParameterValue, problem } from "./parameters";
import type { RequestPlan, Step } from "./request-plan";

/** Maximum length of a path. A path with a variable a thousand times would otherwise take minutes to write. */
const longestPath = 262_144;

/** Fills the variables of a path. Adds a problem to `problems` for everything that would change the destination. */
export function fillPath(
  plan: RequestPlan,
  steps: readonly Step[],
  written: WrittenParameters,
  problems: ProblemSink,
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
  problems: ProblemSink,
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

/** Returns a problem for each parameter with a dot segment, or one problem if only the combined text has one. */
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
  // Both cases are already reported: a missing value of a mixed segment, and a dot segment in the fixed text.
  const isTold = given.some(([, value]) => value === undefined) || plan.refusals.length > 0;
  const suspects = guilty.length > 0 || isTold ? guilty : given.slice(0, 1);
  return suspects.map(([name, value]) => problem("parameter-dot-segment", name, value, rule));
}

/** Returns the query `?a=b&c=d` in declared order; empty without parameters. */
export function fillQuery(plan: RequestPlan, written: WrittenParameters, problems: ProblemSink): string {
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

/** Values as text by position; undefined if no value was given. */
export type WrittenParameters = readonly (string | readonly string[] | undefined)[];

/** Receives the problems of parameters: a list of them, or a list with other problems too. */
type ProblemSink = Pick<ParameterProblem[], "push">;

/** Checks and writes every value. Adds problems to `problems`. */
export function writeParameters(
  plan: RequestPlan,
  values: Readonly<Record<string, ParameterValue>>,
  problems: ProblemSink,
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
  problems: ProblemSink,
  run: CheckRun,
): string | readonly string[] | undefined {
  return Array.isArray(value) ? writeList(parameter, value, problems, run) : writeOne(parameter, value, problems, run);
}

function requireValue(
  { name, schema }: Parameter,
  values: Readonly<Record<string, ParameterValue>>,
  problems: ProblemSink,
): void {
  // The problem of a refused value has already been reported.
  const given = Object.hasOwn(values, name) ? (values[name] ?? []) : [];
  if (!Array.isArray(given) || given.length > 0) return;
  const hint = schema.default ? `; the service's own default is ${quote(schema.default)}` : "";
  problems.push(problem("parameter-required", name, undefined, `a value, it is required${hint}`));
}

function writeOne(parameter: Parameter, value: unknown, problems: ProblemSink, run: CheckRun): string | undefined {
  const text = parameter.write(value, run);
  if (typeof text === "string") return text;
  problems.push(text);
  return undefined;
}

function writeList(
  parameter: Parameter,
  values: readonly unknown[],
  problems: ProblemSink,
  run: CheckRun,
): readonly string[] | undefined {
  if (!parameter.repeated) {
    problems.push(problem("parameter-repeated", parameter.name, values, "one value, it can't be repeated"));
    return undefined;
  }
  return values.flatMap((value) => writeOne(parameter, value, problems, run) ?? []);
}

function unknownParameter(
  { method, parameters }: Pick<RequestPlan, "method" | "parameters">,
  name: string,
  value: unknown,
): ParameterProblem {
  const hint =
    flatNameHint(method, name) ??
    nearHint(
      name,
      parameters.map((parameter) => parameter.name),
    );
  const unknown = problem("parameter-unknown", name, value, hint);
  return { ...unknown, message: `${quote(method.id)} has no parameter ${quote(name)}: give ${hint}` };
}

function nearHint(name: string, known: readonly string[]): string {
  const plain = (text: string) => text.toLowerCase().replaceAll("_", "");
  const near = known.find((other) => plain(other) === plain(name)) ?? nearestName(name, known);
  if (near !== undefined) return `${quote(near)} instead`;
  return known.length === 0 ? "none" : `one of ${known.slice(0, 30).map(quote).join(", ")}`;
}

/** Returns a hint for a name from the flat path: the parameter that the flat path splits into several variables. */
function flatNameHint({ path, flatPath, parameters }: Method, name: string): string | undefined {
  const flatNames = (parsePathTemplate(flatPath)?.variables ?? []).map((variable) => variable.name);
  const at = flatNames.indexOf(name);
  if (at === -1) return undefined;
  let taken = 0;
  for (const variable of parsePathTemplate(path)?.variables ?? []) {
    const pattern = Object.hasOwn(parameters, variable.name) ? (parameters[variable.name]?.pattern ?? "") : "";
    const pieces = variable.multiSegment ? pattern.split(/\[\^\/\]\+|\.\*/) : ["", ""];
    const first = taken;
    taken += pieces.length - 1;
    if (at >= taken) continue;
    const form = pieces.map((text, which) => (which === 0 ? text : `{${flatNames[first + which - 1] ?? ""}}${text}`));
    const whole = form.join("").replace(/^\^|\$$/g, "");
    return `${quote(variable.name)}, which contains all of ${quote(whole)}; ${quote(name)} is in the flat path only`;
  }
  return undefined;
}
