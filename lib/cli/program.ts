import { Argument, Command as CommanderCommand, CommanderError, Option } from "commander";
import { InputError, ServiceError } from "../errors";
import type { Command, CommandArgument, ExitCode, Invocation, Io } from "./command";
import { commands, groups } from "./table";

/** The exit codes that every command shares. */
const exitCodes = { done: 0, bug: 1, input: 2, service: 3 } as const;

/**
 * Runs one command line.
 *
 * @param words what stands after the program's name
 * @returns the exit code; never throws
 */
export async function runCommandLine(words: readonly string[], io: Io, version: string): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createProgram(version, io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    return reportError(error, io);
  }
}

function createProgram(version: string, io: Io, finish: (code: ExitCode) => void): CommanderCommand {
  const program = configure(new CommanderCommand("cert-migration"), io)
    .description("Moves third-party TLS certificates onto Google Cloud load balancers without one failed handshake.")
    .version(version, "-V, --version", "print the version")
    .helpCommand("help [command]", "show the help of a command");
  const parents = new Map<string, CommanderCommand>();
  for (const command of commands) {
    const words = command.name.split(" ");
    const own = words.pop() ?? command.name;
    const group = words.join(" ");
    let parent = program;
    if (group !== "") {
      parent = parents.get(group) ?? configure(program.command(group), io).description(groups[group] ?? "");
      parents.set(group, parent);
    }
    addCommand(configure(parent.command(own), io), command, io, finish);
  }
  return program;
}

function configure(command: CommanderCommand, io: Io): CommanderCommand {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    });
}

function addCommand(target: CommanderCommand, command: Command, io: Io, finish: (code: ExitCode) => void): void {
  target.summary(command.summary).description(command.description ?? `${command.summary}.`);
  for (const argument of command.arguments ?? []) {
    target.addArgument(new Argument(argumentSyntax(argument), argument.description));
  }
  for (const option of command.options ?? []) {
    const parsed = new Option(option.flags, option.description);
    if (option.choices !== undefined) parsed.choices(option.choices);
    if (option.repeatable === true) {
      parsed.default([], "none").argParser((value: string, before: string[]) => [...before, value]);
    } else if (option.default !== undefined) {
      parsed.default(option.default);
    }
    target.addOption(parsed);
  }
  target.addHelpText("after", () => helpAfter(command));
  target.action(async (...received: unknown[]) => {
    const positional = received.slice(0, (command.arguments ?? []).length);
    const named = (command.arguments ?? []).map((argument, index) => [argument.name, positional[index]]);
    finish(
      await command.run({ arguments: Object.fromEntries(named), options: target.opts() } satisfies Invocation, io),
    );
  });
}

function argumentSyntax({ name, takes = "one" }: CommandArgument): string {
  if (takes === "one") return `<${name}>`;
  if (takes === "optional") return `[${name}]`;
  return takes === "one or more" ? `<${name}...>` : `[${name}...]`;
}

function helpAfter(command: Command): string {
  const examples = command.examples.map((example) => `  # ${example.what}\n  $ ${example.command}\n`);
  const codes = Object.entries(command.exitCodes ?? {}).map(([code, meaning]) => `  ${code}  ${meaning}\n`);
  return `
Examples:
${examples.join("\n")}
Exit codes:
  0  done
  1  a mistake of this program: please report it
  2  the command line or an input can't be used
  3  a service refused or did not answer
${codes.join("")}`;
}

function reportError(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.input;
  if (error instanceof InputError) {
    for (const problem of error.problems) io.stderr.write(`error: ${problem.message} [${problem.code}]\n`);
    return exitCodes.input;
  }
  if (error instanceof ServiceError) {
    const advice = error.retryable ? "; the same command may succeed later" : "";
    io.stderr.write(`error: ${error.message}${advice} [${error.code}]\n`);
    return exitCodes.service;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`this is a mistake of cert-migration itself; nothing was changed by it\n${trace}\n`);
  return exitCodes.bug;
}
