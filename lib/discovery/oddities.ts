import type { Problem } from "../errors";
import type { Code } from "../findings/codes";
import { pointerTo } from "../json/pointer";
import { quote } from "../text/quote";
import type { DescriptionDocument, SchemaDocument } from "./document";
import type { Method } from "./method";
import { ownOf } from "./own-of";
import {
  encodeLiteral,
  isBindable,
  isFlatPathOf,
  mostVariablesInSegment,
  type PathTemplate,
  parsePathTemplate,
  pathBelowRoot,
  type Router,
  rootAddress,
  servicePathOf,
} from "./paths";
import { patternSamples } from "./patterns";
import { isApiVersion, isHttpMethod, parseSize } from "./requests";
import { type Around, type ReportOddity as Say, schemaOddities } from "./schema-oddities";
import type { CheckedSchemas } from "./schemas";

/** A part of a description that deviates from the specification, or contradicts itself. All other parts stay usable. */
export interface Oddity extends Problem {
  /**
   * JSON Pointer into the description. For a method, its id and the rest of the path, for example
   * `dns.changes.list/parameters/sortBy`.
   */
  readonly pointer: string;
}

export function findOddities(
  document: DescriptionDocument,
  methods: ReadonlyMap<string, Method>,
  methodCount: number,
  allSchemas: CheckedSchemas,
): readonly Oddity[] {
  const oddities: Oddity[] = [];
  const say = (code: Code, pointer: string, message: string) => oddities.push({ code, pointer, message });
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
  const around = { schemas, methodIds: methods };
  for (const [name, schema] of schemas) {
    const pointer = pointerTo("/schemas", name);
    if (schema.id !== undefined && schema.id !== name) {
      say("schema-id", pointer, `the schema is filed under ${quote(name)} and has the id ${quote(schema.id)}`);
    }
    schemaOddities(schema, pointer, around, say);
  }
  for (const [name, schema] of Object.entries(document.parameters ?? {})) {
    locationOddities(name, schema, pointerTo("/parameters", name), say);
    schemaOddities(schema, pointerTo("/parameters", name), around, say);
  }
  const declaredScopes = new Set(Object.keys(document.auth?.oauth2?.scopes ?? {}));
  for (const method of methods.values()) methodOddities(method, document, declaredScopes, around, say);
  sameAddresses(methods.values(), say);
  return oddities;
}

const knownLabels = new Set(["limited_availability", "deprecated"]);

function documentOddities(document: DescriptionDocument, say: Say): void {
  const { id, name, version, labels, protocol, discoveryVersion, rootUrl, servicePath, baseUrl, batchPath, revision } =
    document;
  if (id !== `${name}:${version}`) {
    const found = id === undefined ? "missing" : quote(id);
    say("id", "/id", `the id is ${found}; ${quote(`${name}:${version}`)} is specified`);
  }
  if (discoveryVersion !== undefined && discoveryVersion !== "v1")
    say("discovery-version", "/discoveryVersion", `the discoveryVersion ${quote(discoveryVersion)} is not 'v1'`);
  if (protocol !== undefined && protocol !== "rest")
    say("protocol", "/protocol", `the protocol ${quote(protocol)} is not 'rest'`);
  for (const label of labels ?? []) {
    if (!knownLabels.has(label)) say("label", "/labels", `the label ${quote(label)} is not specified`);
  }
  if (rootUrl === undefined && baseUrl === undefined)
    say("root-url", "/rootUrl", "rootUrl is missing: requests need an endpoint");
  else if (rootUrl !== undefined && !rootUrl.endsWith("/"))
    say("root-url", "/rootUrl", `${quote(rootUrl)} does not end with a slash`);
  if (servicePath !== undefined && servicePath !== "" && (servicePath.startsWith("/") || !servicePath.endsWith("/"))) {
    say("service-path", "/servicePath", `${quote(servicePath)} should end with a slash and not begin with one`);
  }
  // Without a servicePath, the path of a baseUrl below rootUrl is used.
  const isUsed = servicePath === undefined && servicePathOf(document) !== "";
  if (baseUrl !== undefined && rootUrl !== undefined && !isUsed && baseUrl !== `${rootUrl}${servicePath ?? ""}`) {
    say("base-url", "/baseUrl", `${quote(baseUrl)} is not rootUrl and servicePath; it is deprecated and not used`);
  }
  if (batchPath !== undefined && batchPath !== "batch") {
    say("batch-path", "/batchPath", `${quote(batchPath)} where 'batch' is specified; it is used as it is`);
  }
  for (const [index, { endpointUrl }] of (document.endpoints ?? []).entries()) {
    const root = endpointUrl === undefined ? undefined : rootAddress(document, endpointUrl);
    if (root === undefined) say("endpoint", `/endpoints/${index}`, "the endpoint has no endpointUrl");
    else if ("problem" in root) say("endpoint", `/endpoints/${index}`, root.problem.message);
  }
  if (revision !== undefined && !/^\d{8}$/.test(revision))
    say("revision", "/revision", `${quote(revision)} is not a date`);
}

