import type { Problem } from "../../errors";
import { type Fields, isFields, parseJson } from "../../json/fields";
import { quote } from "../../text/quote";

/**
 * The most problems of one file that are reported one by one. A file of another kind has as many problems as fields.
 */
const mostProblems = 20;

/**
 * Reads the fields of one JSON file. Invalid fields are collected as problems instead of stopping the reader.
 *
 * Ajv would need a schema of every file besides this code, which also converts times, reads the fields of earlier
 * versions and gives defaults.
 */
export class FieldReader {
  /** Name of the file in problems. */
  readonly #source: string;
  readonly #problems: Problem[] = [];
  #count = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns the problems in the order in which they were found. */
  problems(): readonly Problem[] {
    const left = this.#count - this.#problems.length;
    if (left === 0) return this.#problems;
    const message = `${quote(this.#source)}: ${left} more mistakes of this kind; check that the file is the right input for its option`;
    return [...this.#problems, { code: "report-input-malformed", message }];
  }

  /** Adds a problem. @param at JSON pointer of the invalid value; empty for the whole file */
  report(at: string, what: string): void {
    this.#count += 1;
    if (this.#problems.length >= mostProblems) return;
    const where = at === "" ? "" : ` ${quote(at)}`;
    this.#problems.push({ code: "report-input-malformed", message: `${quote(this.#source)}:${where} ${what}` });
  }

  /** Parses the whole file as one object. Returns `undefined`, and adds one problem, if it is not an object. */
  parse(text: string): Fields | undefined {
    const value = parseJson(text);
    if (isFields(value)) return value;
    this.report("", value === undefined ? notJson(text) : "is not an object");
    return undefined;
  }

  fields(value: unknown, at: string): Fields {
    if (isFields(value)) return value;
    this.report(at, "is not an object");
    return {};
  }

  text(fields: Fields, key: string, at: string): string {
    const value = fields[key];
    if (typeof value === "string" && value !== "") return value;
    this.report(`${at}/${key}`, "is not a text");
    return "";
  }

  /** Reads a text that may be empty, for example the issuer of a certificate without an issuer name. */
  anyText(fields: Fields, key: string, at: string): string {
    const value = fields[key];
    if (typeof value === "string") return value;
    this.report(`${at}/${key}`, "is not a text");
    return "";
  }

  /** Reads an optional text. */
  maybeText<Key extends string>(fields: Fields, key: Key, at: string): { readonly [name in Key]?: string } {
    if (fields[key] === undefined) return {};
    const value = fields[key];
    if (typeof value === "string") return { [key]: value } as { readonly [name in Key]?: string };
    this.report(`${at}/${key}`, "is not a text");
    return {};
  }

  /** Reads a whole number from 0. */
  count(fields: Fields, key: string, at: string): number {
    const value = fields[key];
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    this.report(`${at}/${key}`, "is not a whole number from 0");
    return 0;
  }

  /** Reads a number from 0. */
  amount(fields: Fields, key: string, at: string): number {
    const value = fields[key];
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
    this.report(`${at}/${key}`, "is not a number from 0");
    return 0;
  }

  flag(fields: Fields, key: string, at: string): boolean {
    const value = fields[key];
    if (typeof value === "boolean") return value;
    this.report(`${at}/${key}`, "is neither true nor false");
    return false;
  }

  time(fields: Fields, key: string, at: string): Date {
    const time = parseTime(fields[key]);
    if (time === undefined) this.report(`${at}/${key}`, "is not a time as in 2026-11-21T09:54:55Z");
    return time ?? new Date(0);
  }

  oneOf<Word extends string>(fields: Fields, key: string, at: string, words: readonly [Word, ...Word[]]): Word {
    const found = words.find((word) => word === fields[key]);
    if (found === undefined) this.report(`${at}/${key}`, `is not one of ${words.join(", ")}`);
    return found ?? words[0];
  }

  /** Reads a list of objects, each with its pointer. */
  list(fields: Fields, key: string, at: string): readonly (readonly [Fields, string])[] {
    const value = fields[key];
    const here = `${at}/${key}`;
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => [this.fields(item, `${here}/${index}`), `${here}/${index}`] as const);
    }
    this.report(here, "is not a list");
    return [];
  }

  /** Reads a list as {@link list} does; empty if the field is absent. */
  maybeList(fields: Fields, key: string, at: string): readonly (readonly [Fields, string])[] {
    return fields[key] === undefined ? [] : this.list(fields, key, at);
  }

  /** Reads a list of texts. */
  texts(fields: Fields, key: string, at: string): readonly string[] {
    const value = fields[key];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    this.report(`${at}/${key}`, "is not a list of texts");
    return [];
  }

  /** Reads an object, with its pointer. */
  object(fields: Fields, key: string, at: string): readonly [Fields, string] {
    return [this.fields(fields[key], `${at}/${key}`), `${at}/${key}`];
  }

  /**
   * Checks that this program can read the version of the file. Files from before versions were introduced have no
   * version.
   */
  version(fields: Fields): void {
    const { schemaVersion = 1, version = schemaVersion } = fields;
    if (version !== 1)
      this.report("/version", "is not 1, the only one that is known; read it with a newer cert-migration");
  }
}

/** Explains why a text is not JSON. The parser's own messages differ between its versions. */
function notJson(text: string): string {
  if (/^\uFEFF?\s*$/.test(text)) return "is empty; write it again";
  return endsTooEarly(text) ? "ends too early; was it cut off? write it again" : "is not JSON; is it the right file?";
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
