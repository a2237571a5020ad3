import { pointerTo } from "../json/pointer";
import { quote } from "../text/quote";
import { type ValueFinding, type ValueFindingCode, valueFinding } from "./codes";
import type { NameMap, SchemaDocument } from "./document";
import { brokenBound, formatCheck, isDecimal, isWholeNumber } from "./formats";
import { ownOf } from "./own-of";
import { patternBudget, patternMatcher } from "./patterns";
import { resolveReference, type Schemas, schemaType } from "./schemas";

/** Options of a validation. */
export interface ValidateOptions {
  /**
   * Kind of the value. A request must not set read-only properties, and must have the properties that its method
   * requires. A response may have fields and enum values that are newer than the description.
   *
   * @default - neither: unknown fields are errors, `readOnly` and `annotations.required` don't count
   */
  readonly as?: "request" | "response";
  /** Id of the method whose `annotations.required` apply. */
  readonly methodId?: string;
}

/** Maximum depth of checked values. The service itself accepts at most 100 levels. */
const deepest = 100;
/** Maximum number of findings: enough to find the mistakes in a value of any size. */
const mostFindings = 200;
/** Maximum number of values. A body of this size has several megabytes; repeated references could be endless. */
const mostValues = 250_000;

/**
 * Validates a value against a schema. Never throws because of the value. Inside an object, null means "not set", as in
 * the JSON form of protocol buffers. Elsewhere, null is valid only if any value is.
 *
 * @throws {@link InputError} `description-malformed` for an invalid schema that the validation needs
 */
export function validate(
  schema: SchemaDocument,
  value: unknown,
  schemas: Schemas,
  options: ValidateOptions = {},
): readonly ValueFinding[] {
  return new Validation(schemas, options).checkAll(schema, value);
}

class Validation {
  readonly #schemas: Schemas;
  readonly #options: ValidateOptions;
  readonly #findings: ValueFinding[] = [];
  readonly #budget = patternBudget();
  #valuesLeft = mostValues;
  /** Current place of the check. `#refusal` is the error of an invalid schema; the value causes every other error. */
  #pointer = "";
  #refusal: unknown;

  constructor(schemas: Schemas, options: ValidateOptions) {
    this.#schemas = schemas;
    this.#options = options;
  }

  checkAll(schema: SchemaDocument, value: unknown): readonly ValueFinding[] {
    try {
      if (this.#isValue(schema, value, "", "it can only stand inside an object, for a field that is not set"))
        this.#check(schema, value, "", 0);
    } catch (error) {
      // Reading a value can fail: it may have getters, be a proxy, or convert itself to text.
      if (error === this.#refusal) throw error;
      this.#say("type", this.#pointer, "can't be read: it fails when it is looked at");
    }
    return this.#findings;
  }

  #check(schema: SchemaDocument, value: unknown, pointer: string, depth: number): void {
    if (this.#findings.length >= mostFindings || this.#isTooMuch(pointer, depth)) return;
    this.#pointer = pointer;
    const target = this.#resolve(schema);
    if (value === null || value === undefined) return;
    if (target === undefined) {
      this.#dangling(schema, pointer);
      return;
    }
    const type = schemaType(target);
    if (type === "object") this.#object(target, value, pointer, depth);
    else if (type === "array") this.#array(target, value, pointer, depth);
    else this.#scalar(target, value, pointer);
  }

  #resolve(schema: SchemaDocument): SchemaDocument | undefined {
    try {
      return resolveReference(schema, this.#schemas);
    } catch (error) {
      this.#refusal = error;
      throw error;
    }
  }

  #isValue(schema: SchemaDocument, value: unknown, pointer: string, why: string): boolean {
    if (value !== null && value !== undefined) return true;
    const target = this.#resolve(schema);
    const type = target && schemaType(target);
    const isAllowed = type === undefined || type === "any" || target?.format === "google.protobuf.Value";
    if (!isAllowed) this.#say("type", pointer, `can't be null: ${why}`);
    return isAllowed;
  }

  #isTooMuch(pointer: string, depth: number): boolean {
    this.#valuesLeft--;
    if (depth > deepest) this.#say("too-deep", pointer, `is nested too deep: at most ${deepest} levels are allowed`);
    if (this.#valuesLeft === -1) this.#say("too-large", pointer, `comes after ${mostValues} others: send less at once`);
    return depth > deepest || this.#valuesLeft < 0;
  }

  #dangling({ $ref = "" }: SchemaDocument, pointer: string): void {
    const why = `can't be checked: its schema ${quote($ref)} is not in the description, or refers to itself`;
    this.#say("reference-dangling", pointer, why, "warning");
  }