function methodOddities(
  method: Method,
  document: DescriptionDocument,
  scopes: ReadonlySet<string>,
  around: Around,
  say: Say,
): void {
  const { id, path } = method;
  const template = parsePathTemplate(path);
  if (method.document.path === undefined || template === undefined) {
    say("path", id, `the path ${quote(path)} can't be filled: only {x} and {+x} are understood`);
  }
  callOddities(method, say);
  if (template !== undefined) pathOddities(method, template, say);
  parameterOddities(method, new Set(template?.variables.map(({ name }) => name)), document, around, say);
  for (const scope of method.scopes) {
    if (!scopes.has(scope)) say("scope-undeclared", id, `the scope ${quote(scope)} is not declared in auth`);
  }
  uploadOddities(method, say);
  for (const side of ["request", "response"] as const) {
    const schema = method[side];
    if (schema !== undefined) schemaOddities(schema, `${id}/${side}`, around, say);
  }
}

function callOddities({ id, document }: Method, say: Say): void {
  const { httpMethod, apiVersion } = document;
  if (document.id === undefined) say("method-id", id, "the method has no id; it is called by its place");
  if (httpMethod === undefined) say("http-method", id, "the method has no httpMethod; GET is taken");
  else if (!isHttpMethod(httpMethod))
    say("http-method", id, `the httpMethod ${quote(httpMethod)} is invalid; the method can't be requested`);
  if (apiVersion !== undefined && !isApiVersion(apiVersion))
    say("api-version", id, `no header can carry the apiVersion ${quote(apiVersion)}; it is not sent`);
}

function parameterOddities(
  { id, parameters, document: { parameterOrder } }: Method,
  inPath: ReadonlySet<string>,
  document: DescriptionDocument,
  around: Around,
  say: Say,
): void {
  for (const name of inPath) {
    if (!Object.hasOwn(parameters, name))
      say("path-variable", id, `the path's variable ${quote(name)} is not a declared parameter; any text is accepted`);
  }
  const required = new Set<string>();
  for (const [name, schema] of Object.entries(parameters)) {
    const pointer = `${id}/parameters/${name}`;
    if (schema.required === true || inPath.has(name)) required.add(name);
    locationOddities(name, schema, pointer, say);
    if (schema.location === "path" && !inPath.has(name))
      say("path-parameter", pointer, `${quote(name)} is not in the path; it goes to the query`);
    if (schema.repeated === true && inPath.has(name))
      say("path-repeated", pointer, `${quote(name)} is repeated and in the path; one value is taken`);
    if (Object.hasOwn(document.parameters ?? {}, name))
      say("parameter-shadows", pointer, `${quote(name)} is a parameter of the API, too; the method's counts`);
    schemaOddities(schema, pointer, around, say);
  }
  if (parameterOrder === undefined) return;
  if (parameterOrder.length === required.size && parameterOrder.every((name) => required.has(name))) return;
  const [written, wanted] = [parameterOrder, [...required]].map((names) => quote(names.join(", ")));
  say("parameter-order", id, `parameterOrder is ${written}, required are ${wanted}`);
}

