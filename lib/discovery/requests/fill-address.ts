import { encodeValue, hasDotSegment } from "../paths";
import { type ParameterProblem, problem } from "./parameters";
import type { RequestPlan, Step } from "./request-plan";
import type { ProblemSink, WrittenParameters } from "./written-parameters";

/**
 * Maximum length of a path, far more than servers accept. Without this limit, a path that contains a variable a
 * thousand times would take minutes to write.
 */
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

/**
 * Returns a problem for each parameter that contains a dot segment, or one problem for the path if only the combined
 * text has a dot segment.
 */
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