  #object(schema: SchemaDocument, value: unknown, pointer: string, depth: number): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.#say("type", pointer, `must be an object, got ${kindOf(value)}`);
      return;
    }
    if (schema.format === "google.protobuf.Any" && typeof ownOf(value as NameMap<unknown>, "@type") !== "string") {
      this.#say("required", pointerTo(pointer, "@type"), "is missing: a value of any type has its type in '@type'");
    }
    const properties = schema.properties ?? {};
    for (const key of Object.keys(value)) {
      if (this.#findings.length >= mostFindings || this.#valuesLeft < 0) return;
      this.#pointer = pointerTo(pointer, key);
      const inner = (value as NameMap<unknown>)[key];
      const declared = ownOf(properties, key);
      if (declared !== undefined) this.#property(declared, inner, pointerTo(pointer, key), depth);
      else this.#undeclared(schema, inner, pointerTo(pointer, key), depth);
    }
    if (this.#options.methodId !== undefined) this.#required(properties, value, pointer, this.#options.methodId);
  }

  #property(schema: SchemaDocument, value: unknown, pointer: string, depth: number): void {
    if (this.#options.as === "request" && value !== undefined && value !== null) {
      if (schema.readOnly === true || this.#resolve(schema)?.readOnly === true)
        this.#say("read-only", pointer, "is set by the service alone and ignored in requests", "warning");
      if (schema.deprecated === true || this.#resolve(schema)?.deprecated === true)
        this.#say("deprecated", pointer, "is deprecated", "warning");
    }
    this.#check(schema, value, pointer, depth + 1);
  }

  #undeclared(schema: SchemaDocument, value: unknown, pointer: string, depth: number): void {
    if (schema.additionalProperties !== undefined) this.#property(schema.additionalProperties, value, pointer, depth);
    // Without declared properties of any kind, an object may have any form.
    if (schema.additionalProperties !== undefined || schema.properties === undefined) return;
    // A request may contain null for any name, known or not, because services ignore it.
    if (value === null && this.#options.as === "request") return;
    const severity = this.#options.as === "response" ? "warning" : "error";
    const known = Object.keys(schema.properties).slice(0, 30).join(", ");
    const declared = known === "" ? "nothing is" : `known are ${known}`;
    this.#say("unknown-property", pointer, `is not declared; ${declared}`, severity);
  }

  #required(properties: NameMap<SchemaDocument>, value: object, pointer: string, methodId: string): void {
    for (const name of requiredOf(properties, methodId)) {
      const given = ownOf(value as NameMap<unknown>, name);
      if (given === undefined || given === null)
        this.#say("required", pointerTo(pointer, name), `is missing: ${methodId} requires it`);
    }
  }

  #array(schema: SchemaDocument, value: unknown, pointer: string, depth: number): void {
    if (!Array.isArray(value)) this.#say("type", pointer, `must be a list, got ${kindOf(value)}`);
    if (!Array.isArray(value) || schema.items === undefined) return;
    for (const [index, item] of value.entries()) {
      if (this.#findings.length >= mostFindings || this.#valuesLeft < 0) return;
      const at = pointerTo(pointer, index);
      if (this.#isValue(schema.items, item, at, "leave it out of the list"))
        this.#property(schema.items, item, at, depth);
    }
  }

  #scalar(schema: SchemaDocument, value: unknown, pointer: string): void {
    const text = scalarText(schema, value);
    if (text === undefined) return;
    if (typeof text !== "string") {
      this.#say("type", pointer, `must be ${text.wanted}, got ${kindOf(value)}`);
      return;
    }
    const formatRule = formatCheck(schema.format)?.(text);
    if (formatRule !== undefined) {
      this.#say("format", pointer, `must be ${formatRule}, got ${quote(text)}`);
      return;
    }
    this.#enumerated(schema, text, pointer);
    this.#matched(schema, text, pointer);
    const broken = brokenBound(text, schema);
    if (broken !== undefined) this.#say(broken.code, pointer, `must be ${broken.rule}, got ${quote(text)}`);
  }

  #enumerated(schema: SchemaDocument, text: string, pointer: string): void {
    if (schema.enum === undefined) return;
    const at = schema.enum.indexOf(text);
    if (at === -1) {
      const severity = this.#options.as === "response" ? "warning" : "error";
      const allowed = schema.enum.slice(0, 30).map(quote).join(", ");
      this.#say("enum", pointer, `must be one of ${allowed}, got ${quote(text)}`, severity);
    } else if (schema.enumDeprecated?.[at] === true && this.#options.as === "request") {
      this.#say("deprecated", pointer, `${quote(text)} is deprecated`, "warning");
    }
  }

  #matched(schema: SchemaDocument, text: string, pointer: string): void {
    if (schema.pattern === undefined) return;
    const matches = patternMatcher(schema.pattern)(text, this.#budget);
    if (matches === false) {
      this.#say("pattern", pointer, `must match ${quote(schema.pattern)} as a whole, got ${quote(text)}`);
    } else if (matches !== true) {
      this.#say("pattern-unchecked", pointer, `could not be checked against ${quote(schema.pattern)}`, "warning");
    }
  }

  #say(code: ValueFindingCode, pointer: string, message: string, severity: ValueFinding["severity"] = "error"): void {
    const where = pointer === "" ? "the value" : quote(pointer);
    this.#findings.push({ ...valueFinding(code, pointer, `${where} ${message}`), severity });
  }
}

