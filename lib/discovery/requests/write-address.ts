import { quote } from "../../text/quote";
import type { Method } from "../method";
import { nearestName } from "../nearest";
import { ownOf } from "../own-of";
import { encodeVariable, hasDotSegment, parsePathTemplate } from "../paths";
import {
  type CheckRun,
  type Parameter,
  type ParameterProblem,
  type ParameterValue,
  parameterProblem,
} from "./parameters";
import type { RequestPlan, Step } from "./request-plan";

/** Maximum length of a path. A path with a variable a thousand times would otherwise take minutes to write. */
const longestPath = 262_144;

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
      const name = plan.parameters.all[step.position]?.name ?? "";
      const rule = `a shorter value, the path would get longer than ${longestPath} characters`;
      problems.push(parameterProblem("parameter-too-long", name, written[step.position], rule));
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
  const parameter = plan.parameters.all[step.position]?.name ?? "";
  const rule = "a value that is not empty, as it is part of the path";
  if (value === "") problems.push(parameterProblem("parameter-required", parameter, value, rule));
  const encoded = encodeVariable(value, step.encoding);
  if (encoded === undefined) problems.push(parameterProblem("parameter-encoding", parameter, value, "Unicode text"));
  return encoded ?? "";
}

function dotSegments(
  plan: RequestPlan,
  steps: readonly Step[],
  written: WrittenParameters,
): readonly ParameterProblem[] {
  const rule = "a value without '.' and '..' as segments, which URL parsers take for directions";
  const inPath = steps.flatMap((step) => (typeof step === "string" ? [] : [step.position]));
  const given = [...new Set(inPath)].map((at) => [plan.parameters.all[at]?.name ?? "", written[at]] as const);
  const withDotSegment = given.filter(
    ([, value]) => typeof value === "string" && /(?:^|\/)\.{1,2}(?:\/|$)/.test(value),
  );
  // Both cases are already reported: a missing value of a mixed segment, and a dot segment in the fixed text.
  const isReported = given.some(([, value]) => value === undefined) || plan.refusals.length > 0;
  const reported = withDotSegment.length > 0 || isReported ? withDotSegment : given.slice(0, 1);
  return reported.map(([name, value]) => parameterProblem("parameter-dot-segment", name, value, rule));
}

export function fillQuery(plan: RequestPlan, written: WrittenParameters, problems: ProblemSink): string {
  let query = "";
  for (let position = 0; position < plan.parameters.all.length; position++) {
    const value = written[position];
    const parameter = plan.parameters.all[position];
    if (value === undefined || parameter === undefined || parameter.location === "path") continue;
    for (const text of typeof value === "string" ? [value] : value) {
      const encoded = encodeVariable(text, "unreserved");
      if (encoded === undefined)
        problems.push(parameterProblem("parameter-encoding", parameter.name, text, "Unicode text"));
      query += `${query === "" ? "?" : "&"}${plan.parameters.queryNames[position]}=${encoded}`;
    }
  }
  return query;
}

/** Values as text by position; undefined if no value was given. */
export type WrittenParameters = readonly (string | readonly string[] | undefined)[];

type ProblemSink = Pick<ParameterProblem[], "push">;

export function writeParameters(
  plan: RequestPlan,
  values: Readonly<Record<string, ParameterValue>>,
  problems: ProblemSink,
  run: CheckRun,
): WrittenParameters {
  const written: (string | readonly string[] | undefined)[] = new Array(plan.parameters.all.length);
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const position = plan.parameters.positions.get(name);
    if (position === undefined) problems.push(unknownParameter(plan, name, value));
    else written[position] = writeGiven(plan.parameters.all[position]!, value, problems, run);
  }
  for (const position of plan.parameters.required) {
    const value = written[position];
    if (value === undefined || value.length === 0) requireValue(plan.parameters.all[position]!, values, problems);
  }
  return written;
}

function writeGiven(
  parameter: Parameter,
  value: unknown,
  problems: ProblemSink,
  run: CheckRun,
): string | readonly string[] | undefined {
  const write = (writeValue: unknown) => {
    const text = parameter.write(writeValue, run);
    if (typeof text === "string") return text;
    problems.push(text);
    return undefined;
  };
  if (!Array.isArray(value)) return write(value);
  if (parameter.repeated) return value.flatMap((item) => write(item) ?? []);
  problems.push(parameterProblem("parameter-repeated", parameter.name, value, "one value, it can't be repeated"));
  return undefined;
}

function requireValue(
  { name, schema }: Parameter,
  values: Readonly<Record<string, ParameterValue>>,
  problems: ProblemSink,
): void {
  // The problem of a refused value has already been reported.
  const given = ownOf(values, name) ?? [];
  if (!Array.isArray(given) || given.length > 0) return;
  const hint = schema.default ? `; the service's own default is ${quote(schema.default)}` : "";
  problems.push(parameterProblem("parameter-required", name, undefined, `a value, it is required${hint}`));
}

function unknownParameter(
  { method, parameters }: Pick<RequestPlan, "method" | "parameters">,
  name: string,
  value: unknown,
): ParameterProblem {
  const known = parameters.all.map((parameter) => parameter.name);
  const hint = flatNameHint(method, name) ?? nearHint(name, known);
  const unknown = parameterProblem("parameter-unknown", name, value, hint);
  return { ...unknown, message: `${quote(method.id)} has no parameter ${quote(name)}: give ${hint}` };
}

function nearHint(name: string, known: readonly string[]): string {
  const plain = (text: string) => text.toLowerCase().replaceAll("_", "");
  const near = known.find((candidate) => plain(candidate) === plain(name)) ?? nearestName(name, known);
  if (near !== undefined) return `${quote(near)} instead`;
  return known.length === 0 ? "none" : `one of ${known.slice(0, 30).map(quote).join(", ")}`;
}

function flatNameHint({ path, flatPath, parameters }: Method, name: string): string | undefined {
  const flatNames = (parsePathTemplate(flatPath)?.variables ?? []).map((variable) => variable.name);
  const at = flatNames.indexOf(name);
  if (at === -1) return undefined;
  let taken = 0;
  for (const variable of parsePathTemplate(path)?.variables ?? []) {
    const pattern = ownOf(parameters, variable.name)?.pattern ?? "";
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
