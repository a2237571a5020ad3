import { type GateCall, verifyEnvironment, waitEnvironment } from "./calls";

/** The call, after any program name. */
const call = /(?:^|\s)(wait|verify) (--[a-z].*)$/;

/** A word of a command line: without blanks, except in expressions of Terraform and in double quotation marks. */
const word = /(?:"(?:\$\{[^{}]*\}|[^"$`\\])*"|\$\{(?:"[^"]*"|[^{}"])*\}|[^\s"'`$%;&|<>\\])+/g;

/**
 * Returns the call of a gate that an earlier version has written: its values were options of the command.
 *
 * @returns undefined for any other command
 */
export function formerCallOf(command: string): GateCall | undefined {
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
