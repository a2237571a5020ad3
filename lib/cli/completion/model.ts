import type { Command, CommandArgument, CommandOption } from "../command";

/** What may stand in a place of the command line; `text` is what no shell can guess. */
export type Completed =
  | { readonly kind: "file" | "folder" | "text" }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

export interface CompletedOption {
  /** As in `-p` and `--param`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** What the option takes; absent where it takes nothing. */
  readonly value?: Completed;
  readonly repeatable: boolean;
}

export interface CompletedCommand {
  /** One word or two, as in `api list`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Positional arguments by their place; the last one for all places after it where `manyArguments` is set. */
  readonly arguments: readonly Completed[];
  readonly manyArguments: boolean;
}

/** What the shells are told, whichever it is. */
export interface CompletionModel {
  readonly commands: readonly CompletedCommand[];
  /** First words of two-word commands, with what they stand for. */
  readonly groups: Readonly<Record<string, string>>;
  /** Options of every command. */
  readonly globalOptions: readonly CompletedOption[];
}

/** @param groups at least one */
export function completionModel(
  commands: readonly Command[],
  groups: Readonly<Record<string, string>>,
  globalOptions: readonly CommandOption[],
): CompletionModel {
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

/** The second words of a group's commands. */
export function commandsOf(group: string, { commands }: CompletionModel): readonly CompletedCommand[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}

/** The commands of one word. */
export function plainCommands({ commands }: CompletionModel): readonly CompletedCommand[] {
  return commands.filter(({ name }) => !name.includes(" "));
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
