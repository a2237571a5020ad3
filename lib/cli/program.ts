import { Argument, Command as CommanderCommand, CommanderError, Option } from "commander";
import { InputError, ServiceError } from "../errors";
import { maskSecrets, quote } from "../text/quote";
import {
  type Command,
  type CommandArgument,
  type ExitCode,
  type Invocation,
  type Io,
  sharedExitCodes,
} from "./command";
import { folderFor } from "./style";
import { suggest } from "./suggest";
import { entries, globalOptions, groups, loadCommand } from "./table";
import { safe, writeProblems } from "./text";

/** Exit codes that every command shares; 130 is the shell's convention for a process that Ctrl-C ended. */
const exitCodes = { done: 0, bug: 1, input: 2, service: 3, stopped: 130 } as const;

/**
 * Runs one command line.
 *
 * @param words words after the name of the program
 * @returns the exit code; never throws
 */
export async function runCommandLine(words: readonly string[], io: Io, version: string): Promise<number> {
  let exitCode: number = exitCodes.done;
  try {
    const { name, rest } = readName(words);
    const program = createProgram(name, version, io, (code) => {
      exitCode = code;
    });
    await program.parseAsync(rest, { from: "user" });
    return exitCode;
  } catch (error) {
    return reportError(error, io);
  }
}

interface NamedCommandLine {
  /** Name of a command or a group; empty if the command line names neither. */
  readonly name: string;
  /** Words of the command line, with `help api list` rewritten to `api list --help`. */
  readonly rest: readonly string[];
}

/** Returns the command or group that the command line names. */
function readName(words: readonly string[]): NamedCommandLine {
  const flags = new Set(globalOptions.map((option) => option.flags));
  const start = words.findIndex((word) => !flags.has(word));
  const asksForHelp = words[start] === "help";
  const [first = "", second = "", third = ""] = words.slice(asksForHelp ? start + 1 : start);
  if (first === "" || first.startsWith("-")) return { name: "", rest: asksForHelp ? ["--help"] : words };
  const isGroup = Object.hasOwn(groups, first);
  // `api help list`: the help of a group lists this form.
  if (isGroup && second === "help" && third !== "" && !third.startsWith("-")) {
    return readName([...words.slice(0, start), "help", first, third]);
  }
  const groupAlone = isGroup && (second === "" || second === "help" || second.startsWith("-"));
  const name = isGroup && !groupAlone ? `${first} ${second}` : first;
  if (!groupAlone && !entries.some((entry) => entry.name === name)) {
    throw unknownCommand([first, second].filter((word) => word !== "" && !word.startsWith("-")));
  }
  return { name, rest: asksForHelp ? [...words.slice(0, start), ...name.split(" "), "--help"] : words };
}

function unknownCommand(typed: readonly string[]): InputError {
  const [first = ""] = typed;
  const inGroup = Object.hasOwn(groups, first);
  const names = entries.map(({ name }) => name);
  const own = inGroup
    ? suggest(
        typed.slice(1),
        names.filter((name) => name.startsWith(`${first} `)),
      )
    : [];
  const near = own.length > 0 ? own : suggest(inGroup ? typed.slice(1) : typed, [...names, ...Object.keys(groups)]);
  const advice =
    near.length === 0
      ? `'cert-migration ${inGroup ? `${first} ` : ""}--help' lists the commands and options`
      : `did you mean ${near.map((name) => `'${name}'`).join(" or ")}?`;
  return new InputError("command-unknown", `${quote(inGroup ? typed.join(" ") : first)} is not a command; ${advice}`);
}

/**
 * Creates the parser.
 *
 * @param chosen the name in the command line. A command gets its full definition, and all others are omitted. For a
 * group, its commands get only names and summaries, as the help shows them. For an empty name, all commands do.
 */
function createProgram(chosen: string, version: string, io: Io, finish: (code: ExitCode) => void): CommanderCommand {
  const program = configure(new CommanderCommand("cert-migration"), io)
    .description("Moves third-party TLS certificates onto Google Cloud load balancers without one failed handshake.")
    .version(version, "-V, --version", "print the version")
    .helpCommand("help [command...]", "show the help of a command");
  for (const { flags, description } of globalOptions) program.option(flags, description);
  const parents = new Map<string, CommanderCommand>();
  for (const entry of entries) {
    const { name, summary } = entry;
    if (chosen !== "" && name !== chosen && !name.startsWith(`${chosen} `)) continue;
    const words = name.split(" ");
    const own = words.pop() ?? name;
    const group = words.join(" ");
    let parent = program;
    if (group !== "") {
      parent = parents.get(group) ?? configure(program.command(group), io).description(groups[group] ?? "");
      parents.set(group, parent);
    }
    const made = parent.command(own).summary(summary);
    if (name === chosen) addCommand(configure(made, io), loadCommand(entry), io, finish);
  }
  return program;
}

function configure(command: CommanderCommand, io: Io): CommanderCommand {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      // `reportError` writes the error.
      outputError: () => undefined,
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns || 100,
      getErrHelpWidth: () => io.stderr.columns || 100,
    });
}

