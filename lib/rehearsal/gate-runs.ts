/** Gates of a user's configuration, as a rehearsal runs them. */
import { type GateCall, gateCallOf, gateRun, hasTemplate, type ProgramRun, verifyVariables } from "../gate-call";
import { fieldsOf } from "../json/fields";
import { expressionsIn } from "./references";

/** A call of `cert-migration` with other options than those of a gate, after any program name. */
const ownCall = /(?:^|\s)((?:wait|verify) --[a-z][a-z-]* \S.*)$/s;
/** Signs by which a shell would run something else as well. */
const shellSign = /[;&|<>`\n]|\$\(/;

/**
 * Returns what a gate runs in a rehearsal: the same call by the command of the rehearsal. Values of earlier versions
 * move from the command into its environment.
 *
 * @param run arguments of a `local-exec` provisioner
 * @param gateCommand command by which gates call `cert-migration`
 * @returns undefined for commands that are not gates, and for gates whose command contains evaluated values
 */
export function ownGateRun(run: unknown, gateCommand: string): ProgramRun | undefined {
  const call = gateCallOf(run);
  if (call !== undefined) return gateRun(gateCommand, call);
  const { command, ...otherArguments } = fieldsOf(run);
  if (typeof command !== "string" || Object.keys(otherArguments).length > 0) return undefined;
  const words = ownCall.exec(command)?.[1];
  if (words === undefined || hasTemplate(words) || shellSign.test(words)) return undefined;
  return { command: `${gateCommand} ${words}` };
}

/** A reference and nothing else: a function could read a file outside of the configuration. */
const reference = /^\$\{\s*[A-Za-z_][\w-]*(?:\.[\w-]+|\[(?:\d+|"[\w./-]*")\])*\s*\}$/;

/** Returns whether a command is a gate of a generated module and nothing else, its program name included. */
export function isGateAlone(run: ProgramRun): boolean {
  const call = gateCallOf(run);
  const [, program = ""] = /^(.*?)\s(?:wait|verify) --/s.exec(run.command) ?? [];
  return call !== undefined && !hasTemplate(program) && !shellSign.test(program) && hasPlainValues(call);
}

function hasPlainValues({ environment }: GateCall): boolean {
  const folder = environment[verifyVariables.stack];
  const isOwnFolder = folder === undefined || folder === "." || folder === "${path.module}";
  const values = Object.values(environment);
  return isOwnFolder && values.flatMap(expressionsIn).every((expression) => reference.test(expression));
}
