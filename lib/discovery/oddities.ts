import type { Problem } from "../errors";
import { quote } from "../quote";
import type { CheckedSchemas } from "./checked-schemas";
import type { DescriptionDocument, NameMap, SchemaDocument } from "./document";
import { pointerTo } from "./findings";
import { isKnownFormat } from "./formats";
import { parseSize } from "./media-upload";
import type { Method } from "./method";
import { parsePathTemplate } from "./path-template";
import { patternMatcher } from "./pattern";
import { resolveReference, type Schemas } from "./references";

/** Something in a description that is not as specified, or contradicts itself; everything still works that can. */
export interface Oddity extends Problem {
  /** JSON Pointer into the description; of a method, its id and what follows, as in `dns.changes.list/parameters/sortBy`. */
  readonly pointer: string;
}

/** Looks through a whole description. */
export function findOddities(
  document: DescriptionDocument,
  methods: ReadonlyMap<string, Method>,
  methodCount: number,
  allSchemas: CheckedSchemas,
): readonly Oddity[] {
  const oddities: Oddity[] = [];
  const say = (code: string, pointer: string, message: string) => oddities.push({ code, pointer, message });
  documentOddities(document, say);
  if (methodCount !== methods.size) {
    say("method-id-twice", "", `${methodCount - methods.size} methods have the id of another one and can't be called`);
  }
  const schemas = new Map<string, SchemaDocument>();
  for (const [name, schema] of Object.entries(document.schemas ?? {})) {
    const problems = allSchemas.problemsOf(name);
    for (const { code, message } of problems) say(code, pointerTo("/schemas", name), `${message}; it can't be used`);
    if (problems.length === 0) schemas.set(name, schema);
  }
  for (const [name, schema] of schemas) {
    const pointer = pointerTo("/schemas", name);
    if (schema.id !== undefined && schema.id !== name) {
      say("schema-id", pointer, `the schema is filed under ${quote(name)} and has the id ${quote(schema.id)}`);
    }
    schemaOddities(schema, pointer, schemas, say);
  }
  for (const [name, schema] of Object.entries(document.parameters ?? {})) {
    schemaOddities(schema, pointerTo("/parameters", name), schemas, say);
  }
  const declaredScopes = new Set(Object.keys(document.auth?.oauth2?.scopes ?? {}));
  for (const method of methods.values()) methodOddities(method, document, declaredScopes, schemas, say);
  return oddities;
}

type Say = (code: string, pointer: string, message: string) => void;

const knownLabels = new Set(["limited_availability", "deprecated"]);

function documentOddities(document: DescriptionDocument, say: Say): void {
  const { id, name, version, labels, protocol, rootUrl, servicePath, baseUrl, batchPath, revision } = document;
  if (id !== `${name}:${version}`) {
    say(
      "id",
      "/id",
      `the id is ${id === undefined ? "missing" : quote(id)}; ${quote(`${name}:${version}`)} is specified`,
    );
  }
  if (protocol !== undefined && protocol !== "rest")
    say("protocol", "/protocol", `the protocol ${quote(protocol)} is not 'rest'`);
  for (const label of labels ?? []) {
    if (!knownLabels.has(label)) say("label", "/labels", `the label ${quote(label)} is not specified`);
  }
  if (rootUrl === undefined) say("root-url", "/rootUrl", "there is no rootUrl: requests need an endpoint");
  else if (!rootUrl.endsWith("/")) say("root-url", "/rootUrl", `${quote(rootUrl)} does not end with a slash`);
  if (servicePath !== undefined && servicePath !== "" && (servicePath.startsWith("/") || !servicePath.endsWith("/"))) {
    say("service-path", "/servicePath", `${quote(servicePath)} should end with a slash and not begin with one`);
  }
  if (baseUrl !== undefined && rootUrl !== undefined && baseUrl !== `${rootUrl}${servicePath ?? ""}`) {
    say("base-url", "/baseUrl", `${quote(baseUrl)} is not rootUrl and servicePath; it is deprecated and not used`);
  }
  if (batchPath !== undefined && batchPath !== "batch") {
    say("batch-path", "/batchPath", `${quote(batchPath)} where 'batch' is specified; it is used as it is`);
  }
  if (revision !== undefined && !/^\d{8}$/.test(revision))
    say("revision", "/revision", `${quote(revision)} is no date`);
}

