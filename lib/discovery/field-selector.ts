import { InputError } from "../errors";
import type { SchemaDocument } from "./document";
import { ownOf } from "./own-of";

interface Resolving {
  readonly resolve: (schema: SchemaDocument) => SchemaDocument | undefined;
}

/** The selected part of a value: all of it, or some of its fields. */
type Selection = "all" | ReadonlyMap<string, Selection>;

const longest = 5_000;
const deepest = 50;

/**
 * Reads a `fields` parameter, for example `nextPageToken,items(name,managed/state)`. A dot and a slash are equivalent,
 * and `*` selects every field.
 *
 * @param schema schema of the response; undefined if the method returns nothing
 * @returns a function that selects the fields of a response; in lists, the fields of each item
 * @throws {@link InputError} `fields-invalid` for a selector that cannot be parsed, or for a field that no response has
 */
export function readFieldSelector(
  fields: string,
  description: Resolving,
  schema: SchemaDocument | undefined,
): <T>(answer: T) => T {
  if (fields.length > longest) throw bad(`it is longer than ${longest} characters`);
  const selection = readSelection(fields);
  if (schema !== undefined) checkSelection(selection, schema, description, "");
  return <T>(answer: T) => pick(answer, selection) as T;
}

/** Returns whether a `fields` parameter selects a top-level field; undefined if the parameter can't be parsed. */
export function selectsField(fields: string, name: string): boolean | undefined {
  try {
    const selection = readSelection(fields);
    return selection === "all" || selection.get(name) === "all" || selection.get("*") === "all";
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function readSelection(fields: string): Selection {
  return new SelectorReader(fields.match(/[^,/.()\s]+|[,/.()]/g) ?? []).read();
}

function bad(why: string): InputError {
  return new InputError("fields-invalid", `can't be read: ${why}`);
}

class SelectorReader {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  read(): Selection {
    const selection = this.#list();
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw bad(`'${rest}' is not expected`);
    return selection;
  }

  #list(): Selection {
    if (++this.#depth > deepest) throw bad(`nested more than ${deepest} levels deep`);
    const selected = new Map<string, Selection>();
    do {
      const name = this.#name();
      selected.set(name, merge(selected.get(name), this.#below()));
    } while (this.#take(","));
    this.#depth--;
    return selected;
  }

  /** Parses the part after a name: a field in it, several fields, or nothing, which selects all of it. */
  #below(): Selection {
    if (this.#take("/") || this.#take(".")) {
      if (++this.#depth > deepest) throw bad(`nested more than ${deepest} levels deep`);
      const path = new Map([[this.#name(), this.#below()]]);
      this.#depth--;
      return path;
    }
    if (!this.#take("(")) return "all";
    const selection = this.#list();
    if (!this.#take(")")) throw bad("a bracket is not closed");
    return selection;
  }

  #name(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw bad("a field is expected at the end");
    if (/^[,/.()]$/.test(token)) throw bad(`a field is expected, not '${token}'`);
    return token;
  }

  #take(text: string): boolean {
    if (this.#tokens[this.#at] !== text) return false;
    this.#at++;
    return true;
  }
}

function merge(a: Selection | undefined, b: Selection): Selection {
  if (a === undefined) return b;
  if (a === "all" || b === "all") return "all";
  const both = new Map(a);
  for (const [name, selection] of b) both.set(name, merge(both.get(name), selection));
  return both;
}

function checkSelection(selection: Selection, schema: SchemaDocument, description: Resolving, place: string): void {
  let target = description.resolve(schema);
  while (target?.type === "array") target = description.resolve(target.items ?? {});
  if (selection === "all" || target === undefined || target.type === "any") return;
  for (const [name, inner] of selection) {
    const path = place === "" ? name : `${place}/${name}`;
    for (const field of fieldsNamed(name, target, path)) checkSelection(inner, field, description, path);
  }
}

function fieldsNamed(name: string, target: SchemaDocument, path: string): readonly SchemaDocument[] {
  const { properties = {}, additionalProperties } = target;
  if (name === "*") return additionalProperties === undefined ? [] : [additionalProperties];
  const schema = ownOf(properties, name) ?? additionalProperties;
  if (schema !== undefined) return [schema];
  throw new InputError("fields-invalid", `Invalid field selection ${path.slice(0, 200)}`);
}

function pick(value: unknown, selection: Selection): unknown {
  if (selection === "all" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, selection));
  const every = selection.get("*");
  const picked = Object.entries(value).flatMap(([name, inner]) => {
    const selected = selection.get(name);
    const wanted = selected === undefined || every === undefined ? (selected ?? every) : merge(selected, every);
    return wanted === undefined ? [] : [[name, pick(inner, wanted)] as const];
  });
  return Object.fromEntries(picked);
}