function locationOddities(name: string, { location }: SchemaDocument, pointer: string, say: Say): void {
  if (location === undefined || location === "path" || location === "query") return;
  const what = `the location ${quote(location)} of ${quote(name)} is not 'path' or 'query'`;
  say("parameter-location", pointer, `${what}; it goes to the query`);
}

function pathOddities({ id, path, document: { flatPath } }: Method, { segments }: PathTemplate, say: Say): void {
  if (flatPath !== undefined && !isFlatPathOf(path, flatPath))
    say("flat-path", id, `the flatPath ${quote(flatPath)} does not match ${quote(path)}; the path is used`);
  if (isBindable(segments)) return;
  const what = `a segment of the path has more than ${mostVariablesInSegment} variables`;
  say("path-segment", id, `${what}; no URL is matched to the method`);
}

function addressesOf({ path, parameters }: Pick<Method, "path" | "parameters">): string {
  return path.replace(/^\/+/, "").replace(/\{(\+?)([^{}]*)\}/g, (_, plus: string, name: string) => {
    const pattern = ownOf(parameters, name)?.pattern;
    return `{${plus}${pattern ?? ""}}`;
  });
}

/** Reports methods with the same address. A URL does not show which of them is meant. */
function sameAddresses(methods: Iterable<Method>, say: Say): void {
  const first = new Map<string, string>();
  for (const method of methods) {
    const { id } = method;
    const key = `${method.httpMethod} ${addressesOf(method)}`;
    const firstId = first.get(key);
    if (firstId === undefined) first.set(key, id);
    else say("same-address", id, `the method has the HTTP method and the addresses of ${quote(firstId)}`);
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
  else if (maxSize.includes("."))
    say("max-size", id, `maxSize ${quote(maxSize)} is not a whole number; ${parseSize(maxSize)} bytes are used`);
  else if (/^\d+$/.test(maxSize)) say("max-size", id, `maxSize ${quote(maxSize)} has no unit; it is taken as bytes`);
}

/**
 * Finds methods for whose own URLs `match` returns another method, because the description does not distinguish them.
 * Methods with exactly the same address have the oddity `same-address` instead.
 */
export function overlappingAddresses(
  document: DescriptionDocument,
  methods: Iterable<Method>,
  router: Router,
): readonly Oddity[] {
  const found: Oddity[] = [];
  for (const method of methods) {
    const others = sampleAddresses(document, method).map((path) => router.find(method.httpMethod, path)?.method);
    const [firstOther] = others;
    if (firstOther === undefined || others.some((candidate) => candidate === undefined || candidate === method))
      continue;
    if (addressesOf(firstOther) === addressesOf(method)) continue;
    const message = `the URLs of ${quote(method.path)} are URLs of ${quote(firstOther.path)} too: nothing distinguishes the method from ${quote(firstOther.id)}, which is taken`;
    found.push({ code: "address-ambiguous", pointer: method.id, message });
  }
  return found;
}

function sampleAddresses(document: DescriptionDocument, { path, parameters }: Method): readonly string[] {
  const template = parsePathTemplate(path);
  if (template === undefined || !isBindable(template.segments)) return [];
  const parts = template.parts.map((part): readonly string[] => {
    if (typeof part === "string") return [encodeLiteral(part)];
    const pattern = ownOf(parameters, part.name)?.pattern;
    if (pattern !== undefined) return patternSamples(pattern).filter((text) => text !== "");
    return part.multiSegment ? [...anySegment, "zz/zz", "00/00/00", "zz/00/zz/00"] : anySegment;
  });
  if (parts.some((texts) => texts.length === 0)) return [];
  const count = Math.max(1, ...parts.map((texts) => texts.length));
  const paths = Array.from({ length: count }, (_, at) => parts.map((texts) => texts[at % texts.length]).join(""));
  return [...new Set(paths)].map((text) => pathBelowRoot(document, text));
}

const anySegment = ["zz", "00"] as const;
