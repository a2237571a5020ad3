/**
 * Filters of list calls: the part of AIP-160 that clients of these services use. Supports `a = b`, `a != b`, `a : b`,
 * `<`, `<=`, `>`, `>=`, quotes, AND, OR, NOT or `-`, parentheses, dotted fields, and Compute's `eq` and `ne`. Two
 * adjacent terms mean AND. OR has precedence over AND, as in AIP-160.
 */
import { RE2JS } from "re2js";
import { fitsStarPattern } from "../star-pattern";
import { camelCase, invalidField, type Json } from "./service";

type Predicate = (item: Json) => boolean;

/**
 * Reads a filter.
 *
 * @param checkField throws for a field path that no item has
 * @param longest maximum length of the filter, in characters
 * @throws CloudError for an invalid filter
 */
export function parseFilter(filter: string, checkField?: (path: string) => void, longest = 10_000): Predicate {
  const tokens = tokenize(filter, longest);
  if (tokens.length === 0) return () => true;
  return new FilterReader(tokens, checkField).read();
}

type Token = { readonly kind: "word" | "text" | "operator" | "bracket"; readonly text: string };

function tokenize(filter: string, longest: number): readonly Token[] {
  if (filter.length > longest) throw bad(`longer than ${longest} characters`);
  const tokens: Token[] = [];
  const pattern = /\s+|(<=|>=|!=|=|:|<|>)|([()])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s<>=!:()"']+)/gy;
  while (pattern.lastIndex < filter.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(filter);
    if (match === null) throw bad(`what is meant at character ${at + 1}`);
    const [, operator, bracket, double, single, word] = match;
    if (operator !== undefined) tokens.push({ kind: "operator", text: operator });
    else if (bracket !== undefined) tokens.push({ kind: "bracket", text: bracket });
    else if (double !== undefined || single !== undefined)
      tokens.push({ kind: "text", text: (double ?? single ?? "").replace(/\\(.)/g, "$1") });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
  }
  return tokens;
}

function bad(what: string) {
  return invalidField("filter", `can't be read: ${what}`);
}

/** Maximum nesting depth of terms. */
const deepest = 50;

class FilterReader {
  readonly #tokens: readonly Token[];
  readonly #checkField: ((path: string) => void) | undefined;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], checkField?: (path: string) => void) {
    this.#tokens = tokens;
    this.#checkField = checkField;
  }

  read(): Predicate {
    const predicate = this.#all();
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw bad(`'${rest.text}' is not expected`);
    return predicate;
  }

  #all(): Predicate {
    const terms = [this.#either()];
    while (this.#takeWord("AND") || this.#startsTerm()) terms.push(this.#either());
    return terms.length === 1 ? (terms[0] as Predicate) : (item) => terms.every((term) => term(item));
  }

  #startsTerm(): boolean {
    const next = this.#tokens[this.#at];
    return next !== undefined && next.text !== ")";
  }

  #either(): Predicate {
    const options = [this.#term()];
    while (this.#takeWord("OR")) options.push(this.#term());
    return options.length === 1 ? (options[0] as Predicate) : (item) => options.some((option) => option(item));
  }

  #term(): Predicate {
    if (++this.#depth > deepest) throw bad(`nested more than ${deepest} levels deep`);
    const predicate = this.#negatable();
    this.#depth--;
    return predicate;
  }

  #negatable(): Predicate {
    if (this.#takeWord("NOT") || this.#takeWord("-")) {
      const inner = this.#term();
      return (item) => !inner(item);
    }
    if (this.#take("bracket", "(")) {
      const inner = this.#all();
      if (!this.#take("bracket", ")")) throw bad("a bracket is not closed");
      return inner;
    }
    return this.#comparison();
  }

  #comparison(): Predicate {
    const field = this.#next("word");
    const negated = field.startsWith("-");
    const path = field.replace(/^-/, "");
    const operator = this.#operator();
    this.#checkField?.(path);
    const holds = holdsAt(path.split("."), operator, this.#value());
    return negated ? (item) => !holds(item) : holds;
  }

  #operator(): string {
    const token = this.#tokens[this.#at++];
    if (token?.kind === "operator" || token?.text === "eq" || token?.text === "ne") return token.text;
    throw bad("a field is followed by one of = != : < <= > >= eq ne");
  }

  #value(): string {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== "word" && token?.kind !== "text") throw bad("a value is missing");
    return token.text;
  }

  #next(kind: Token["kind"]): string {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== kind)
      throw bad(`a field is expected${token === undefined ? " at the end" : `, not '${token.text}'`}`);
    return token.text;
  }

  #takeWord(text: string): boolean {
    return this.#take("word", text);
  }

  #take(kind: Token["kind"], text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind || token.text !== text) return false;
    this.#at++;
    return true;
  }
}

function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const [key, ...rest] = path;
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  if (key === undefined) return value === undefined || value === null ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  const found = [key, camelCase(key)].find((name) => Object.hasOwn(value, name));
  return found === undefined ? [] : valuesAt((value as Json)[found], rest);
}

function holdsAt(path: readonly string[], operator: string, wanted: string): Predicate {
  if (operator !== "eq" && operator !== "ne") return (item) => compare(valuesAt(item, path), operator, wanted);
  const expression = readExpression(wanted);
  const isEqual: Predicate = (item) => valuesAt(item, path).some((value) => expression.matches(String(value)));
  return operator === "eq" ? isEqual : (item) => !isEqual(item);
}

/** Compiles the expression of Compute's `eq` and `ne`, which has to match the whole value. RE2 takes linear time. */
function readExpression(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch {
    throw bad(`'${text.slice(0, 100)}' is not a regular expression`);
  }
}

function compare(values: readonly unknown[], operator: string, wanted: string): boolean {
  if (operator === "!=") return !values.some((value) => matches(value, wanted));
  if (operator === "=") return values.some((value) => matches(value, wanted));
  if (operator === ":") return values.some((value) => has(value, wanted));
  return values.some((value) => inOrder(value, operator, wanted));
}

/** Returns whether a value matches a wanted value; `*` matches any text, as in `name = prod-*`. */
function matches(value: unknown, wanted: string): boolean {
  return fitsStarPattern(wanted, String(value));
}

function has(value: unknown, wanted: string): boolean {
  if (wanted === "*") return true;
  if (typeof value === "object" && value !== null) return Object.hasOwn(value, wanted);
  return String(value).toLowerCase().includes(wanted.toLowerCase().replaceAll("*", ""));
}

function inOrder(value: unknown, operator: string, wanted: string): boolean {
  const [a, b] = [Number(value), Number(wanted)];
  const order = Number.isNaN(a) || Number.isNaN(b) ? compareText(String(value), wanted) : a - b;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
