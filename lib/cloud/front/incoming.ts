import type { ApiDescription, Match, ReceivedValue, SchemaDocument, ValueFinding } from "../../discovery";
import { stepsOf } from "../../json/pointer";
import { CloudError } from "../cloud-error";
import { type Call, type CloudService, camelCase, isJsonObject, type Json, type WireRequest } from "./service";

/** Returns the request in a POST with `x-http-method-override`: a GET whose query is too long for a URL. */
export function withoutOverride(request: WireRequest): WireRequest {
  const wanted = request.headers["x-http-method-override"];
  if (wanted === undefined || request.httpMethod !== "POST") return request;
  const httpMethod = wanted.toUpperCase();
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "");
  if (httpMethod !== "GET" || !isForm) return { ...request, httpMethod };
  const separator = request.target.includes("?") ? "&" : "?";
  return { ...request, httpMethod, target: `${request.target}${separator}${request.body}`, body: "" };
}

/** Converts a request to a call by the description. Rejects an invalid request with the invalid field. */
export function readCall(service: CloudService, match: Match, body: string, caller: string): Call {
  const { description } = service;
  const { method } = match;
  const parameters = { ...match.parameters };
  if (match.unknownParameters.length > 0) bindUnknown(service, match, parameters);
  const problems = description.checkParameters(method.id, parameters);
  if (problems.length > 0)
    throw badRequest(problems.map(({ parameter, rule }) => ({ field: parameter, description: `give ${rule}` })));
  return { description, method, parameters, body: readBody(service, match, body), caller };
}

function bindUnknown(
  { description }: CloudService,
  { method, unknownParameters }: Match,
  parameters: Record<string, ReceivedValue>,
): void {
  const known = new Set(description.parametersOf(method.id).map(({ name }) => name));
  for (const [name, value] of unknownParameters) {
    // Specification 3 writes dns_authorization_id; the descriptions write dnsAuthorizationId.
    const camel = camelCase(name);
    if (known.has(camel) && parameters[camel] === undefined) parameters[camel] = value;
    else if (!tolerated.has(name))
      throw badRequest([{ field: name, description: "Cannot bind query parameter: the method has none of this name" }]);
  }
}

/**
 * Parameters that are common to all services but missing from some descriptions (Google's "System parameters").
 * Excludes `$ct` and `$httpMethod`, which would change the request. Includes `returnPartialSuccess`, which Compute's
 * clients still send.
 */
const tolerated: ReadonlySet<string> = new Set([
  "$.xgafv",
  "$access_token",
  "$alt",
  "$apiFormat",
  "$apiVersion",
  "$callback",
  "$fields",
  "$key",
  "$oauth_token",
  "$outputDefaults",
  "$outputFormat",
  "$prettyPrint",
  "$quotaUser",
  "$trace",
  "$uploadType",
  "$upload_protocol",
  "$userProject",
  "returnPartialSuccess",
]);

function readBody(service: CloudService, { method }: Match, text: string): Json {
  const value = parse(text);
  if (method.request === undefined || value === undefined) {
    // Clients of Compute send an empty JSON object for methods without a body.
    if (value !== undefined && Object.keys(value).length > 0)
      throw badRequest([{ field: "body", description: `${method.id} takes no body` }]);
    return {};
  }
  const body = withEnumNames(service, method.request, withoutEmpty(service, method.request, value)) as Json;
  const findings = service.description.validate(method.request, body, { as: "request" });
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw badRequest(errors.map(violation));
  return withoutReadOnly(body, findings);
}

function withoutEmpty({ unsetIfEmpty, description }: CloudService, schema: SchemaDocument, body: Json): Json {
  if (unsetIfEmpty === undefined) return body;
  const id = schema.$ref ?? description.resolve(schema)?.id ?? "";
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => value !== "" || !unsetIfEmpty.has(`${id}.${key}`)),
  );
}

function parse(text: string): Json | undefined {
  if (text.trim() === "" || text.trim() === '""') return undefined;
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    throw new CloudError("INVALID_ARGUMENT", "Invalid JSON payload received", { reason: "parseError" });
  }
  if (!isJsonObject(value))
    throw new CloudError("INVALID_ARGUMENT", "Invalid JSON payload received: the body has to be an object", {
      reason: "parseError",
    });
  return value;
}

/** Reads JSON. Whole numbers that a double can't represent become text, the declared type. @throws SyntaxError */
function readJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const { parse: parseLossless, isSafeNumber } = require("lossless-json") as typeof import("lossless-json");
  const isLong = (digits: string) => /^-?\d+$/.test(digits) && !isSafeNumber(digits);
  return parseLossless(text, undefined, (digits) => (isLong(digits) ? digits : Number(digits)));
}

function violation({ subject, message }: ValueFinding): { readonly field: string; readonly description: string } {
  return { field: subject.slice(1).replaceAll("/", ".") || "body", description: message };
}

function badRequest(fieldViolations: readonly { readonly field: string; readonly description: string }[]): CloudError {
  const violations = fieldViolations.map(({ field, description }) => `${field}: ${description}`).join("; ");
  return new CloudError("INVALID_ARGUMENT", `Request contains an invalid argument. ${violations}`.slice(0, 2_000), {
    details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations }],
  });
}

/** Maximum depth of a body in which enumeration numbers are replaced. */
const deepest = 100;

/** Replaces enumeration numbers, which clients of protocol buffers send, with names. */
function withEnumNames(service: CloudService, schema: SchemaDocument, value: unknown, depth = 0): unknown {
  if (service.enumNumbers === undefined || depth > deepest || typeof value !== "object" || value === null) return value;
  const target = service.description.resolve(schema);
  if (Array.isArray(value)) return value.map((item) => withEnumNames(service, target?.items ?? {}, item, depth + 1));
  const entries = Object.entries(value).map(([key, inner]) => {
    const property = propertyOf(service.description, schema, key);
    const numbers = service.enumNumbers?.[`${schema.$ref ?? target?.id ?? ""}.${key}`];
    const named = typeof inner === "number" && numbers ? nameOf(numbers, inner) : inner;
    return [key, property === undefined ? named : withEnumNames(service, property, named, depth + 1)];
  });
  return Object.fromEntries(entries);
}

function propertyOf(description: ApiDescription, schema: SchemaDocument, key: string): SchemaDocument | undefined {
  const target = description.resolve(schema);
  const properties = target?.properties ?? {};
  return Object.hasOwn(properties, key) ? properties[key] : target?.additionalProperties;
}

function nameOf(numbers: Readonly<Record<string, number>>, number: number): string | number {
  return Object.entries(numbers).find(([, value]) => value === number)?.[0] ?? number;
}

/** Returns a body without read-only fields; clients send back what they have read. */
function withoutReadOnly(body: Json, findings: readonly ValueFinding[]): Json {
  const pointers = findings.filter(({ code }) => code === "read-only").map(({ subject }) => subject);
  if (pointers.length === 0) return body;
  const copy = structuredClone(body) as Json;
  for (const pointer of pointers) removeAt(copy, stepsOf(pointer));
  return copy;
}

function removeAt(value: unknown, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return;
  if (rest.length === 0) delete (value as Record<string, unknown>)[key];
  else removeAt((value as Record<string, unknown>)[key], rest);
}
