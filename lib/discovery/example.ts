import { pointerTo } from "../json/pointer";
import type { ValueFinding } from "./codes";
import type { SchemaDocument } from "./document";
import { patternExamples } from "./patterns";
import { resolveReference, type Schemas, schemaType } from "./schemas";
import { validate } from "./validate";

/** Options of an example value. */
export interface ExampleOptions {
  /**
   * Properties in an object: those that a method requires, or all that a caller may set. Each schema appears once on a
   * path.
   *
   * @default "required"
   */
  readonly properties?: "required" | "writable";
  /** Method whose required properties count. @default - every method's */
  readonly methodId?: string;
}

const samples: Readonly<Record<string, string>> = {
  int32: "1",
  uint32: "1",
  int64: "1",
  uint64: "1",
  float: "1",
  double: "1",
  byte: "AA==",
  date: "2026-11-21",
  "date-time": "2026-11-21T00:00:00Z",
  "google-datetime": "2026-11-21T00:00:00Z",
  "google-duration": "1s",
  "google-fieldmask": "name",
};

/** Maximum depth, deeper than any schema nests without recursion. */
const deepest = 40;

/** Maximum number of values: schemas that refer to each other can have too many paths to follow. */
const mostValues = 10_000;

export function makeExample(schema: SchemaDocument, schemas: Schemas, options: ExampleOptions = {}): unknown {
  let valuesLeft = mostValues;
  return make(schema, new Set(), "");

  function make(from: SchemaDocument, above: ReadonlySet<SchemaDocument>, pointer: string): unknown {
    const target = resolveReference(from, schemas);
    if (target === undefined || above.has(target) || above.size > deepest || --valuesLeft < 0) return undefined;
    const inside = new Set([...above, target]);
    const type = schemaType(target);
    if (type === "object") return makeObject(target, inside, pointer);
    if (type === "array") {
      const item = options.properties === "writable" && target.items ? make(target.items, inside, pointer) : undefined;
      return item === undefined ? [] : [item];
    }
    return makeScalar(target, schemas);
  }

  function makeObject(target: SchemaDocument, inside: ReadonlySet<SchemaDocument>, pointer: string): unknown {
    const entries =
      target.format === "google.protobuf.Any" ? [["@type", "type.googleapis.com/google.protobuf.Empty"]] : [];
    for (const [name, property] of Object.entries(target.properties ?? {})) {
      const value = isWanted(property) ? make(property, inside, pointerTo(pointer, name)) : undefined;
      if (value !== undefined) entries.push([name, value as string]);
    }
    return Object.fromEntries(entries);
  }

  function isWanted(property: SchemaDocument): boolean {
    const required = property.annotations?.required ?? [];
    const isRequired = options.methodId === undefined ? required.length > 0 : required.includes(options.methodId);
    return (
      isRequired || (options.properties === "writable" && property.readOnly !== true && property.deprecated !== true)
    );
  }
}

/** Returns the first candidate without findings, otherwise the first without errors. */
function makeScalar(schema: SchemaDocument, schemas: Schemas): unknown {
  const tried = candidatesOf(schema).map((value) => ({ value, findings: validate(schema, value, schemas) }));
  const isAccepted = (findings: readonly ValueFinding[]) => findings.every(({ severity }) => severity !== "error");
  return (tried.find(({ findings }) => findings.length === 0) ?? tried.find(({ findings }) => isAccepted(findings)))
    ?.value;
}

function candidatesOf(schema: SchemaDocument): readonly unknown[] {
  const { type } = schema;
  if (type === "boolean") return schema.enum?.map((text) => text === "true") ?? [true, false];
  if (type !== "integer" && type !== "number" && type !== "string") return [{}];
  const texts = schema.enum === undefined ? textsOf(schema) : currentFirst(schema.enum, schema.enumDeprecated);
  if (type === "string") return texts;
  return texts
    .filter((text) => text !== "")
    .flatMap((text) => (type === "integer" ? wholeNumbers(text) : [Number(text)]));
}

function currentFirst(values: readonly string[], deprecated: readonly boolean[] = []): readonly string[] {
  const isDeprecated = (_: string, at: number) => deprecated[at] === true;
  return [...values.filter((value, at) => !isDeprecated(value, at)), ...values.filter(isDeprecated)].slice(
    0,
    mostCandidates,
  );
}

/** Maximum number of candidates. Enums may have thousands of values; the first valid value is the example. */
const mostCandidates = 50;

function textsOf({ minimum, maximum, pattern, format, type, default: usual }: SchemaDocument): readonly string[] {
  const sample = format === undefined ? undefined : samples[format];
  const any = type === "string" ? ["text", "1", ""] : ["1"];
  const examples = pattern === undefined ? [] : patternExamples(pattern);
  return [minimum, sample, ...examples, ...any, maximum, "0", usual].filter((text) => typeof text === "string");
}

function wholeNumbers(text: string): readonly (number | string)[] {
  const around = [Math.ceil(Number(text)), Math.floor(Number(text))];
  return Number.isSafeInteger(around[0]) ? around : [text];
}
