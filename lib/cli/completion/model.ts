import type { Command, CommandArgument, CommandOption } from "../command";

/** Describes what a position of the command line accepts; `text` is free text that no shell can complete. */
export type Completed =
  | { readonly kind: "file" | "folder" | "text" }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

export interface CompletedOption {
  /** Short and long form, as in `-p` and `--param`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Value of the option. @default - the option takes no value */
  readonly value?: Completed;
  readonly repeatable: boolean;
}

export interface CompletedCommand {
  /** One word or two, as in `api list`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Positional arguments by position. If `manyArguments` is set, the last one also applies to all later positions. */
  readonly arguments: readonly Completed[];
  readonly manyArguments: boolean;
}

export interface CompletionModel {
  readonly commands: readonly CompletedCommand[];
  /** First words of two-word commands, with a summary of each group; at least one. */
  readonly groups: Readonly<Record<string, string>>;
  readonly globalOptions: readonly CompletedOption[];
}

/** The table of commands. */
export interface CompletedProgram extends Pick<CompletionModel, "groups"> {
  readonly commands: readonly Command[];
  readonly globalOptions: readonly CommandOption[];
}

/** Builds the completion model. */
export function completionModel({ commands, groups, globalOptions }: CompletedProgram): CompletionModel {
  const help = { flags: "-h, --help", description: "display help for command" };
  const shared = [...globalOptions, help].map(describeOption);
  return {
    globalOptions: shared,
    groups,
    commands: commands.map(({ name, summary, options = [], arguments: places = [] }) => ({
      name,
      summary,
      options: [...options.map(describeOption), ...shared],
      arguments: places.map(describeArgument),
      manyArguments: places.some(({ takes }) => takes === "one or more" || takes === "any number"),
    })),
  };
}

export function commandsOf(group: string, { commands }: CompletionModel): readonly CompletedCommand[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}

export function plainCommands({ commands }: CompletionModel): readonly CompletedCommand[] {
  return commands.filter(({ name }) => !name.includes(" "));
}

/** Returns a word in the quotes of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function describeOption({ flags, description, choices, offers, repeatable = false }: CommandOption): CompletedOption {
  const place = /[<[]([^>\]]+)/.exec(flags)?.[1];
  return {
    flags: flags.match(/(?<![\w-])--?[\w-]+/g) ?? [],
    description,
    repeatable,
    ...(place === undefined ? {} : { value: describePlace(place, choices ?? offers?.()) }),
  };
}

function describeArgument({ name, choices, offers, completes }: CommandArgument): Completed {
  if (completes !== undefined) return { kind: completes };
  return describePlace(name === "path" ? "file" : name, choices ?? offers?.());
}

function describePlace(name: string, choices: readonly string[] | undefined): Completed {
  if (choices !== undefined) return { kind: "choice", choices };
  return { kind: name === "file" || name === "folder" ? name : "text" };
}
