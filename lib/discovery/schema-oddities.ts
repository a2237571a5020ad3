import type { Code } from "../findings/codes";
import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import { quote } from "../text/quote";
import type { SchemaDocument } from "./document";
import { brokenBound, isDecimal, isKnownFormat } from "./formats";
import { patternMatcher } from "./patterns";
import { resolveReference, type Schemas } from "./schemas";

export type ReportOddity = (code: Code, pointer: string, message: string) => void;

const knownTypes = new Set(["any", "array", "boolean", "integer", "number", "object", "string"]);
/** Maximum depth of a root schema. A deeper root has already been refused. */
const deepest = 300;

export interface Around {
  readonly schemas: Schemas;
  readonly methodIds: { readonly has: (id: string) => boolean };
}

export function schemaOddities(
  schema: SchemaDocument,
  pointer: string,
  around: Around,
  say: ReportOddity,
  depth = 0,
): void {
  if (depth > deepest) return;
  const { schemas, methodIds } = around;
  const { type, format, pattern, $ref, properties, items, additionalProperties } = schema;
  if (type !== undefined && !knownTypes.has(type))
    say("type", pointer, `the type ${quote(type)} is unknown; any value is taken`);
  if (format !== undefined && !isKnownFormat(format))
    say("format", pointer, `the format ${quote(format)} is unknown and not checked`);
  if ($ref !== undefined && resolveReference(schema, schemas) === undefined)
    say("reference", pointer, `the schema ${quote($ref)} does not exist`);
  if (type === "array" && items === undefined)
    say("items", pointer, "the array does not describe its items; any items are accepted");
  for (const id of schema.annotations?.required ?? []) {
    if (!methodIds.has(id))
      say("required-method", pointer, `it is required by ${quote(id)}, a method that does not exist`);
  }
  const bounds = readableBounds(schema, pointer, say);
  defaultOddities(schema, bounds, pointer, say);
  if (pattern !== undefined && patternMatcher(pattern)("") === undefined) {
    say("pattern", pointer, `the pattern ${quote(pattern)} can't be evaluated and is not checked`);
  }
  for (const list of ["enumDescriptions", "enumDeprecated"] as const) {
    if (schema[list] !== undefined && schema[list]?.length !== schema.enum?.length)
      say("enum", pointer, `${list} is not as long as enum`);
  }
  for (const [name, child] of Object.entries(defined({ items, additionalProperties })))
    schemaOddities(child, pointerTo(pointer, name), around, say, depth + 1);
  for (const [name, child] of Object.entries(properties ?? {})) {
    schemaOddities(child, pointerTo(`${pointer}/properties`, name), around, say, depth + 1);
  }
}

type Bounds = Parameters<typeof brokenBound>[1];

function readableBounds(schema: SchemaDocument, pointer: string, say: ReportOddity): Bounds {
  const bounds: { minimum?: string; maximum?: string } = {};
  for (const side of ["minimum", "maximum"] as const) {
    const bound = schema[side];
    if (bound === undefined) continue;
    if (isDecimal(bound)) bounds[side] = bound;
    else say("bound", pointer, `the ${side} ${quote(bound)} is not a number`);
  }
  const { minimum, maximum } = bounds;
  if (minimum !== undefined && maximum !== undefined && brokenBound(minimum, { maximum }) !== undefined)
    say("bound", pointer, `the minimum ${quote(minimum)} is above the maximum ${quote(maximum)}; no value is allowed`);
  return bounds;
}

function defaultOddities(schema: SchemaDocument, bounds: Bounds, pointer: string, say: ReportOddity): void {
  const value: unknown = schema.default;
  if (typeof value !== "string") return;
  if (schema.pattern !== undefined && patternMatcher(schema.pattern)(value) === false) {
    say("default", pointer, `the default ${quote(value)} does not match the pattern; it is never sent`);
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    say("default", pointer, `the default ${quote(value)} is not in enum; it is never sent`);
  }
  const broken = isDecimal(value) ? brokenBound(value, bounds) : undefined;
  if (broken !== undefined)
    say("default", pointer, `the default ${quote(value)} is not ${broken.rule}; it is never sent`);
}
