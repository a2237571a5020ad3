import type { Problem } from "../errors";
import { type Fields, isFields } from "../json/fields";
import { isSafeToShow, quote } from "../text/quote";

/**
 * Reads the fields of JSON. Invalid fields are collected as problems instead of stopping the reader.
 *
 * `output.schema.json` can't replace it: Terraform fills attributes with null that the schema does not have, a stack has
 * references in place of values, and outputs of earlier versions lack fields.
 */
export class ShapeReader {
  readonly #source: string;
  readonly #problems: Problem[];

  constructor(source: string, problems: Problem[]) {
    this.#source = source;
    this.#problems = problems;
  }

  /** Adds a problem. @param at JSON pointer into the output's value */
  report(at: string, what: string): void {
    this.#problems.push({ code: "outputs-malformed", message: `${quote(this.#source)}: ${quote(at)} ${what}` });
  }

  fields(value: unknown, at: string): Fields {
    if (isFields(value)) return value;
    this.report(at, "is not an object");
    return {};
  }

  text(fields: Fields, key: string, at: string): string {
    return this.#text(fields[key], `${at}/${key}`);
  }

  /**
   * Reads a text. Refuses characters that are invisible or change the text direction in a table or a zone file; no name
   * of a migration contains them.
   */
  #text(value: unknown, at: string): string {
    if (typeof value !== "string" || value === "") this.report(at, "is not a text");
    else if (!isSafeToShow(value)) this.report(at, `is ${quote(value)}, which has characters that can't be seen`);
    else return value;
    return "";
  }

  oneOf<Word extends string>(fields: Fields, key: string, at: string, words: readonly Word[]): Word {
    const found = words.find((word) => word === fields[key]);
    if (found === undefined) this.report(`${at}/${key}`, `is not one of ${words.join(", ")}`);
    return found ?? (words[0] as Word);
  }

  /** Reads a list of texts; empty if absent. */
  texts(fields: Fields, key: string, at: string): readonly string[] {
    return this.#items(fields, key, at).map((item, index) => this.#text(item, `${at}/${key}/${index}`));
  }

  /** Reads a list of objects; empty if absent. */
  list(fields: Fields, key: string, at: string): readonly Fields[] {
    return this.#items(fields, key, at).map((item, index) => this.fields(item, `${at}/${key}/${index}`));
  }

  #items(fields: Fields, key: string, at: string): readonly unknown[] {
    const value = fields[key];
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.report(`${at}/${key}`, "is not a list");
    return [];
  }
}