function addCommand(target: CommanderCommand, command: Command, io: Io, finish: (code: ExitCode) => void): void {
  target.description(command.description ?? sentence(command.summary));
  for (const argument of command.arguments ?? []) {
    const parsed = new Argument(argumentSyntax(argument), argument.description);
    target.addArgument(argument.choices === undefined ? parsed : parsed.choices(argument.choices));
  }
  for (const option of command.options ?? []) {
    const isRepeatable = option.repeatable === true;
    const parsed = new Option(option.flags, `${option.description}${isRepeatable ? "; may be repeated" : ""}`);
    if (option.choices !== undefined) parsed.choices(option.choices);
    if (!isRepeatable) refuseSecondValue(target, parsed);
    if (isRepeatable) {
      parsed.argParser((value: string, before: readonly string[] = []) => [...before, value]);
    } else if (option.default !== undefined) {
      parsed.default(option.default);
    }
    target.addOption(parsed);
  }
  target.addHelpText("after", () => helpAfter(command));
  target.action(async (...received: unknown[]) => {
    const positional = received.slice(0, (command.arguments ?? []).length);
    const named = (command.arguments ?? []).map((argument, index) => [argument.name, positional[index]]);
    const options = { ...noneGiven(command), ...target.optsWithGlobals() };
    const invocation: Invocation = { arguments: Object.fromEntries(named), options };
    finish(await command.run(invocation, { ...io, quiet: options.quiet === true, color: options.color !== false }));
  });
}

/** Refuses an option with two different values: the parser would silently keep only the last value. */
function refuseSecondValue(target: CommanderCommand, option: Option): void {
  let first: string | undefined;
  target.on(`option:${option.name()}`, (value: string | null | undefined) => {
    if (typeof value !== "string") return;
    first ??= value;
    if (value === first) return;
    const message = `--${option.name()} is given twice, as ${quote(first)} and as ${quote(value)}; it takes one value: remove one of them`;
    throw new InputError("option-twice", message);
  });
}

/** Returns an empty list for each option that collects values; as a default of the option, the help would show it. */
function noneGiven({ options = [] }: Command): Invocation["options"] {
  const collecting = options.filter(({ repeatable }) => repeatable === true);
  return Object.fromEntries(collecting.map(({ flags }) => [new Option(flags).attributeName(), []]));
}

/** Returns the summary as a sentence, for a command without a description. */
export function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function argumentSyntax({ name, takes = "one" }: CommandArgument): string {
  if (takes === "one") return `<${name}>`;
  if (takes === "optional") return `[${name}]`;
  return takes === "one or more" ? `<${name}...>` : `[${name}...]`;
}

function helpAfter(command: Command): string {
  const examples = command.examples.map((example) => `  # ${example.what}\n  $ ${example.command}\n`);
  const all = { ...sharedExitCodes, ...command.exitCodes };
  const codes = Object.entries(all).map(([code, meaning]) => `  ${code}  ${meaning}\n`);
  return `
Examples:
${examples.join("\n")}
Exit codes:
${codes.join("")}`;
}

const usageCodes: Readonly<Record<string, string>> = {
  "commander.unknownOption": "option-unknown",
  "commander.unknownCommand": "command-unknown",
  "commander.missingArgument": "argument-missing",
  "commander.excessArguments": "argument-unexpected",
  "commander.invalidArgument": "value-not-allowed",
  "commander.optionMissingArgument": "value-missing",
};

function reportError(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return reportUsage(error, io);
  if (error instanceof InputError) {
    writeProblems(error, io);
    return exitCodes.input;
  }
  if (io.signal.aborted && isStop(error, io.signal)) {
    // The reader closed the pipe deliberately, so no message is needed.
    if ((io.signal.reason as NodeJS.ErrnoException | undefined)?.code === "EPIPE") return exitCodes.done;
    io.stderr.write("stopped before the end; nothing was changed\n");
    return exitCodes.stopped;
  }
  if (error instanceof ServiceError) {
    const advice = error.retryable ? "; the same command may succeed later" : "";
    // HTTP 401 always means that the service refused the credentials.
    const code = error.status === 401 ? "credentials-refused" : error.code;
    io.stderr.write(`${folderFor(io, "stderr")(`error: ${safe(error.message)}${advice} [${code}]`, 7)}\n`);
    return exitCodes.service;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = maskSecrets(trace).split("\n").map(safe).join("\n");
  io.stderr.write(`this is a mistake of cert-migration itself; nothing was changed by it\n${lines}\n`);
  return exitCodes.bug;
}

function reportUsage({ exitCode, code, message }: CommanderError, io: Io): number {
  if (exitCode === 0) return exitCodes.done;
  // The parser has already printed its help for a command line without a command.
  if (!Object.hasOwn(usageCodes, code)) return exitCodes.input;
  const [said = "", suggestion] = message.replace(/\.$/, "").split(/\n\((?=Did you mean)/);
  const what = notAllowed(said) ?? said;
  const advice = suggestion === undefined ? "" : `; ${suggestion.replace(/^D/, "d").replace(/\)$/, "")}`;
  io.stderr.write(`${folderFor(io, "stderr")(`${safe(what)}${safe(advice)} [${usageCodes[code]}]`, 7)}\n`);
  return exitCodes.input;
}

/** Rewrites the parser's message about a value that is not allowed into the format of the other messages. */
function notAllowed(said: string): string | undefined {
  const choice =
    /^error: (?:command-argument value '(?<value>.*)' is invalid for argument '(?<name>.*)'|option '(?<flags>.*)' argument '(?<given>.*)' is invalid)\. Allowed choices are (?<allowed>.*)$/s;
  const { value, name, flags, given = "", allowed } = choice.exec(said)?.groups ?? {};
  if (allowed === undefined) return undefined;
  const where = name === undefined ? flags?.replace(/^-\w, | .*$/g, "") : `<${name}>`;
  return `error: ${where} ${quote(value ?? given)} is not allowed; use ${allowed.replace(/, ([^,]*)$/, " or $1")}`;
}

function isStop(error: unknown, { reason }: AbortSignal): boolean {
  const isOf = (one: unknown) => one === reason || (one instanceof Error && one.name === "AbortError");
  return isOf(error) || (error instanceof ServiceError && isOf(error.cause));
}