/** Returns the text of a scalar, or the rule that the value violates; undefined if any value is valid. */
function scalarText(
  { type, format }: SchemaDocument,
  value: unknown,
): string | { readonly wanted: string } | undefined {
  if (type === undefined || type === "any" || format === "google.protobuf.Value") return undefined;
  if (type === "boolean") return typeof value === "boolean" ? String(value) : { wanted: "true or false" };
  if (type === "integer") {
    // Clients also write whole numbers as text, and services accept them.
    const holds =
      Number.isInteger(value) || typeof value === "bigint" || (typeof value === "string" && isWholeNumber(value));
    return holds ? wholeText(value) : { wanted: "a whole number" };
  }
  if (type === "number") {
    // JSON has no such numbers. Clients write these, and other numbers too, as text.
    const holds =
      Number.isFinite(value) || typeof value === "bigint" || (typeof value === "string" && isDecimal(value));
    return holds ? String(value) : { wanted: "a finite number, or 'NaN', 'Infinity' or '-Infinity' as text" };
  }
  if (type !== "string") return undefined;
  if (typeof value === "string") return value;
  const isLong = format === "int64" || format === "uint64";
  if (isLong && (Number.isSafeInteger(value) || typeof value === "bigint")) return String(value);
  return { wanted: isLong ? "a whole number, as text from 2^53 on" : "a text" };
}

function wholeText(value: unknown): string {
  return typeof value === "number" ? BigInt(value).toString() : String(value);
}

export function requiredProperties(schema: SchemaDocument | undefined, methodId: string): readonly string[] {
  return requiredOf(schema?.properties ?? {}, methodId);
}

function requiredOf(properties: NameMap<SchemaDocument>, methodId: string): readonly string[] {
  return Object.keys(properties).filter((name) => properties[name]?.annotations?.required?.includes(methodId) === true);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? `the text ${quote(value)}` : `${typeof value} ${quote(String(value))}`;
}