function methodOddities(
  method: Method,
  document: DescriptionDocument,
  scopes: ReadonlySet<string>,
  schemas: Schemas,
  say: Say,
): void {
  const { id, path, parameters, parameterOrder, document: written } = method;
  const template = parsePathTemplate(path);
  if (written.path === undefined || template === undefined) {
    say("path", id, `the path ${quote(path)} can't be filled: only {x} and {+x} are understood`);
  }
  if (written.id === undefined) say("method-id", id, "the method has no id; it is called by its place");
  if (written.httpMethod === undefined) say("http-method", id, "the method has no httpMethod; GET is taken");
  const inPath = new Set(template?.variables.map(({ name }) => name));
  for (const name of inPath) {
    if (!Object.hasOwn(parameters, name))
      say("path-variable", id, `the path's variable ${quote(name)} is no parameter; any text is taken`);
  }
  const required = new Set<string>();
  for (const [name, schema] of Object.entries(parameters)) {
    const pointer = `${id}/parameters/${name}`;
    if (schema.required === true || inPath.has(name)) required.add(name);
    if (schema.location === "path" && !inPath.has(name))
      say("path-parameter", pointer, `${quote(name)} is not in the path; it goes to the query`);
    if (Object.hasOwn(document.parameters ?? {}, name))
      say("parameter-shadows", pointer, `${quote(name)} is a parameter of the API, too; the method's counts`);
    schemaOddities(schema, pointer, schemas, say);
  }
  const order = written.parameterOrder;
  if (order !== undefined && (order.length !== required.size || !order.every((name) => required.has(name)))) {
    say(
      "parameter-order",
      id,
      `parameterOrder is ${quote(parameterOrder.join(", "))}, required are ${quote([...required].join(", "))}`,
    );
  }
  for (const scope of method.scopes) {
    if (!scopes.has(scope)) say("scope-undeclared", id, `the scope ${quote(scope)} is not declared in auth`);
  }
  uploadOddities(method, say);
  for (const side of ["request", "response"] as const) {
    const schema = method[side];
    if (schema !== undefined) schemaOddities(schema, `${id}/${side}`, schemas, say);
  }
}

function uploadOddities({ id, document }: Method, say: Say): void {
  const { mediaUpload, supportsMediaUpload } = document;
  if ((supportsMediaUpload === true) !== (mediaUpload !== undefined)) {
    say("media-upload", id, "supportsMediaUpload and mediaUpload contradict each other; mediaUpload counts");
  }
  const maxSize = mediaUpload?.maxSize;
  if (maxSize === undefined) return;
  if (parseSize(maxSize) === undefined)
    say("max-size", id, `maxSize ${quote(maxSize)} can't be read; no limit is checked`);
  else if (/^\d+$/.test(maxSize)) say("max-size", id, `maxSize ${quote(maxSize)} has no unit; it is taken as bytes`);
}

const knownTypes = new Set(["any", "array", "boolean", "integer", "number", "object", "string"]);
/** A root that has more levels than this has been refused already. */
const deepest = 300;

function schemaOddities(schema: SchemaDocument, pointer: string, schemas: Schemas, say: Say, depth = 0): void {
  if (depth > deepest) return;
  const { type, format, pattern, $ref, properties, items, additionalProperties } = schema;
  if (type !== undefined && !knownTypes.has(type))
    say("type", pointer, `the type ${quote(type)} is unknown; any value is taken`);
  if (format !== undefined && !isKnownFormat(format))
    say("format", pointer, `the format ${quote(format)} is unknown and not checked`);
  if ($ref !== undefined && resolveReference(schema, schemas) === undefined)
    say("reference", pointer, `there is no schema ${quote($ref)}`);
  if (type === "array" && items === undefined)
    say("items", pointer, "the array says nothing of its items; any are taken");
  defaultOddities(schema, pointer, say);
  if (pattern !== undefined && patternMatcher(pattern)("") === undefined) {
    say("pattern", pointer, `the pattern ${quote(pattern)} can't be evaluated and is not checked`);
  }
  for (const list of ["enumDescriptions", "enumDeprecated"] as const) {
    if (schema[list] !== undefined && schema[list]?.length !== schema.enum?.length)
      say("enum", pointer, `${list} is not as long as enum`);
  }
  const children: NameMap<SchemaDocument> = {
    ...(items === undefined ? {} : { items }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
  for (const [name, child] of Object.entries(children))
    schemaOddities(child, pointerTo(pointer, name), schemas, say, depth + 1);
  for (const [name, child] of Object.entries(properties ?? {})) {
    schemaOddities(child, pointerTo(`${pointer}/properties`, name), schemas, say, depth + 1);
  }
}

function defaultOddities(schema: SchemaDocument, pointer: string, say: Say): void {
  const value: unknown = schema.default;
  if (typeof value !== "string") return;
  if (schema.pattern !== undefined && patternMatcher(schema.pattern)(value) === false) {
    say("default", pointer, `the default ${quote(value)} does not match the pattern; it is never sent`);
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    say("default", pointer, `the default ${quote(value)} is not in enum; it is never sent`);
  }
}
