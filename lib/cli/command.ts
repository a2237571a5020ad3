/**
 * Defines a command. The parser, the help, the completions and the reference page all derive from the table of commands
 * in `table.ts`.
 */

export interface Io {
  /** Results, and nothing else. */
  readonly stdout: Writer;
  /** Progress, warnings, errors. */
  readonly stderr: Writer;
  readonly stdin: NodeJS.ReadableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Aborted by Ctrl-C and SIGTERM: the command then stops cleanly and reports what remains. */
  readonly signal: AbortSignal;
  /**
   * Aborted by the second Ctrl-C, right before the process ends. Code that has started programs or created files
   * removes them immediately. @default - no such notice
   */
  readonly endSignal?: AbortSignal;
  /** Whether `--quiet` was given: no progress, only results, warnings and errors. @default false */
  readonly quiet?: boolean;
  /** `false` if `--no-color` was given; `paintFor` decides whether output is colored. @default true */
  readonly color?: boolean;
  /**
   * Keeps the memory of the process small, for commands whose memory must not depend on the number of hostnames. It
   * changes settings of the whole process. @default - V8 decides when it collects garbage
   */
  readonly memory?: { readonly keepSmall: () => void; readonly collect: () => void };
}

interface Writer {
  write(text: string): unknown;
  /** Whether the stream is a terminal: progress may move, and color may be used. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** Values of an argument or an option. */
interface Choices {
  readonly choices?: readonly string[];
  /**
   * Values that a shell offers. The help does not list them, because there are too many, and other values are not
   * refused at once.
   */
  readonly offers?: () => readonly string[];
}

export interface CommandArgument extends Choices {
  /** Name, as in `<path>`. */
  readonly name: string;
  readonly description: string;
  /** How many values the argument takes. @default "one" */
  readonly takes?: "one" | "optional" | "one or more" | "any number";
  /**
   * What a shell completes.
   * @default - files for an argument named `file` or `path`, folders for `folder`, else the choices
   */
  readonly completes?: "file" | "folder";
}

export interface CommandOption extends Choices {
  /** Long flag with its value, as in `--out <file>`; a short form may precede it: `-o, --out <file>`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string;
  /** Whether the option may appear several times; its values are collected. @default false */
  readonly repeatable?: boolean;
  /** A text that the option refuses, with the code of its error. @default - any text is allowed */
  readonly refuses?: readonly [text: string, code: string];
}

/** Value as the parser gives it: texts of an option that may be repeated, or a flag. */
export type RawValue = string | boolean | readonly string[] | undefined;

/** A parsed command line, before `declare.ts` reads the values. */
export interface CommandLine {
  readonly arguments: Readonly<Record<string, RawValue>>;
  /** Options by camel-cased long name. */
  readonly options: Readonly<Record<string, RawValue>>;
  /** Names of the options that the command line has. */
  readonly given: ReadonlySet<string>;
}

/**
 * Exit code of a command that threw no error. A negative answer (not verified, not found) is not an error of the
 * program.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5;

export interface Command extends CommandDetails {
  /** Words after `cert-migration`, as in `api list`. */
  readonly name: string;
  readonly summary: string;
}

/** Part of a command that is loaded only for its help or its run. `table.ts` has the name and the summary. */
export interface CommandDetails {
  /** @default - the summary */
  readonly description?: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  /** Command lines to copy, each with its effect. */
  readonly examples: readonly { readonly command: string; readonly what: string }[];
  /** Exit codes other than 0 (done), 1 (bug), 2 (input), 3 (service). */
  readonly exitCodes?: Readonly<Partial<Record<ExitCode, string>>>;
  /** Fields of the JSON; a name ends with `?` if the field can be missing. @default - the command prints no JSON */
  readonly json?: readonly string[];
  readonly run: (line: CommandLine, io: Io) => Promise<ExitCode>;
}

/** Meanings of the exit codes that commands share; 130 is the shell's convention for a process that Ctrl-C ended. */
const sharedExitCodes = {
  0: "done",
  1: "a bug in this program; please report it",
  2: "the command line or an input can't be used",
  3: "a service refused or did not answer",
  130: "interrupted (for example by Ctrl-C) before a result",
} as const;

/** Matches the options of commands that call a service; a command without them never ends with 3. */
const serviceOptions = /^--(?:endpoint|root-url) /;

/** Exit codes that every command may return. */
const commonExitCodes = [1, 130] as const;

/** Returns the exit codes that {@link exitCodesOf} omits, because every command may return these. */
export function everyExitCode() {
  return commonExitCodes.map((code) => ({ code, meaning: sharedExitCodes[code] }));
}

/** Returns the exit codes of a command in ascending order. Codes that every command may return (1, 130) are omitted. */
export function exitCodesOf({ options = [], exitCodes = {} }: Command) {
  const asksServices = options.some(({ flags }) => serviceOptions.test(flags));
  const shared = { 0: sharedExitCodes[0], 2: sharedExitCodes[2], ...(asksServices ? { 3: sharedExitCodes[3] } : {}) };
  const all: Readonly<Record<string, string>> = { ...shared, ...exitCodes };
  // JavaScript orders integer keys in ascending order.
  return Object.entries(all).map(([code, meaning]) => ({ code: Number(code), meaning }));
}
