import type { ApiDescription, SchemaDocument } from "../../../discovery";
import { safe } from "../../text";

interface Row {
  readonly label: string;
  readonly type: string;
  readonly text: string;
}

/**
 * Formats a schema as a tree of its properties, one line each, with the type and the first sentence of the description.
 *
 * @param depth number of levels to expand
 * @param tellRequired returns the mark of a property that the given methods require, or an empty string for no mark
 */
export function schemaTree(
  api: ApiDescription,
  schema: SchemaDocument,
  depth: number,
  tellRequired: (methodIds: readonly string[]) => string,
): string {
  const rows: Row[] = [];
  addProperties(schema, "", depth, []);
  const labelWidth = Math.max(0, ...rows.map(({ label }) => label.length));
  const typeWidth = Math.min(40, Math.max(0, ...rows.map(({ type }) => type.length)));
  return rows
    .map(({ label, type, text }) => `${label.padEnd(labelWidth)}  ${type.padEnd(typeWidth)}  ${text}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");

  function addProperties(from: SchemaDocument, indent: string, levels: number, above: readonly string[]): void {
    const inner = elementOf(api, from);
    const entries = Object.entries(inner?.properties ?? {});
    const id = from.$ref ?? from.items?.$ref ?? from.additionalProperties?.$ref ?? "";
    for (const [index, [name, property]] of entries.entries()) {
      const isLast = index === entries.length - 1;
      rows.push({
        label: `${indent}${isLast ? "└─ " : "├─ "}${safe(name)}`,
        type: typeOf(property),
        text: [flags(property, tellRequired), sentence(property.description), allowedValues(property)]
          .filter((part) => part !== "")
          .join(" "),
      });
      const target = refOf(property);
      const repeats = target !== undefined && [...above, id].includes(target);
      if (levels > 1 && !repeats)
        addProperties(property, `${indent}${isLast ? "   " : "│  "}`, levels - 1, [...above, id]);
    }
  }
}

/** Returns the innermost schema of nested lists and maps. */
function elementOf(api: ApiDescription, schema: SchemaDocument): SchemaDocument | undefined {
  let inner = api.resolve(schema);
  for (let steps = 0; steps < 10 && inner !== undefined && inner.properties === undefined; steps++) {
    const next = inner.items ?? inner.additionalProperties;
    if (next === undefined) break;
    inner = api.resolve(next);
  }
  return inner;
}

function refOf(schema: SchemaDocument): string | undefined {
  return (
    schema.$ref ??
    (schema.items && refOf(schema.items)) ??
    (schema.additionalProperties && refOf(schema.additionalProperties))
  );
}

/** Returns the type of a schema in a few words: `string`, `int64`, `Certificate[]`, `map of string`. */
export function typeOf(schema: SchemaDocument): string {
  if (schema.$ref !== undefined) return safe(schema.$ref);
  if (schema.type === "array") return `${typeOf(schema.items ?? {})}[]`;
  if (schema.type === "object" && schema.additionalProperties !== undefined)
    return `map of ${typeOf(schema.additionalProperties)}`;
  if (schema.enum !== undefined)
    return safe(`${schema.enum.slice(0, shortEnum).join("|")}${schema.enum.length > shortEnum ? "|…" : ""}`);
  return safe(schema.format ?? schema.type ?? "any");
}

/** Maximum number of enum values that are shown in place of a type. */
const shortEnum = 4;

/**
 * Lists every value of an enum if the type shows only the first values, or if some values are deprecated; otherwise
 * returns an empty string.
 */
export function allowedValues({ enum: values = [], enumDeprecated = [] }: SchemaDocument): string {
  if (values.length <= shortEnum && !enumDeprecated.includes(true)) return "";
  const listed = values.map((value, at) => (enumDeprecated[at] === true ? `${value} (deprecated)` : value));
  return safe(`one of ${listed.join(", ")}`);
}

function flags(schema: SchemaDocument, tellRequired: (methodIds: readonly string[]) => string): string {
  const words = [
    schema.readOnly ? "read-only" : "",
    schema.deprecated ? "deprecated" : "",
    safe(tellRequired(schema.annotations?.required ?? [])),
  ];
  const text = words.filter((word) => word !== "").join(", ");
  return text === "" ? "" : `(${text})`;
}

/** Returns the first sentence on one line, at most 160 characters. */
export function sentence(text = ""): string {
  const line = safe(text.replace(/\s+/g, " ").trim());
  const first = /^.*?[.;](?=\s|$)/.exec(line)?.[0] ?? line;
  return first.replace(/;$/, ".").slice(0, 160);
}
