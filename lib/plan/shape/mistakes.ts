import type { ErrorObject, ValidateFunction } from "ajv";
import { BugError, type Problem } from "../../errors";
import { isFields } from "../../json/fields";
import { pointerTo, stepsOf } from "../../json/pointer";
import { quote } from "../../text/quote";
import { pathOf } from "../document/problem";
import type { CheckCode } from "../findings";
import { acceptedForms, type ReferenceForm, referenceIn, textPattern } from "./reference";
import { nearestCandidate } from "./suggest";

/** A difference between data and the description of a spec. */
export interface ShapeMistake {
  /** JSON pointer to the value, or to the value that lacks a property. */
  readonly pointer: string;
  /** Whether the mistake is in a key instead of a value. */
  readonly inKey: boolean;
  /** Name of the missing property. */
  readonly missing?: string;
  readonly explain: () => Problem & { readonly code: CheckCode };
}

/**
 * Returns the reference that a token of the kit stands for, for example `var.zone`; undefined for any other value.
 * Only specs from props contain tokens. In data, text in the form of a token is refused.
 */
export type TokenReader = (value: unknown) => string | undefined;

/** The part of the published schema from which messages are created. */
interface Schema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A description of data: a JSON schema that `docs/generate` writes from interfaces, and what the data is called. */
export interface Description {
  /** Reads the schema; called once, on first use. */
  readonly readSchema: () => object;
  /** Names the data as a whole in messages, for example `the migration`. */
  readonly subject: string;
}

/** The description of a {@link MigrationSpec}. */
const migrationDescription: Description = {
  readSchema: () => require("../migration.schema.json") as object,
  subject: "the migration",
};

const compiled = new Map<Description, ValidateFunction>();

/**
 * Returns the compiled schema. It is compiled on first use, because compiling takes longer than reading a small
 * document.
 */
function validatorOf(description: Description): ValidateFunction {
  const known = compiled.get(description);
  if (known !== undefined) return known;
  const { Ajv } = require("ajv") as typeof import("ajv");
  // The schemas are valid, as tests show; to check and optimize them would double the time.
  const fast = { strict: false, validateSchema: false, meta: false, inlineRefs: false, code: { optimize: false } };
  const options = { ...fast, strictNumbers: true, allErrors: true, verbose: true, messages: false };
  const validate = new Ajv(options).compile(description.readSchema());
  compiled.set(description, validate);
  return validate;
}

/**
 * Compares data with its description: types, allowed words, ranges, unknown and missing properties, and where
 * references are allowed. Returns all mistakes, each with a message and a remedy; empty if the data fits.
 *
 * @param description @default - the description of a migration spec
 */
export function shapeMistakes(
  data: unknown,
  readToken?: TokenReader,
  description: Description = migrationDescription,
): readonly ShapeMistake[] {
  const validate = validatorOf(description);
  if (validate(withMarkedTokens(data, readToken))) return [];
  // Two branches of a schema may find the same mistake. The key is the mistake, so that it is reported once.
  const mistakes = new Map<string, ShapeMistake>();
  for (const error of validate.errors ?? []) {
    // `if` only reports that the branch below it failed; that branch reports the reason.
    if (error.keyword === "if") continue;
    const unknown = error.keyword === "additionalProperties";
    const missing: unknown = error.params.missingProperty;
    const pointer = unknown ? pointerTo(error.instancePath, unknownIn(error)) : error.instancePath;
    mistakes.set(`${error.keyword} ${missing ?? ""} ${pointer}`, {
      pointer,
      inKey: unknown || missing !== undefined,
      ...(typeof missing === "string" ? { missing } : {}),
      explain: () => explain({ ...error, data: valueAt(data, error.instancePath) }, description.subject, readToken),
    });
  }
  return [...mistakes.values()];
}

