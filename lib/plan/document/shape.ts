import type { ErrorObject, ValidateFunction } from "ajv";
import { BugError, type Problem } from "../../errors";
import { pointerTo } from "../../json/pointer";
import { quote } from "../../text/quote";
import { pathOf } from "./problem";
import { suggest } from "./suggest";

/** A difference between data and the schema of a spec. */
export interface ShapeMistake {
  /** JSON pointer to the value, or to the place of a missing value. */
  readonly pointer: string;
  /** Whether the mistake is in a key instead of a value. */
  readonly inKey: boolean;
  readonly explain: () => Problem;
}

/** The part of the published schema from which messages are created. */
interface Schema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

let compiled: ValidateFunction | undefined;

/**
 * Returns the compiled schema. It is compiled on first use, because compiling takes longer than reading a small
 * document.
 */
function validator(): ValidateFunction {
  if (compiled === undefined) {
    const { Ajv } = require("ajv") as typeof import("ajv");
    const schema = require("../migration.schema.json") as object;
    const options = { allErrors: true, verbose: true, messages: false, strictTypes: false, ownProperties: true };
    compiled = new Ajv(options).compile(schema);
  }
  return compiled;
}

/**
 * Checks data against the published schema. Returns all mistakes, each with this project's own message and remedy;
 * empty if the data is a spec.
 */
export function shapeMistakes(data: unknown): readonly ShapeMistake[] {
  const validate = validator();
  if (validate(data)) return [];
  // Two branches of a schema may find the same mistake. The key is the mistake, so that it is reported once.
  const mistakes = new Map<string, ShapeMistake>();
  for (const error of validate.errors ?? []) {
    // `if` only reports that the branch below it failed; that branch reports the reason.
    if (error.keyword === "if") continue;
    const unknown = error.keyword === "additionalProperties";
    const pointer = unknown ? pointerTo(error.instancePath, unknownIn(error)) : error.instancePath;
    mistakes.set(`${error.keyword} ${error.params.missingProperty ?? ""} ${pointer}`, {
      pointer,
      inKey: unknown || error.keyword === "required",
      explain: () => explain(error),
    });
  }
  return [...mistakes.values()];
}

function explain(error: ErrorObject): Problem {
  const { instancePath: at, data, params } = error;
  const schema = error.parentSchema as Schema;
  const problem = (code: Problem["code"], message: string): Problem => ({ code, message });
  switch (error.keyword) {
    case "additionalProperties": {
      const allowed = Object.keys(schema.properties ?? {});
      return problem("document-unknown-property", unknownProperty(at, unknownIn(error), allowed));
    }
    case "required": {
      const name = String(params.missingProperty);
      const remedy = meaning(schema.properties?.[name]?.description);
      return problem("document-missing-property", `${subject(at)} lacks '${name}': ${remedy}`);
    }
    case "type":
      return problem("document-wrong-type", `${subject(at)} is ${described(data)}: ${expected(error)}`);
    case "const":
      return problem("document-value-not-allowed", notAllowed(at, data, [params.allowedValue], schema.description));
    case "enum":
      return problem("document-value-not-allowed", notAllowed(at, data, params.allowedValues));
    case "minimum":
    case "maximum":
      return problem(
        "document-out-of-range",
        `${subject(at)} is ${String(data)}: use a whole number from ${schema.minimum} to ${schema.maximum}`,
      );
    case "minItems":
      return problem("document-empty-list", `${subject(at)} is an empty list: give at least one item`);
    default:
      throw new BugError(`the schema's rule '${error.keyword}' has no message`);
  }
}

function unknownIn(error: ErrorObject): string {
  return String(error.params.additionalProperty);
}

function unknownProperty(at: string, name: string, allowed: readonly string[]): string {
  const likely = suggest(name, allowed);
  const where = at === "" ? "in the document" : `in ${quote(pathOf(at))}`;
  const remedy =
    likely === undefined ? `allowed here: ${allowed.map((key) => `'${key}'`).join(", ")}` : `did you mean '${likely}'?`;
  return `unknown property ${quote(name)} ${where}: ${remedy}`;
}

/** @param otherwise allowed values besides the listed words, for example "or a list" */
function notAllowed(at: string, data: unknown, allowed: readonly unknown[], otherwise?: string): string {
  const words = allowed.filter((word): word is string => typeof word === "string");
  const likely = typeof data === "string" ? suggest(data, words) : undefined;
  const list = [...allowed.map((word) => (typeof word === "string" ? `'${word}'` : String(word))), otherwise ?? []]
    .flat()
    .join(" or ");
  return `${subject(at)} is ${described(data)}: use ${list}${likely === undefined || allowed.length === 1 ? "" : `; did you mean '${likely}'?`}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  null: "null",
};

/** Describes the allowed values, with an example where mistakes are common. */
function expected({ params, data }: ErrorObject): string {
  const types: readonly string[] = [params.type].flat();
  const kinds = `write ${types.map((type) => KINDS[type] ?? type).join(" or ")}`;
  if (types.includes("string") && (typeof data === "number" || typeof data === "boolean")) {
    return `${kinds}, in quotes`;
  }
  if (types.includes("boolean") && typeof data === "string") return `${kinds}, without quotes`;
  if (types.includes("integer") && typeof data === "string" && /^\d+$/.test(data)) return `${kinds}, without quotes`;
  if (types.includes("array") && typeof data === "string" && /^[\w.*:/-]{1,60}$/.test(data)) {
    return `${kinds}, as in ["${data}"]`;
  }
  return kinds;
}

function described(data: unknown): string {
  if (data === null) return "empty";
  if (Array.isArray(data)) return "a list";
  if (typeof data === "object") return "a mapping";
  if (typeof data === "string") return `the text ${quote(data)}`;
  if (typeof data === "number") return `the number ${data}`;
  return String(data);
}

/** Returns the first sentence of a property's description, as the second half of a message. */
function meaning(description = "it must be given"): string {
  const sentence = /^.*?(?=[.;](?:\s|$)|$)/.exec(description)?.[0] ?? description;
  return /^[A-Z][a-z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

function subject(at: string): string {
  return at === "" ? "the document" : quote(pathOf(at));
}
