import type { Problem } from "../../errors";
import { type Fields, isFields, parseJson } from "../../json/fields";
import { quote } from "../../text/quote";

/** A file from the command line, as it was read. */
export interface SourceText {
  /** Name of the file in problems and in the report. */
  readonly source: string;
  readonly text: string;
  /** When the file was last modified. The report uses this time if the file itself contains no time. */
  readonly modifiedAt: Date;
}

/** The content of a file, or all of its problems. */
export type Read<Part> = { readonly part: Part } | { readonly problems: readonly Problem[] };

/** The command whose output a file has to be. */
export interface OutputOf {
  /** Command line, as in `status --json`. */
  readonly command: string;
  /** Field that every output of the command has. */
  readonly field: string;
}

/** Reads a file that contains one object. */
export function readObject<Part>(
  { source, text: content }: SourceText,
  output: OutputOf,
  read: Reader<Part>,
): Read<Part> {
  const problems = new ProblemList(source, output);
  const fields = problems.parse(content);
  if (fields === undefined) return { problems: problems.list() };
  problems.checkVersion(fields);
  const part = read(fields, "", problems);
  return problems.list().length > 0 ? { problems: problems.list() } : { part };
}

/**
 * The most problems of one file that are reported one by one. A file of another kind has as many problems as fields.
 */
const mostProblems = 20;

/** Collects the problems of one JSON file. */
export class ProblemList {
  /** Name of the file in problems. */
  readonly #source: string;
  readonly #problems: Problem[] = [];
  #count = 0;

  readonly #output: OutputOf;

  constructor(source: string, output: OutputOf) {
    this.#source = source;
    this.#output = output;
  }