const tokenMark = Symbol("token");
/** Stands for a `Map`, a `Date` or another object whose content is not in its properties. */
const opaqueMark = Symbol("opaque");
/** More levels than a spec has. */
const deepest = 16;
const tokenPattern = /[$#&]\{TfToken\[[^\]]*\]\}/g;

/**
 * Returns data in which each text with a token of the kit is a plain reference, so that the patterns of the schema
 * apply. Tokens may be beside other text, because the app itself wrote them. Without a reader, the text becomes an
 * expression, which no field accepts.
 */
function withMarkedTokens(data: unknown, readToken: TokenReader | undefined, depth = 0): unknown {
  // The description has no value at such a depth, so that what is there has the wrong type anyway.
  if (depth > deepest) return data;
  if (typeof data === "string") {
    if (!data.includes("TfToken[")) return data;
    const rest = data.replace(tokenPattern, "");
    return readToken !== undefined && !/[$%]\{/.test(rest) ? "${var.token}" : "${TfToken}";
  }
  // No type accepts a symbol.
  if (readToken?.(data) !== undefined) return tokenMark;
  if (Array.isArray(data)) return mapped(data, (item) => withMarkedTokens(item, readToken, depth + 1));
  if (!isFields(data)) return data;
  // As a mapping, such an object would be empty.
  if (isOpaque(data)) return opaqueMark;
  if (!isPlain(data)) return data;
  const entries = Object.entries(data);
  const marked = entries.map(([key, value]) => [key, withMarkedTokens(value, readToken, depth + 1)] as const);
  return marked.some(([, value], index) => value !== entries[index]?.[1]) ? Object.fromEntries(marked) : data;
}

/** Returns the mapped list, or the list itself if no item changed. */
function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}

/** Returns whether an object is of a class of the language, for example `Map`, `Set`, `Date` or `String`. */
export function isOpaque(value: object): boolean {
  return kindOf(value) !== "Object";
}

function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** Returns whether an object has no class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype as object) === null;
}

function valueAt(data: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce((value, step) => (value as Readonly<Record<string, unknown>>)[step], data);
}

function explain(error: ErrorObject, whole: string, readToken?: TokenReader): ReturnType<ShapeMistake["explain"]> {
  const { instancePath: at, data, params } = error;
  const schema = error.parentSchema as Schema;
  const problem = (code: CheckCode, message: string) => ({ code, message });
  const token = readToken?.(data);
  if (token !== undefined && error.keyword !== "pattern") {
    return problem(
      "reference-not-allowed",
      `${subject(at, whole)} is the reference ${quote(token)}: ${literalRemedy(error)}`,
    );
  }
  switch (error.keyword) {
    case "additionalProperties": {
      const allowed = Object.keys(schema.properties ?? {});
      return problem("property-unknown", unknownProperty(at, unknownIn(error), allowed, whole));
    }
    case "required": {
      const name = String(params.missingProperty);
      const remedy = meaning(schema.properties?.[name]?.description);
      return problem("property-missing", `${subject(at, whole)} lacks '${name}': ${remedy}`);
    }
    case "type":
      return problem("value-wrong-type", `${subject(at, whole)} is ${described(data)}: ${expected(error)}`);
    case "const":
      return problem(
        "value-not-allowed",
        notAllowed(subject(at, whole), data, [params.allowedValue], schema.description),
      );
    case "enum":
      return problem("value-not-allowed", notAllowed(subject(at, whole), data, params.allowedValues));
    case "minimum":
    case "maximum":
      return problem(
        "value-out-of-range",
        `${subject(at, whole)} is ${String(data)}: use a whole number from ${schema.minimum} to ${schema.maximum}`,
      );
    case "minItems":
      return problem("list-empty", `${subject(at, whole)} is an empty list: give at least one item`);
    case "pattern":
      return textProblem(subject(at, whole), String(data), String(params.pattern), token);
    default:
      throw new BugError(`the schema's rule '${error.keyword}' has no message`);
  }
}

