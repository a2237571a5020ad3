import { type Fields, fieldsOf } from "../json/fields";
import { fromEnvironment, type GateCall, verifyVariables, waitVariables } from "./calls";
import { formerCallOf } from "./former";

const variablesOf = { wait: Object.values(waitVariables), verify: Object.values(verifyVariables) } as const;

/**
 * Returns the call of a gate, in the present form or in the form of earlier versions, which has the values in the
 * command. Whoever runs the call again writes it with {@link gateRun}.
 *
 * @param run arguments of a `local-exec` provisioner
 * @returns undefined for other commands, other arguments, and variables that the command does not read
 */
export function gateCallOf(run: unknown): GateCall | undefined {
  const { command, environment, ...others } = fieldsOf(run);
  if (typeof command !== "string" || Object.keys(others).length > 0) return undefined;
  if (environment === undefined) return formerCallOf(command);
  const verb = verbOf(command);
  return verb === undefined || !hasOnly(fieldsOf(environment), variablesOf[verb])
    ? undefined
    : { verb, environment: fieldsOf(environment) as GateCall["environment"] };
}

function verbOf(command: string): GateCall["verb"] | undefined {
  const [, verb] = new RegExp(`\\s(wait|verify) ${fromEnvironment}$`).exec(command) ?? [];
  return verb as GateCall["verb"] | undefined;
}

/** Another variable, for example `NODE_OPTIONS`, could run another program. */
function hasOnly(environment: Fields, variables: readonly string[]): boolean {
  return Object.entries(environment).every(([name, value]) => variables.includes(name) && typeof value === "string");
}

/** Returns whether Terraform would evaluate a part of a text. Two or more signs, as in `$${`, are literal text. */
export function hasTemplate(text: string): boolean {
  return /[$%]\{/.test(text.replace(/([$%])\1+\{/g, ""));
}
