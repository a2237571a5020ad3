import { InputError, type Problem } from "../errors";
import { defined } from "../json/defined";
import type { CommandArgument, CommandDetails, CommandLine, CommandOption, ExitCode, Io, RawValue } from "./command";
import { jsonDocument, jsonPieces } from "./text";

/** Reads the text of a value. @throws InputError that begins with the name of the option */
type Read<Value> = (text: string, option: string) => Value;

/** Kind of the values of an option or an argument; `value-types.ts` has those that several commands share. */
export interface ValueType<Value> {
  readonly read: Read<Value>;
  readonly choices?: readonly string[];
  /** Values that a shell offers; the help does not list them, and others are not refused at once. */
  readonly offers?: () => readonly string[];
  /** A text that `read` refuses, with the code of its error: a test runs it for each option. */
  readonly refuses?: readonly [text: string, code: string];
}

/** Option with a value; an option that is a `string` in the declaration is a flag, or has any text as its value. */
export interface DeclaredOption<Value> extends Pick<CommandOption, "description" | "default" | "repeatable"> {
  readonly type: ValueType<unknown>;
  readonly read: (texts: readonly string[] | undefined, option: string) => Value;
}

/** Any text. */
export const text: ValueType<string> = { read: (given) => given };

/** Declares an option with a value: undefined if it is not given and has no default. */
export function value<Value>(type: ValueType<Value>, description: string): DeclaredOption<Value | undefined>;
export function value<Value>(type: ValueType<Value>, description: string, byDefault: string): DeclaredOption<Value>;
export function value<Value>(
  type: ValueType<Value>,
  description: string,
  byDefault?: string,
): DeclaredOption<Value | undefined> {
  return {
    type,
    description,
    ...(byDefault === undefined ? {} : { default: byDefault }),
    read: (texts, option) => (texts?.[0] === undefined ? undefined : type.read(texts[0], option)),
  };
}

/** Declares an option that may be repeated: a list, empty if it is not given. */
export function values(description: string): DeclaredOption<readonly string[]>;
export function values<Value>(description: string, type: ValueType<Value>): DeclaredOption<readonly Value[]>;
export function values(description: string, type: ValueType<unknown> = text): DeclaredOption<readonly unknown[]> {
  const read = (texts: readonly string[] = [], option: string) =>
    collect(texts.map((given) => () => type.read(given, option)));
  return { type, description, repeatable: true, read };
}

/** Options by their flags as the help shows them, as in `"-o, --out <file>"`. */
export type OptionTable = Readonly<Record<string, string | DeclaredOption<unknown>>>;

/** Arguments by name, in their order. */
type ArgumentTable = Readonly<Record<string, DeclaredArgument<unknown>>>;

export interface DeclaredArgument<Value> extends Omit<CommandArgument, "name"> {
  readonly read: (given: RawValue, name: string) => Value;
}

type ArgumentDetails = Pick<CommandArgument, "description" | "completes" | "choices" | "offers">;

/** Declares an argument that has to be given. */
export function argument(details: ArgumentDetails): DeclaredArgument<string>;
export function argument<Value>(details: ArgumentDetails, type: ValueType<Value>): DeclaredArgument<Value>;
export function argument(details: ArgumentDetails, type: ValueType<unknown> = text): DeclaredArgument<unknown> {
  const { choices } = type;
  return {
    ...details,
    ...(choices === undefined ? {} : { choices }),
    read: (given, name) => type.read(String(given), `<${name}>`),
  };
}

export function optionalArgument(details: ArgumentDetails): DeclaredArgument<string | undefined> {
  return { ...details, takes: "optional", read: (given) => (typeof given === "string" ? given : undefined) };
}

/** Declares an argument that takes any number of values. */
export function manyArguments(details: ArgumentDetails): DeclaredArgument<readonly string[]> {
  return { ...details, takes: "any number", read: (given) => textsOf(given) ?? [] };
}

type Camel<Text> = Text extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Text;
type Word<Flags> = Flags extends `${infer Name} ${string}` ? Name : Flags;
type LongName<Flags> = Flags extends `-${string}, --${infer Long}`
  ? Word<Long>
  : Flags extends `--no-${infer Long}`
    ? Word<Long>
    : Flags extends `--${infer Long}`
      ? Word<Long>
      : never;

/** Name of an option: its long flag in camel case, without `no-`. */
type NameOf<Flags> = Camel<LongName<Flags>>;

type FlagValue<Flags, Options> = Flags extends `--no-${string}`
  ? false | undefined
  : Flags extends `${string} <${string}`
    ? string | undefined
    : Flags extends `${string} [${string}`
      ? string | true | undefined
      : Flags extends `--${infer Long}`
        ? `--no-${Long}` extends keyof Options
          ? true | undefined
          : boolean
        : boolean;

/** Values of declared options by name. */
export type OptionValues<Options> = {
  readonly [Flags in keyof Options as NameOf<Flags>]: Options[Flags] extends DeclaredOption<infer Value>
    ? Value
    : FlagValue<Flags, Options>;
};

type ArgumentValues<Arguments> = {
  readonly [Name in keyof Arguments]: Arguments[Name] extends DeclaredArgument<infer Value> ? Value : never;
};

