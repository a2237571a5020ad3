/**
 * What a command is. Parser, help, completions and the reference page all come from the one table of these in `table.ts`.
 */

/** The outside world of a command; tests pass their own. */
export interface Io {
  /** Results, and nothing else. */
  readonly stdout: Writer;
  /** Progress, warnings, errors. */
  readonly stderr: Writer;
  readonly stdin: NodeJS.ReadableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Aborted by Ctrl-C and SIGTERM: a command then stops in good order and says what is left. */
  readonly signal: AbortSignal;
  /** Aborted by the second Ctrl-C, right before the process ends: who has started programs or made files takes them away then and there. @default - there is no telling */
  readonly endSignal?: AbortSignal;
  /** Whether `--quiet` was given: no progress, only results, warnings and errors. @default false */
  readonly quiet?: boolean;
  /** `false` where `--no-color` was given; whether there is colour is for `paintFor` to say. @default true */
  readonly color?: boolean;
}

interface Writer {
  write(text: string): unknown;
  /** Whether a person is looking: progress may move, colour may be used. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export interface CommandArgument {
  /** As in `<path>`. */
  readonly name: string;
  readonly description: string;
  /** @default "one" */
  readonly takes?: "one" | "optional" | "one or more" | "any number";
  readonly choices?: readonly string[];
  /** What a shell offers for it, where that is too much for help to list and no other value is refused at once. */
  readonly offers?: () => readonly string[];
  /** What a shell offers for it. @default - files for one that is called `file` or `path`, folders for `folder`, else its choices */
  readonly completes?: "file" | "folder";
}

export interface CommandOption {
  /** Long flag with its value, as in `--out <file>`; a short form may stand before it: `-o, --out <file>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** What a shell offers for its value, where that is too much for help to list and no other value is refused at once. */
  readonly offers?: () => readonly string[];
  readonly default?: string | number | boolean;
  /** The option may be given several times and its values are collected. */
  readonly repeatable?: boolean;
}

export interface Invocation {
  /** Positional arguments by name; one that takes several is a list. */
  readonly arguments: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Options by camel-cased long name. */
  readonly options: Readonly<Record<string, string | boolean | number | readonly string[] | undefined>>;
}

/** How a command ended when nothing was thrown. A negative answer (not verified, not found) is not an error of the program. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5;

export interface Command {
  /** Words after `cert-migration`, as in `api list`. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  /** Command lines to copy, each with what it does. */
  readonly examples: readonly { readonly command: string; readonly what: string }[];
  /** Exit codes other than 0 (done), 1 (bug), 2 (input), 3 (service). */
  readonly exitCodes?: Readonly<Partial<Record<ExitCode, string>>>;
  /**
   * Does the work and answers the exit code. Whatever is heavy is imported in here, so that `--help` stays as fast as Node.
   */
  readonly run: (invocation: Invocation, io: Io) => Promise<ExitCode>;
}
