import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { type ValueFinding, valueFinding } from "../codes";
import type { DescriptionDocument } from "../document";
import type { Method } from "../method";
import {
  type Encoding,
  encodeLiteral,
  encodeVariable,
  hasDotSegment,
  parsePathTemplate,
  servicePathOf,
  type TemplatePart,
} from "../paths";
import { type Parameter, parametersOf } from "./parameters";

/** A method, prepared to write addresses. Everything that does not depend on the values is computed once. */
export interface RequestPlan {
  readonly method: Method;
  /** Problems that prevent every request of the method; empty if requests are possible. */
  readonly refusals: readonly Problem[];
  readonly findings: readonly ValueFinding[];
  readonly parameters: PlannedParameters;
  readonly path: readonly Step[];
  readonly multiSegmentEncoding: Encoding;
  /** Headers. Frozen, because all requests of the method share them. */
  readonly headers: { readonly withoutBody: Headers; readonly withJson: Headers };
  /** Whether the body is sent in a field `data`. */
  readonly wrapsData: boolean;
}

/** The parameters of a method. Each has a position, its index in `all`. */
interface PlannedParameters {
  readonly all: readonly Parameter[];
  readonly positions: ReadonlyMap<string, number>;
  readonly required: readonly number[];
  /** Encoded names for the query, by position. */
  readonly queryNames: readonly string[];
}

type Headers = Readonly<Record<string, string>>;

export type Step = string | { readonly position: number; readonly encoding: Encoding };

/** @throws {@link InputError} `path-unsupported` if the path has more than `{x}` and `{+x}` */
export function planRequests(method: Method, document: DescriptionDocument): RequestPlan {
  const joined = servicePathOf(document);
  const parts = readPath(method, method.path);
  const parameters = parametersOf(method, document.parameters ?? {}, new Set(variableNames(parts)));
  const positions = new Map(parameters.map(({ name }, position) => [name, position]));
  const encoding = document.fullyEncodeReservedExpansion === true ? "unreserved and slash" : "reserved";
  return {
    method,
    findings: [
      ...(isDeprecatedApi(document) ? [deprecatedApi(document)] : []),
      ...(method.deprecated ? [deprecatedMethod(method)] : []),
    ],
    refusals: [...verbProblems(method), ...fixedTextProblems(method, joined, parts)],
    parameters: {
      all: parameters,
      positions,
      required: parameters.flatMap((parameter, position) => (parameter.required ? [position] : [])),
      queryNames: parameters.map(({ name }) => encodeVariable(name, "unreserved") ?? ""),
    },
    path: [encodeLiteral(joined), ...stepsOf(parts, positions, encoding)],
    multiSegmentEncoding: encoding,
    headers: headersOf(method),
    wrapsData: wrapsData(document),
  };
}

/** Returns whether the API sends and receives the content of each body in a field `data` (feature `dataWrapper`). */
export function wrapsData({ features }: DescriptionDocument): boolean {
  return features?.includes("dataWrapper") === true;
}

function isDeprecatedApi({ labels }: DescriptionDocument): boolean {
  return labels?.includes("deprecated") === true;
}

function deprecatedApi({ name, version }: DescriptionDocument): ValueFinding {
  const id = `${name}:${version}`;
  return valueFinding("deprecated", id, `the API ${quote(id)} is deprecated`);
}

function deprecatedMethod({ id }: Method): ValueFinding {
  return valueFinding("deprecated", id, `the method ${quote(id)} is deprecated`);
}

/** Accepts an HTTP token (RFC 9110, 5.6.2). Any other text could inject content into the request line. */
export function isHttpMethod(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(text);
}

export function isApiVersion(text: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(text);
}

function verbProblems({ id, httpMethod }: Method): readonly Problem[] {
  if (isHttpMethod(httpMethod)) return [];
  const message = `${quote(id)} can't be called: its httpMethod ${quote(httpMethod)} is no HTTP method`;
  return [{ code: "http-method-invalid", message }];
}

/** Returns the problems of the fixed text: with any values, the path would lead to another destination. */
function fixedTextProblems({ id }: Method, before: string, parts: readonly TemplatePart[]): readonly Problem[] {
  const path = `${before}${parts.map((part) => (typeof part === "string" ? part : `{${part.name}}`)).join("")}`;
  if (!hasDotSegment(path)) return [];
  const message = `the path ${quote(path)} of ${quote(id)} can't be filled: '.' and '..' as segments are taken for directions`;
  return [{ code: "path-unsupported", message }];
}

function headersOf({ document: { apiVersion } }: Method): RequestPlan["headers"] {
  const hasVersion = apiVersion !== undefined && isApiVersion(apiVersion);
  const withoutBody = { accept: "application/json", ...(hasVersion ? { "x-goog-api-version": apiVersion } : {}) };
  return {
    withoutBody: Object.freeze(withoutBody),
    withJson: Object.freeze({ ...withoutBody, "content-type": "application/json" }),
  };
}

export function stepsOfPath(plan: RequestPlan, path: string): readonly Step[] {
  const parts = readPath(plan.method, path);
  const refusals = fixedTextProblems(plan.method, "", parts);
  if (refusals.length > 0) throw new InputError(refusals);
  const unknown = variableNames(parts).find((name) => !plan.parameters.positions.has(name));
  if (unknown === undefined) return stepsOf(parts, plan.parameters.positions, plan.multiSegmentEncoding);
  const message = `the path ${quote(path)} of ${quote(plan.method.id)} can't be filled: there is no parameter ${quote(unknown)}`;
  throw new InputError("path-unsupported", message);
}

function readPath(method: Method, path: string): readonly TemplatePart[] {
  const template = parsePathTemplate(path.replace(/^\/+/, ""));
  if (template !== undefined) return template.parts;
  const message = `the path ${quote(path)} of ${quote(method.id)} can't be filled: only {x} and {+x} are understood`;
  throw new InputError("path-unsupported", message);
}

function variableNames(parts: readonly TemplatePart[]): readonly string[] {
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part.name]));
}

function stepsOf(
  parts: readonly TemplatePart[],
  positions: ReadonlyMap<string, number>,
  multiSegmentEncoding: Encoding,
): readonly Step[] {
  return parts.map((part) => {
    if (typeof part === "string") return encodeLiteral(part);
    return {
      position: positions.get(part.name) ?? -1,
      encoding: part.multiSegment ? multiSegmentEncoding : "unreserved",
    };
  });
}
