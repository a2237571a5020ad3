import type { ApiDescription, DescriptionDocument, Method, Parameter, SchemaDocument } from "../../../discovery";
import { InputError } from "../../../errors";
import type { Fold } from "../../style";
import { safe } from "../../text";
import { formatTable } from "../../text-table";
import { type TreeRow, treeTable } from "../../tree";

/**
 * Formats a schema as a tree of its properties, with the type and the first sentence of the description.
 *
 * @param depth number of levels to expand
 * @param requiredMark returns the mark of a property that the given methods require, or an empty string for no mark
 * @param columns width of the terminal. @default - any width
 */
export function schemaTree(
  api: ApiDescription,
  schema: SchemaDocument,
  depth: number,
  requiredMark: (methodIds: readonly string[]) => string,
  columns?: number,
): string {
  const rows: TreeRow[] = [];
  addProperties(schema, "", depth, []);
  return treeTable(rows, columns);

  function addProperties(from: SchemaDocument, indent: string, levels: number, above: readonly string[]): void {
    const inner = elementOf(api, from);
    const entries = Object.entries(inner?.properties ?? {});
    const id = from.$ref ?? from.items?.$ref ?? from.additionalProperties?.$ref ?? "";
    for (const [index, [name, property]] of entries.entries()) {
      const isLast = index === entries.length - 1;
      rows.push({
        label: `${indent}${isLast ? "└─ " : "├─ "}${safe(name)}`,
        type: describeType(property),
        text: [flags(property, requiredMark), firstSentence(property.description), allowedValues(property)]
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
export function describeType(schema: SchemaDocument): string {
  if (schema.$ref !== undefined) return safe(schema.$ref);
  if (schema.type === "array") return `${describeType(schema.items ?? {})}[]`;
  if (schema.type === "object" && schema.additionalProperties !== undefined)
    return `map of ${describeType(schema.additionalProperties)}`;
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

function flags(schema: SchemaDocument, requiredMark: (methodIds: readonly string[]) => string): string {
  const words = [
    schema.readOnly ? "read-only" : "",
    schema.deprecated ? "deprecated" : "",
    safe(requiredMark(schema.annotations?.required ?? [])),
  ];
  const text = words.filter((word) => word !== "").join(", ");
  return text === "" ? "" : `(${text})`;
}

/** Returns the first sentence on one line, at most 160 characters. */
export function firstSentence(text = ""): string {
  const line = safe(text.replace(/\s+/g, " ").trim());
  const first = /^.*?[.;](?=\s|$)/.exec(line)?.[0] ?? line;
  return first.replace(/;$/, ".").slice(0, 160);
}

/**
 * Returns what applies to every method of an API: tables of common parameters, scopes and endpoints. Empty tables are
 * omitted.
 */
export function apiSections(
  { parameters = {}, auth, endpoints = [] }: DescriptionDocument,
  columns: number | undefined,
): readonly string[] {
  const common = Object.entries(parameters).map(([name, schema]) => [
    name,
    schema.deprecated ? "deprecated" : "",
    describeType(schema),
    [limits(schema), firstSentence(schema.description), allowedValues(schema)].filter((part) => part !== "").join("; "),
  ]);
  const scopes = Object.entries(auth?.oauth2?.scopes ?? {}).map(([scope, { description }]) => [
    scope,
    firstSentence(description),
  ]);
  const places = endpoints.map(({ location = "", endpointUrl = "", deprecated, description }) => [
    location,
    endpointUrl,
    deprecated ? "deprecated" : "",
    firstSentence(description),
  ]);
  return [
    common.length === 0 ? [] : formatTable(["COMMON PARAMETER", "", "TYPE", ""], common, undefined, columns),
    scopes.length === 0 ? [] : formatTable(["SCOPE", ""], scopes, undefined, columns),
    places.length === 0 ? [] : formatTable(["LOCATION", "ENDPOINT", "", ""], places, undefined, columns),
  ].flat();
}

export function mediaText(api: ApiDescription, { id, document }: Method, fold: Fold): string {
  const { mediaUpload, supportsMediaDownload } = document;
  const lines: string[] = [];
  if (mediaUpload !== undefined) {
    const { accept = [], maxSize, protocols = {} } = mediaUpload;
    lines.push(`media upload: ${accept.length === 0 ? "any type" : accept.join(", ")}; ${sizeText(maxSize)}`);
    if (protocols.simple?.path !== undefined) {
      lines.push(`  simple     ${uploadAddress(api, protocols.simple.path, "media")}`);
      if (protocols.simple.multipart !== false)
        lines.push(`  multipart  ${uploadAddress(api, protocols.simple.path, "multipart")}`);
    }
    if (protocols.resumable?.path !== undefined)
      lines.push(`  resumable  ${uploadAddress(api, protocols.resumable.path, "resumable")}`);
    if (lines.length === 1) lines.push(`  ${id} has no path for uploads`);
  }
  if (supportsMediaDownload === true) lines.push("media download: with alt=media");
  return lines.length === 0 ? "" : `\n${lines.map((line) => `${fold(safe(line), 2)}\n`).join("")}`;
}

function uploadAddress({ document }: ApiDescription, path: string, uploadType: string): string {
  const { rootUrl = "" } = document;
  const root = rootUrl === "" || rootUrl.endsWith("/") ? rootUrl : `${rootUrl}/`;
  return `${root}${path.replace(/^\/+/, "")}?uploadType=${uploadType}`;
}

function sizeText(maxSize: string | undefined): string {
  if (maxSize === undefined) return "any size";
  return /^\d+$/.test(maxSize) ? `at most ${maxSize} bytes` : `at most ${maxSize}`;
}

export function limits({ minimum, maximum, pattern, default: usual }: Parameter["schema"]): string {
  const facts = [
    minimum === undefined && maximum === undefined ? "" : `${minimum ?? ""}..${maximum ?? ""}`,
    usual === undefined || usual === "" ? "" : `default ${usual}`,
    pattern === undefined ? "" : `matches ${pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern}`,
  ];
  return safe(facts.filter((part) => part !== "").join("; "));
}

export type ShownParameter = Pick<Parameter, "name" | "schema" | "location" | "required" | "repeated">;

/**
 * Returns the method's own parameters. If the path has an unsupported format, returns them as the description declares
 * them.
 */
export function ownParameters(api: ApiDescription, method: Method): readonly ShownParameter[] {
  try {
    return api.parametersOf(method.id).filter(({ name }) => Object.hasOwn(method.parameters, name));
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== "path-unsupported") throw error;
    return Object.entries(method.parameters).map(([name, schema]) => {
      const inPath = schema.location === "path";
      return {
        name,
        schema,
        location: inPath ? "path" : "query",
        required: inPath || schema.required === true,
        repeated: schema.repeated === true,
      };
    });
  }
}
