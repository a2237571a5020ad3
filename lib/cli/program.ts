import { Argument, Command as CommanderCommand, CommanderError, Option } from "commander";
import { InputError, ServiceError } from "../errors";
import { maskSecrets, quote } from "../text/quote";
import {
  type Command,
  type CommandArgument,
  type CommandLine,
  type ExitCode,
  everyExitCode,
  exitCodesOf,
  type Io,
} from "./command";
import * as load from "./load";
import { folderFor } from "./style";
import { entries, globalOptions, groups, loadCommand } from "./table";
import { commandText, safe, writeNote, writeProblems } from "./text";

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
  const flags = new Set<string>(globalOptions.map((option) => option.flags));
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
  const { suggest } = load.suggestions();
  const [first = ""] = typed;
  const inGroup = Object.hasOwn(groups, first);
  const names = entries.map(({ name }) => name);
  const nearInGroup = inGroup
    ? suggest(
        typed.slice(1),
        names.filter((name) => name.startsWith(`${first} `)),
      )
    : [];
  const near =
    nearInGroup.length > 0
      ? nearInGroup
      : suggest(inGroup ? typed.slice(1) : typed, [...names, ...Object.keys(groups)]);
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
    const lastWord = words.pop() ?? name;
    const group = words.join(" ");
    let parent = program;
    if (group !== "") {
      parent = parents.get(group) ?? configure(program.command(group), io).description(groups[group] ?? "");
      parents.set(group, parent);
    }
    const made = parent.command(lastWord).summary(summary);
    if (name === chosen) addCommand(configure(made, io), loadCommand(entry), io, finish);
  }
  return program;
}

/** Minimum width of the descriptions in the help, in columns: narrower descriptions are not wrapped. */
const leastHelpColumns = 20;

function configure(command: CommanderCommand, io: Io): CommanderCommand {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: leastHelpColumns })
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
  target.exitOverride((error) => {
    const { usageError }: typeof import("./usage") = require("./usage");
    throw usageError(error, command, target.args) ?? error;
  });
  for (const argument of command.arguments ?? []) {
    const parsed = new Argument(argumentSyntax(argument), argument.description);
    // For the help: `value-types.ts` checks the choices, together with all other values.
    if (argument.choices !== undefined) parsed.argChoices = [...argument.choices];
    target.addArgument(parsed);
  }
  for (const { flags, description, choices, repeatable, default: byDefault } of command.options ?? []) {
    const parsed = new Option(flags, `${description}${repeatable === true ? "; may be repeated" : ""}`);
    if (choices !== undefined) parsed.argChoices = [...choices];
    if (byDefault !== undefined) parsed.default(byDefault);
    if (repeatable === true) parsed.argParser((value: string, before: readonly string[] = []) => [...before, value]);
    else refuseSecondValue(target, parsed);
    target.addOption(parsed);
  }
  target.addHelpText("after", () => helpAfter(command, io));
  target.action(async (...received: unknown[]) => {
    const positional = received.slice(0, (command.arguments ?? []).length);
    const named = (command.arguments ?? []).map((argument, index) => [argument.name, positional[index]]);
    const options = target.optsWithGlobals();
    const given = new Set(
      Object.keys(options).filter((name) => target.getOptionValueSourceWithGlobals(name) === "cli"),
    );
    const line: CommandLine = { arguments: Object.fromEntries(named), options, given };
    finish(await command.run(line, { ...io, quiet: options.quiet === true, color: options.color !== false }));
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

/** Returns the summary as a sentence, for a command without a description. */
export function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function argumentSyntax({ name, takes = "one" }: CommandArgument): string {
  if (takes === "one") return `<${name}>`;
  if (takes === "optional") return `[${name}]`;
  return takes === "one or more" ? `<${name}...>` : `[${name}...]`;
}

function helpAfter(command: Command, io: Io): string {
  const fold = folderFor(io, "stdout");
  const examples = command.examples.map((example) => {
    return `${fold(`  # ${example.what}`, 4)}\n${commandText("  $ ", example.command, io)}`;
  });
  const codes = [...exitCodesOf(command), ...everyExitCode()]
    .sort((a, b) => a.code - b.code)
    .map(({ code, meaning }) => `${fold(`  ${code}  ${meaning}`, `  ${code}  `.length)}\n`);
  return `
Examples:
${examples.join("\n")}
Exit codes:
${codes.join("")}`;
}

const usageCodes: Readonly<Record<string, string>> = {
  "commander.unknownOption": "option-unknown",
  "commander.unknownCommand": "command-unknown",
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
    writeNote("stopped", "stopped before the end; nothing was changed", io);
    return exitCodes.stopped;
  }
  if (error instanceof ServiceError) {
    const advice = error.retryable ? "; the same command may succeed later" : "";
    // HTTP 401 always means that the service refused the credentials.
    const code = error.status === 401 ? "credentials-refused" : error.code;
    io.stderr.write(`${folderFor(io, "stderr")(`error: ${safe(error.message)}${advice} [${code}]`, 7)}\n`);
    return exitCodes.service;
  }
  const { explainSystemError }: typeof import("./system-error") = require("./system-error");
  const ofSystem = explainSystemError(error, io.env.TMPDIR);
  if (ofSystem !== undefined) {
    writeProblems(ofSystem, io);
    return exitCodes.input;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = maskSecrets(trace).split("\n").map(safe).join("\n");
  io.stderr.write(`this is a mistake of cert-migration itself; its output may be incomplete [bug]\n${lines}\n`);
  return exitCodes.bug;
}

function reportUsage({ exitCode, code, message }: CommanderError, io: Io): number {
  if (exitCode === 0) return exitCodes.done;
  // The parser has already printed its help for a command line without a command.
  if (!Object.hasOwn(usageCodes, code)) return exitCodes.input;
  const [said = "", suggestion] = message.replace(/\.$/, "").split(/\n\((?=Did you mean)/);
  const advice = suggestion === undefined ? "" : `; ${suggestion.replace(/^D/, "d").replace(/\)$/, "")}`;
  io.stderr.write(`${folderFor(io, "stderr")(`${safe(said)}${safe(advice)} [${usageCodes[code]}]`, 7)}\n`);
  return exitCodes.input;
}

function isStop(error: unknown, { reason }: AbortSignal): boolean {
  const isOf = (cause: unknown) => cause === reason || (cause instanceof Error && cause.name === "AbortError");
  return isOf(error) || (error instanceof ServiceError && isOf(error.cause));
}
