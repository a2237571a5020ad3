import { type Fields, fieldsOf } from "../json/fields";
import {
  fromEnvironment,
  type GateCall,
  verifyEnvironment,
  verifyVariables,
  waitEnvironment,
  waitVariables,
} from "./calls";

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

/** The call, after any program name. */
const call = /(?:^|\s)(wait|verify) (--[a-z].*)$/;

/** A word of a command line: without blanks, except in expressions of Terraform and in double quotation marks. */
const word = /(?:"(?:\$\{[^{}]*\}|[^"$`\\])*"|\$\{(?:"[^"]*"|[^{}"])*\}|[^\s"'`$%;&|<>\\])+/g;

/**
 * Returns the call of a gate that an earlier version has written: its values were options of the command.
 *
 * @returns undefined for any other command
 */
function formerCallOf(command: string): GateCall | undefined {
  const [, verb, options = ""] = call.exec(command) ?? [];
  if (verb === undefined) return undefined;
  const words = options.match(word) ?? [];
  // Signs that are in no word could be a second command.
  if (words.join(" ") !== options) return undefined;
  const given = new Map<string, readonly string[]>();
  for (let index = 0; index < words.length; index += 2) {
    const [option = "", value] = words.slice(index, index + 2);
    if (value === undefined) return undefined;
    given.set(option, [...(given.get(option) ?? []), unquoted(value)]);
  }
  return verb === "wait" ? waitOf(given) : verifyOf(given);
}

type Options = ReadonlyMap<string, readonly string[]>;

/** Quotation marks around a whole value belong to the shell; those in an expression are Terraform's. */
function unquoted(value: string): string {
  return /^".*"$/.test(value) ? value.slice(1, -1) : value;
}

function waitOf(given: Options): GateCall | undefined {
  const { "--certificate": certificates, "--entry": entries, ...rest } = Object.fromEntries(given);
  const { "--for": kinds = ["certificates"], "--timeout": timeouts = ["60m"], ...others } = rest;
  const kind = kinds.join(" ");
  const [timeout = "", ...furtherTimeouts] = timeouts;
  const names = kind === "entries" ? entries : kind === "certificates" ? certificates : undefined;
  const wrong = kind === "entries" ? certificates : entries;
  const isOther = Object.keys(others).length > 0 || furtherTimeouts.length > 0 || wrong !== undefined;
  if (names === undefined || isOther) return undefined;
  return waitEnvironment({ kind: kind as "certificates" | "entries", names, timeout });
}

function verifyOf(given: Options): GateCall | undefined {
  const { "--stack": stacks = [], "--migration": migrations = [], ...rest } = Object.fromEntries(given);
  const { "--address": addresses = [], ...others } = rest;
  const [stack] = stacks;
  const isOther = Object.keys(others).length > 0 || stacks.length > 1 || migrations.length > 1;
  if (stack === undefined || isOther) return undefined;
  return verifyEnvironment({ stack, migration: migrations[0], addresses });
}
