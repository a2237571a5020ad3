import { type Fields, fieldsOf, isFields } from "../json/fields";
import { isSafeToShow, quote } from "../text/quote";

/** Reports a problem. @param at JSON pointer into the output's value */
export type ReportProblem = (at: string, what: string) => void;

/**
 * Reads the fields of an object in JSON. Invalid fields are reported instead of stopping the reader.
 *
 * `output.schema.json` can't replace it: Terraform fills attributes with null that the schema does not have, a stack
 * has references in place of values, and outputs of earlier versions lack fields.
 */
export class ShapeReader {
  readonly #fields: Fields;
  readonly #at: string;
  readonly #report: ReportProblem;

  constructor(value: unknown, at: string, report: ReportProblem) {
    if (!isFields(value)) report(at, "is not an object");
    this.#fields = fieldsOf(value);
    this.#at = at;
    this.#report = report;
  }

  report(name: string, what: string): void {
    this.#report(`${this.#at}/${name}`, what);
  }

  /** Returns the unchecked value of a field; undefined for null, with which Terraform fills missing attributes. */
  value(name: string): unknown {
    return this.#fields[name] ?? undefined;
  }

  /** Returns whether a field is missing; a field with null is not. */
  isAbsent(name: string): boolean {
    return this.#fields[name] === undefined;
  }

  text(name: string): string {
    return this.#text(this.#fields[name], name);
  }

  /**
   * Reads a text. Refuses characters that are invisible or change the text direction in a table or a zone file; no name
   * of a migration contains them.
   */
  #text(value: unknown, name: string): string {
    if (typeof value !== "string" || value === "") this.report(name, "is not a text");
    else if (!isSafeToShow(value)) this.report(name, `is ${quote(value)}, which has characters that can't be seen`);
    else return value;
    return "";
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word {
    const found = words.find((word) => word === this.#fields[name]);
    if (found === undefined) this.report(name, `is not one of ${words.join(", ")}`);
    return found ?? (words[0] as Word);
  }

  /** Reads a list of texts; empty if absent. */
  texts(name: string): readonly string[] {
    return this.#items(name).map((item, index) => this.#text(item, `${name}/${index}`));
  }

  /** Reads a list of objects; empty if absent. */
  list(name: string): readonly ShapeReader[] {
    return this.#items(name).map((item, index) => this.#child(item, `${name}/${index}`));
  }

  #items(name: string): readonly unknown[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.report(name, "is not a list");
    return [];
  }

  /** Reads an object with a function; returns undefined if the object is absent. */
  object<Result>(name: string, read: (fields: ShapeReader) => Result): Result | undefined {
    const value = this.#fields[name];
    return value === undefined ? undefined : read(this.#child(value, name));
  }

  /** Reads each value as an object, with its name. */
  entries(): readonly (readonly [name: string, fields: ShapeReader])[] {
    return Object.entries(this.#fields).map(([name, value]) => [name, this.#child(value, name)]);
  }

  #child(value: unknown, name: string): ShapeReader {
    return new ShapeReader(value, `${this.#at}/${name}`, this.#report);
  }
}
