import type { CommanderError } from "commander";
import { InputError } from "../errors";
import { quote } from "../text/quote";
import { listFirst } from "../text/words";
import type { Command, CommandArgument } from "./command";

/** The most superfluous words that a message names. */
const mostNamed = 3;

/**
 * Explains what the parser refuses about the number of arguments: which word is superfluous, and what a missing
 * argument or value is.
 *
 * @param given all arguments of the command line, without options
 * @returns undefined for any other error of the parser
 */
export function usageError({ code, message }: CommanderError, command: Command, given: readonly string[]) {
  if (code === "commander.excessArguments") return superfluous(command, given);
  if (code === "commander.missingArgument") return missing(command, given);
  return code === "commander.optionMissingArgument" ? withoutValue(command, message) : undefined;
}

function superfluous({ name, arguments: taken = [] }: Command, given: readonly string[]): InputError {
  const words = given.slice(taken.length);
  const named = listFirst(words.map(quote), mostNamed);
  const expected = taken.length === 0 ? "only options" : `${taken.map(syntaxOf).join(" ")} and options`;
  const advice = words.length === 1 ? "remove it, or write its option before it" : "remove them";
  const message = `unexpected ${words.length === 1 ? "argument" : "arguments"} ${named}: '${name}' takes ${expected}; ${advice}`;
  return new InputError("argument-unexpected", message);
}

function missing({ name, arguments: taken = [], examples }: Command, given: readonly string[]): InputError {
  const required = taken.slice(given.length).filter(({ takes = "one" }) => takes.startsWith("one"));
  const what = required.map((argument) => `${syntaxOf(argument)} (${meaningOf(argument)})`).join(" and ");
  const [example] = examples;
  const shown = example === undefined ? "" : `, for example '${example.command}'`;
  return new InputError(
    "argument-missing",
    `'${name}' lacks ${what}; add ${required.length === 1 ? "it" : "them"}${shown}`,
  );
}

function meaningOf({ description, choices }: CommandArgument): string {
  return choices === undefined ? description : `${description}: ${choices.join(", ")}`;
}

function withoutValue({ options = [] }: Command, message: string): InputError | undefined {
  const option = options.find(({ flags }) => message.includes(`'${flags}'`));
  if (option === undefined) return undefined;
  const [, flag = option.flags, value = ""] = /(--\S+) (<.+>)$/.exec(option.flags) ?? [];
  const choices = option.choices === undefined ? "" : `, one of ${option.choices.join(", ")}`;
  return new InputError("value-missing", `${flag} has no value; pass ${value}${choices}: ${option.description}`);
}

function syntaxOf({ name }: CommandArgument): string {
  return `<${name}>`;
}