/** Returns what to write in place of a reference, by the rule that the reference breaks. */
function literalRemedy({ keyword, params }: ErrorObject): string {
  const words = keyword === "enum" ? (params.allowedValues as readonly unknown[]) : [params.allowedValue];
  const listed = words.filter((word) => typeof word === "string").map((word) => `'${word}'`);
  return listed.length > 0 ? `use ${listed.join(" or ")}` : "the value must be known before Terraform runs";
}

/** The combinations of forms in the schema, by their patterns. */
const formsByPattern = new Map<string, readonly ReferenceForm[]>(
  ([[], ["id"], ["variables"], ["whole"], ["id", "variables"]] as const).map((forms) => [textPattern(forms), forms]),
);

/** Explains a text with a reference, an expression or a directive that its field does not accept. */
function textProblem(
  subject: string,
  text: string,
  pattern: string,
  token?: string,
): ReturnType<ShapeMistake["explain"]> {
  const forms = formsByPattern.get(pattern) ?? [];
  const accepted = forms.map((form) => acceptedForms[form]).join(", or ");
  const part = token === undefined ? (/[$%]+\{[^}]*\}?/.exec(text)?.[0] ?? text) : `\${${token}}`;
  const reference = token ?? referenceIn(part);
  if (reference !== undefined) {
    const where = part === text || token !== undefined ? "is" : "contains";
    const remedy = accepted === "" ? "the value must be known before Terraform runs" : `use ${accepted}`;
    const message = `${subject} ${where} the reference ${quote(reference)}: ${remedy}`;
    return { code: "reference-not-allowed", message };
  }
  const sign = part.replace(/\{.*$/s, "").slice(-1);
  const escaped = `write '${sign}${sign}{' for the characters '${sign}{'`;
  const remedy = accepted === "" ? escaped : `use ${accepted}${forms.includes("whole") ? `, or ${escaped}` : ""}`;
  return {
    code: "expression-not-allowed",
    message: `${subject} contains ${quote(part)}, which Terraform would evaluate: ${remedy}`,
  };
}

function unknownIn(error: ErrorObject): string {
  return String(error.params.additionalProperty);
}

function unknownProperty(at: string, name: string, allowed: readonly string[], whole: string): string {
  const likely = nearestCandidate(name, allowed);
  const where = at === "" ? `of ${whole}` : `in ${quote(pathOf(at))}`;
  const remedy =
    likely === undefined ? `allowed here: ${allowed.map((key) => `'${key}'`).join(", ")}` : `did you mean '${likely}'?`;
  return `unknown property ${quote(name)} ${where}: ${remedy}`;
}

/** @param otherwise allowed values besides the listed words, for example "or a list" */
function notAllowed(subject: string, data: unknown, allowed: readonly unknown[], otherwise?: string): string {
  const words = allowed.filter((word): word is string => typeof word === "string");
  const likely = typeof data === "string" ? nearestCandidate(data, words) : undefined;
  const list = [...allowed.map((word) => (typeof word === "string" ? `'${word}'` : String(word))), otherwise ?? []]
    .flat()
    .join(" or ");
  return `${subject} is ${described(data)}: use ${list}${likely === undefined || allowed.length === 1 ? "" : `; did you mean '${likely}'?`}`;
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
  if (typeof data === "object") return isOpaque(data) ? `an object of the class ${kindOf(data)}` : "a mapping";
  if (typeof data === "string") return `the text ${quote(data)}`;
  if (typeof data === "number") return `the number ${data}`;
  if (typeof data === "function") return "a function";
  return String(data);
}

/** Returns the first sentence of a property's description, as the second half of a message. */
function meaning(description = "it must be given"): string {
  const sentence = /^.*?(?=[.;](?:\s|$)|$)/.exec(description)?.[0] ?? description;
  return /^[A-Z][a-z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

function subject(at: string, whole: string): string {
  return at === "" ? whole : quote(pathOf(at));
}
