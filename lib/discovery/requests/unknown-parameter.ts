import { quote } from "../../text/quote";
import type { Method } from "../method";
import { nearestName } from "../nearest-name";
import { parsePathTemplate } from "../paths";
import { type ParameterProblem, problem } from "./parameters";
import type { RequestPlan } from "./request-plan";

/**
 * Returns the problem of a name that is not a parameter of a method: a similar parameter, or the list of parameters.
 */
export function unknownParameter(
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

/**
 * Returns a hint for a name from the flat path: the parameter that the flat path splits into several variables, and the
 * position of the name in it.
 */
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
