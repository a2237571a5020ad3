import { quote } from "../../text/quote";
import { type CheckRun, type Parameter, type ParameterProblem, type ParameterValue, problem } from "./parameters";
import type { RequestPlan } from "./request-plan";
import { unknownParameter } from "./unknown-parameter";

/** Values as text by position; undefined if no value was given. */
export type WrittenParameters = readonly (string | readonly string[] | undefined)[];

/** Receives the problems of parameters: a list of them, or a list with other problems too. */
export type ProblemSink = Pick<ParameterProblem[], "push">;

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