/** What a command receives. */
interface Invocation<Options, Arguments, Fields extends string> {
  readonly options: OptionValues<Options>;
  readonly arguments: ArgumentValues<Arguments>;
  /** Names of the options that the command line has; the others have their defaults. */
  readonly given: ReadonlySet<string>;
  /** Formats the JSON that the command declares. @param indent spaces for each level; 0 for one line. @default 2 */
  readonly json: (fields: DeclaredJson<Fields>, indent?: number) => string;
  /** The same in pieces, for documents of many megabytes. */
  readonly jsonPieces: (fields: DeclaredJson<Fields>) => Iterable<string>;
}

type Split<Text> = Text extends `${infer First}, ${infer Rest}` ? First | Split<Rest> : Text;

type DeclaredJson<Fields extends string, Field extends string = Split<Fields> & string> = {
  readonly [Name in Field as Name extends `${string}?` ? never : Name]: unknown;
} & { readonly [Name in Field as Name extends `${infer Plain}?` ? Plain : never]?: unknown };

interface Declaration<Options, Arguments, Fields extends string>
  extends Pick<CommandDetails, "description" | "exitCodes"> {
  readonly options: Options;
  readonly arguments?: Arguments;
  /** Command lines to copy, each with its effect. */
  readonly examples: Readonly<Record<string, string>>;
  /**
   * Fields of the JSON beside `schemaVersion`, as in `"ok, findings, freeze?"`; `?` marks a field that can be missing.
   * docs/json-output.md describes them.
   */
  readonly json?: Fields;
  /** Reports that a value was refused to programs, before the error goes to stderr. @default - only the error */
  readonly refused?: (error: InputError, line: CommandLine, io: Io) => void;
  /** Does the work and returns the exit code. Heavy modules come from `load.ts`. */
  readonly run: (invocation: Invocation<Options, Arguments, Fields>, io: Io) => Promise<ExitCode>;
}

/**
 * Declares a command. Types, parsing, help, completion, the reference page and tests follow from the declaration, so
 * that a new option is one entry here.
 */
export function defineCommand<
  const Options extends OptionTable,
  const Arguments extends ArgumentTable = Record<never, never>,
  const Fields extends string = never,
>({
  options,
  arguments: taken,
  json,
  examples,
  refused,
  run,
  ...details
}: Declaration<Options, Arguments, Fields>): CommandDetails {
  return {
    ...details,
    examples: Object.entries(examples).map(([command, what]) => ({ command, what })),
    options: Object.entries(options).map(([flags, declared]) => describeOption(flags, declared)),
    arguments: Object.entries(taken ?? {}).map(([name, { read: _, ...described }]) => ({ name, ...described })),
    ...(json === undefined ? {} : { json: json.split(", ") }),
    run: (line, io) => {
      const format = (fields: object, indent?: number) => jsonDocument(fields, indent);
      try {
        return run({ ...readLine(options, taken, line), given: line.given, json: format, jsonPieces }, io);
      } catch (error) {
        if (error instanceof InputError) refused?.(error, line, io);
        throw error;
      }
    },
  };
}

function describeOption(flags: string, declared: OptionTable[string]): CommandOption {
  if (typeof declared === "string") return { flags, description: declared };
  const { type, read: _, ...described } = declared;
  const { choices, offers, refuses } = type;
  return { flags, ...described, ...defined({ choices, offers, refuses }) };
}

/** Reads all values, and reports every mistake at once. */
function readLine<Options extends OptionTable, Arguments extends ArgumentTable>(
  options: Options,
  taken: Arguments | undefined,
  line: CommandLine,
) {
  const read: readonly (() => readonly [of: "options" | "arguments", name: string, value: unknown])[] = [
    ...Object.entries(options).map(([flags, declared]) => () => {
      const name = nameOf(flags);
      return ["options", name, readOption(flags, declared, line.options[name], options)] as const;
    }),
    ...Object.entries(taken ?? {}).map(([name, declared]) => () => {
      return ["arguments", name, declared.read(line.arguments[name], name)] as const;
    }),
  ];
  const all = collect(read);
  const valuesOf = (kind: "options" | "arguments") =>
    Object.fromEntries(all.flatMap(([of, name, found]) => (of === kind ? [[name, found]] : [])));
  // The types describe what the loops above do for each entry.
  return {
    options: valuesOf("options") as OptionValues<Options>,
    arguments: valuesOf("arguments") as ArgumentValues<Arguments>,
  };
}

function readOption(flags: string, declared: OptionTable[string], given: RawValue, all: OptionTable): unknown {
  const [flag = ""] = /--[\w-]+/.exec(flags) ?? [];
  if (typeof declared !== "string") return declared.read(textsOf(given), flag);
  const isPlainFlag = !/[<[]/.test(flags) && !flag.startsWith("--no-") && !Object.hasOwn(all, `--no-${flag.slice(2)}`);
  return isPlainFlag ? given === true : given;
}

/** Returns the name of an option in {@link OptionValues}. */
export function nameOf(flags: string): string {
  const [, long = ""] = /--(?:no-)?([\w-]+)/.exec(flags) ?? [];
  return long.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function textsOf(given: RawValue): readonly string[] | undefined {
  if (typeof given === "string") return [given];
  return typeof given === "object" ? given : undefined;
}

/** Runs all reads. @throws InputError with the problems of all that fail */
function collect<Result>(reads: readonly (() => Result)[]): readonly Result[] {
  const problems: Problem[] = [];
  const results = reads.flatMap((read) => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems);
  return results;
}
