import type { Method, PlacedSchema, Schema } from "./documents";

/**
 * A method in a line: `VERB flatPath = path (parameterOrder; query parameters) request -> response`, the path only
 * where it differs. A query parameter is its name with `!` if required, `[]` if repeated, then type, values, default
 * and bounds where it has any.
 */
export function methodLine(method: Method): string {
  const path = method.path === method.flatPath ? "" : ` = ${method.path}`;
  const query = Object.entries(method.parameters)
    .filter(([, parameter]) => parameter.location === "query")
    .map(([name, parameter]) => parameterText(name, parameter))
    .sort();
  const parameters = [method.parameterOrder.join(", "), ...(query.length === 0 ? [] : [query.join(", ")])].join("; ");
  const request = method.request === undefined ? "" : `${method.request.$ref} `;
  return `${method.httpMethod} ${method.flatPath}${path} (${parameters}) ${request}-> ${method.response?.$ref ?? "nothing"}`;
}

function parameterText(name: string, parameter: Schema): string {
  const { minimum, maximum } = parameter;
  return [
    name,
    parameter.required ? "!" : "",
    parameter.repeated ? "[]" : "",
    parameter.type === "string" && parameter.format === undefined ? "" : `:${scalar(parameter)}`,
    parameter.enum === undefined ? "" : `∈{${parameter.enum.join(",")}}`,
    parameter.default === undefined ? "" : `=${parameter.default}`,
    minimum === undefined && maximum === undefined ? "" : `[${minimum ?? ""}..${maximum ?? ""}]`,
    parameter.deprecated ? "(depr)" : "",
  ].join("");
}

/** A property in a line: type, flags, allowed values. */
export function propertyLine(schema: Schema): string {
  const required = schema.annotations?.required;
  const flags = [
    schema.readOnly ? "readOnly" : "",
    schema.deprecated ? "deprecated" : "",
    schema.default === undefined ? "" : `default ${schema.default}`,
    schema.pattern === undefined ? "" : `pattern ${schema.pattern}`,
    required === undefined ? "" : `required in ${required.join(", ")}`,
  ].filter((flag) => flag !== "");
  const values = schema.enum ?? schema.items?.enum;
  const allowed = values === undefined ? "" : `{${values.join(", ")}}`;
  return [typeText(schema), flags.join(", "), allowed].filter((part) => part !== "").join(" ");
}

/** The type in a word: `→Schema`, `type/format`, `element[]`, `map<string,value>`, `object{members}`. */
function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return `→${schema.$ref}`;
  if (schema.type === "array") return `${typeText(schema.items ?? {})}[]`;
  if (schema.additionalProperties !== undefined) return `map<string,${typeText(schema.additionalProperties)}>`;
  if (schema.properties !== undefined) return `object{${Object.keys(schema.properties).sort().join(", ")}}`;
  return scalar(schema);
}

function scalar({ type, format }: Schema): string {
  return format === undefined ? `${type}` : `${type}/${format}`;
}

/** The inline objects of a schema in the form of the table: one line for each place below it but array elements. */
export function inlineLines(nodes: readonly PlacedSchema[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    nodes.filter(({ at }) => !at.endsWith("[]")).map(({ at, schema }) => [at, propertyLine(schema)]),
  );
}
