import type { Method } from "../method";
import { ownOf } from "../own-of";
import { cachedByPattern, patternMatcher } from "../patterns";

/** Path expressions of descriptions: RFC 6570, limited to `{x}` and `{+x}`. Published descriptions use nothing else. */

export type TemplatePart = string | TemplateVariable;

export interface TemplateVariable {
  readonly name: string;
  /** Whether the variable is `{+x}`, which may fill several segments. */
  readonly multiSegment: boolean;
}

export interface PathTemplate {
  readonly parts: readonly TemplatePart[];
  readonly segments: readonly (readonly TemplatePart[])[];
  readonly variables: readonly TemplateVariable[];
}

const variableName = /^[\w.$-]+$/;

/** @returns undefined for an operator other than `+`, a modifier, or unbalanced braces */
export function parsePathTemplate(expression: string): PathTemplate | undefined {
  const parts: TemplatePart[] = [];
  for (let at = 0; at < expression.length; ) {
    const open = expression.indexOf("{", at);
    const text = expression.slice(at, open === -1 ? undefined : open);
    if (text.includes("}")) return undefined;
    if (text !== "") parts.push(text);
    if (open === -1) break;
    const close = expression.indexOf("}", open);
    const multiSegment = expression[open + 1] === "+";
    const name = expression.slice(open + (multiSegment ? 2 : 1), Math.max(close, open));
    if (close === -1 || !variableName.test(name)) return undefined;
    parts.push({ name, multiSegment });
    at = close + 1;
  }
  return { parts, segments: splitSegments(parts), variables: parts.filter((part) => typeof part !== "string") };
}

function splitSegments(parts: readonly TemplatePart[]): readonly (readonly TemplatePart[])[] {
  let segment: TemplatePart[] = [];
  const segments = [segment];
  for (const part of parts) {
    if (typeof part !== "string") {
      segment.push(part);
      continue;
    }
    for (let at = 0, end = 0; at <= part.length; at = end + 1) {
      if (at > 0) {
        segment = [];
        segments.push(segment);
      }
      end = part.indexOf("/", at);
      if (end === -1) end = part.length;
      if (end > at) segment.push(part.slice(at, end));
    }
  }
  return segments;
}

/** Encoding of a value in a URL: the characters that stay unencoded. */
export type Encoding =
  /** `{x}` and queries: unreserved characters only (RFC 6570, 3.2.2). */
  | "unreserved"
  /** `{+x}` if the description sets `fullyEncodeReservedExpansion`: unreserved characters and `/`. */
  | "unreserved and slash"
  /**
   * `{+x}` otherwise (RFC 6570, 3.2.3), but `?` and `#` are encoded, because they would end the path, and `%` always
   * is.
   */
  | "reserved";

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
/** Whether each character stays unencoded, by code unit. */
const kept: Readonly<Record<Encoding, Uint8Array>> = {
  unreserved: tableOf(unreserved),
  "unreserved and slash": tableOf(`${unreserved}/`),
  reserved: tableOf(`${unreserved}:/@!$&'()*+,;=[]`),
};

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** @returns undefined if the value is not Unicode text (half of a surrogate pair) */
export function encodeVariable(value: string, encoding: Encoding): string | undefined {
  const table = kept[encoding];
  for (let at = 0; at < value.length; at++) {
    if (table[value.charCodeAt(at)] !== 1) return encodeSome(value, encoding);
  }
  return value;
}

function encodeSome(value: string, encoding: Encoding): string | undefined {
  try {
    if (encoding === "unreserved") return encodeUnreserved(value);
    const left = encoding === "reserved" ? /[^\w.~/:@!$&'()*+,;=[\]-]+/g : /[^\w.~/-]+/g;
    return value.replace(left, encodeUnreserved);
  } catch {
    return undefined;
  }
}

const encodedAscii = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return unreserved.includes(character) ? character : `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
});

/** @throws URIError for half of a surrogate pair */
function encodeUnreserved(text: string): string {
  let encoded = "";
  for (let at = 0; at < text.length; at++) {
    const known = encodedAscii[text.charCodeAt(at)];
    // The built-in function encodes all but five of the characters that RFC 6570 encodes.
    if (known === undefined) {
      const rest = encodeURIComponent(text.slice(at));
      return encoded + rest.replace(/[!'()*]/g, (character) => encodedAscii[character.charCodeAt(0)] ?? character);
    }
    encoded += known;
  }
  return encoded;
}

/** Characters in fixed text that a URL cannot contain, that would end the path, or that URL parsers change. */
const unfit = /[^\x21-\x7e]|["#<>?\\^`{|}]/gu;

export function encodeLiteral(text: string): string {
  return text.replace(unfit, (character) => encodeVariable(character, "unreserved") ?? "%EF%BF%BD");
}

/** Decodes fixed text, for example `%24export`. Returns the text unchanged if its encoding is invalid. */
export function decodeLiteral(raw: string): string {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Finds `.` and `..` segments, which URL parsers would resolve to another path. */
export function hasDotSegment(path: string): boolean {
  return path.includes(".") || path.includes("%") ? /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i.test(path) : false;
}

/**
 * Decodes the value of a variable; undefined if the encoding is invalid. An encoded slash stays encoded in a `{+x}`,
 * because it is not a separator there (google/api/http.proto).
 */
export function decodeVariable(raw: string, variable: TemplateVariable): string | undefined {
  if (!raw.includes("%")) return raw;
  try {
    if (!variable.multiSegment) return decodeURIComponent(raw);
    return raw
      .split(/(%2f)/i)
      .map((text, index) => (index % 2 === 1 ? text : decodeURIComponent(text)))
      .join("");
  } catch {
    return undefined;
  }
}

const variable = /\{(\+?)[^{}]*\}/g;

export function isFlatPathOf(path: string, flatPath: string): boolean {
  const literals = path.replace(/^\/+/, "").split(variable);
  // `split` returns the captured group, a plus or nothing, between the literals.
  const pattern = literals.map((text, at) =>
    at % 2 === 0 ? text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : text === "+" ? ".+" : "[^/]+",
  );
  return patternMatcher(pattern.join(""))(flatPath.replace(/^\/+/, "").replace(variable, "{}")) === true;
}

/**
 * Returns the URL segments that a segment of a method's path matches. A `{+x}` is expanded by its pattern if the
 * pattern consists of fixed names and `[^/]+`, as nearly all do. The flatPath need not match the pattern.
 */
export function shapeOf(parts: readonly TemplatePart[], method: Method): readonly (readonly TemplatePart[])[] {
  const [only, ...rest] = parts;
  if (only === undefined || typeof only === "string" || !only.multiSegment) return [parts];
  const schema = ownOf(method.parameters, only.name);
  const pieces = schema?.pattern === undefined ? [] : piecesOf(schema.pattern);
  const shape: (readonly TemplatePart[])[] = [];
  for (const piece of pieces) {
    if (piece === "[^/]+") shape.push([{ name: only.name, multiSegment: false }]);
    else if (/^[\w-]+$/.test(piece)) shape.push([piece]);
    else return [...shape, [only, ...rest]];
  }
  const last = shape.pop();
  return last === undefined ? [parts] : [...shape, [...last, ...rest]];
}

/** Returns the segments of a pattern such as `^projects/[^/]+$`; any other pattern is one piece. */
const piecesOf = cachedByPattern((pattern): readonly string[] => {
  const body = pattern.replace(/^\^/, "").replace(/\$$/, "");
  return /[|()]|\/\/|^\/|\/$/.test(body) ? [body] : (body.match(/(?:\[[^\]]*\]|[^/])+/g) ?? []);
});