  /** Returns the problems in the order in which they were found. */
  list(): readonly Problem[] {
    const left = this.#count - this.#problems.length;
    if (left === 0) return this.#problems;
    const message = `${quote(this.#source)}: ${left} more mistakes of this kind; check that the file is the right input for its option`;
    return [...this.#problems, { code: "report-input-malformed", message }];
  }

  /** Adds a problem. @param at JSON pointer of the invalid value; empty for the whole file */
  report(at: string, what: string): void {
    this.#count += 1;
    if (this.#problems.length >= mostProblems) return;
    const where = at === "" ? "" : `: ${quote(at)}`;
    this.#problems.push({ code: "report-input-malformed", message: `${quote(this.#source)}${where} ${what}` });
  }

  /** Parses the whole file. Returns `undefined`, and adds one problem, if it is not the output of the command. */
  parse(content: string): Fields | undefined {
    const value = parseJson(content);
    if (value === undefined) this.report("", this.#notJson(content));
    return value === undefined ? undefined : this.checkOutput(value, "");
  }

  /** Returns the output of the command at a place. Returns `undefined`, and adds one problem, for any other value. */
  checkOutput(value: unknown, at: string): Fields | undefined {
    if (isFields(value) && Object.hasOwn(value, this.#output.field)) return value;
    this.report(at, `is not the output of ${this.#command()}; pass that output`);
    return undefined;
  }

  #command(): string {
    return quote(`cert-migration ${this.#output.command}`);
  }

  /** Explains why a text is not JSON. The parser's own messages differ between its versions. */
  #notJson(text: string): string {
    if (/^\uFEFF?\s*$/.test(text)) return "is empty; write it again";
    if (endsTooEarly(text)) return "ends too early; was it cut off? write it again";
    return `is not JSON; pass the output of ${this.#command()}`;
  }

  /**
   * Checks that this program can read the version of the file. Files from before versions were introduced have no
   * version.
   */
  checkVersion({ schemaVersion = 1, version = schemaVersion }: Fields): void {
    if (version === 1) return;
    this.report("/version", "is not 1, the only one that is known; read it with a newer cert-migration");
  }
}

/**
 * Reads the value at a JSON pointer. Reports an invalid value as a problem and continues with a default, so that all
 * problems of a file are reported together.
 */
export type Reader<Value> = (value: unknown, at: string, problems: ProblemList) => Value;

/** Creates a reader of values that pass a check. */
function checked<Value>(isValid: (value: unknown) => value is Value, what: string, otherwise: Value): Reader<Value> {
  return (value, at, problems) => {
    if (isValid(value)) return value;
    problems.report(at, what);
    return otherwise;
  };
}

const isText = (value: unknown): value is string => typeof value === "string";
export const isNotEmpty = (value: unknown): value is string => isText(value) && value !== "";
const isAmount = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const areTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const areCounts = (value: unknown): value is readonly number[] => Array.isArray(value) && value.every(isCount);

export const textField = checked(isNotEmpty, "is not a text", "");
/** Reads a text that may be empty, for example the issuer of a certificate without an issuer name. */
export const anyText = checked(isText, "is not a text", "");
export const texts = checked(areTexts, "is not a list of texts", []);
export const wholeNumber = checked(isCount, "is not a whole number from 0", 0);
export const wholeNumbers = checked(areCounts, "is not a list of whole numbers from 0", []);
export const amount = checked(isAmount, "is not a number from 0", 0);
export const flag = checked(isFlag, "is neither true nor false", false);
export const fields = checked(isFields, "is not an object", {});

export const timestamp: Reader<Date> = (value, at, problems) => {
  const read = parseTime(value);
  if (read === undefined) problems.report(at, "is not a time as in 2026-11-21T09:54:55Z");
  return read ?? new Date(0);
};

export const rfc3339: Reader<string> = (value, at, problems) => timestamp(value, at, problems).toISOString();

export function oneOfWords<const Word extends string>(words: readonly [Word, ...Word[]]): Reader<Word> {
  const isWord = (value: unknown): value is Word => words.some((word) => word === value);
  return checked(isWord, `is not one of ${words.join(", ")}`, words[0]);
}

/** Creates a reader of a list of objects. */
export function listReader<Item>(read: Reader<Item>): Reader<readonly Item[]> {
  return (value, at, problems) => {
    if (!Array.isArray(value)) {
      problems.report(at, "is not a list");
      return [];
    }
    const items = value.map((item: unknown, index) => fields(item, `${at}/${index}`, problems));
    return items.map((item, index) => read(item, `${at}/${index}`, problems));
  };
}

/** A field that may be absent. */
interface Optional<Value> {
  readonly optional: Reader<Value>;
  readonly isNullable: boolean;
}

/** Reads a field that may be absent. */
export function optional<Value>(read: Reader<Value>): Optional<Value> {
  return { optional: read, isNullable: false };
}

/** Reads a field that may be absent or null. */
export function nullable<Value>(read: Reader<Value>): Optional<Value> {
  return { optional: read, isNullable: true };
}

type Shape = Readonly<Record<string, Reader<unknown> | Optional<unknown>>>;

type Shaped<Of extends Shape> = {
  readonly [Key in keyof Of as Of[Key] extends Optional<unknown> ? never : Key]: Of[Key] extends Reader<infer Value>
    ? Value
    : never;
} & {
  readonly [Key in keyof Of as Of[Key] extends Optional<unknown> ? Key : never]?: Of[Key] extends Optional<infer Value>
    ? Value
    : never;
};

/** Creates a reader of an object. Fields are read in the order of the shape; further fields are left out. */
export function object<Of extends Shape>(shape: Of): Reader<Shaped<Of>> {
  return (value, at, problems) => {
    const found = fields(value, at, problems);
    const read = Object.entries(shape).flatMap(([key, field]) => {
      const fieldValue = found[key];
      if (typeof field === "function") return [[key, field(fieldValue, `${at}/${key}`, problems)]];
      if (fieldValue === undefined || (fieldValue === null && field.isNullable)) return [];
      return [[key, field.optional(fieldValue, `${at}/${key}`, problems)]];
    });
    return Object.fromEntries(read) as Shaped<Of>;
  };
}

/** Returns whether an object, a list or a text is still open at the end. */
function endsTooEarly(text: string): boolean {
  let open = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText && character === "\\") at += 1;
    else if (character === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (character === "{" || character === "[") open += 1;
    else if (character === "}" || character === "]") open -= 1;
  }
  return isInText || open > 0;
}

/** Reads a time as of RFC 3339 with a year of four digits; any other value is not a time. */
export function parseTime(value: unknown): Date | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(value))
    return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
