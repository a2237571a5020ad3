import { brokenBound } from "./bounds";
import type { SchemaDocument } from "./document";
import { pointerTo } from "./findings";
import { patternExample } from "./pattern-example";
import { resolveReference, type Schemas } from "./references";

export interface ExampleOptions {
  /**
   * Which properties an object gets: those that some method requires, or all that a caller may set, each schema once on the way down.
   *
   * @default "required"
   */
  readonly properties?: "required" | "writable";
  /** Only what this method requires counts. @default - every method's */
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

/** Deeper than any schema nests without repeating itself. */
const deepest = 40;

/** Values of an example; schemas that refer to each other lead to more ways down than can be gone. */
const mostValues = 10_000;

/** A small value that is valid by a schema. */
export function makeExample(schema: SchemaDocument, schemas: Schemas, options: ExampleOptions = {}): unknown {
  let valuesLeft = mostValues;
  return make(schema, new Set(), "");

  function make(from: SchemaDocument, above: ReadonlySet<SchemaDocument>, pointer: string): unknown {
    const target = resolveReference(from, schemas);
    if (target === undefined || above.has(target) || above.size > deepest || --valuesLeft < 0) return undefined;
    const inside = new Set([...above, target]);
    if (target.type === "object") return makeObject(target, inside, pointer);
    if (target.type === "array") {
      const item = options.properties === "writable" && target.items ? make(target.items, inside, pointer) : undefined;
      return item === undefined ? [] : [item];
    }
    return makeScalar(target);
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

function makeScalar(schema: SchemaDocument): unknown {
  if (schema.type === "boolean") return true;
  if (schema.type === undefined || schema.type === "any") return {};
  const text = sampleText(schema);
  return schema.type === "integer" || schema.type === "number" ? Number(text) : text;
}

function sampleText(schema: SchemaDocument): string {
  const { enum: allowed, enumDeprecated, pattern, minimum, maximum, format, type } = schema;
  if (allowed !== undefined) return allowed.find((_, at) => enumDeprecated?.[at] !== true) ?? allowed[0] ?? "";
  if (minimum !== undefined) return minimum;
  if (pattern !== undefined) return patternExample(pattern) ?? "";
  const sample = format === undefined ? undefined : samples[format];
  const text = sample ?? (type === "string" ? "text" : "1");
  return maximum !== undefined && brokenBound(text, { maximum }) !== undefined ? maximum : text;
}
