/**
 * Path expressions of descriptions: RFC 6570 with `{x}` and `{+x}`, and nothing else of it. No published description has more.
 */

/** Text, or a variable. */
export type TemplatePart = string | TemplateVariable;

export interface TemplateVariable {
  readonly name: string;
  /** `{+x}`: may fill several segments. */
  readonly multiSegment: boolean;
}

/** A path expression: its parts in order, the same between slashes, and those that are variables. */
export interface PathTemplate {
  readonly parts: readonly TemplatePart[];
  readonly segments: readonly (readonly TemplatePart[])[];
  readonly variables: readonly TemplateVariable[];
}

const variableName = /^[\w.$-]+$/;

/**
 * Reads a path expression.
 *
 * @returns undefined where it has an operator other than `+`, a modifier, or braces that don't pair
 */
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

/** How a value is written into a URL: which characters stay as they are. */
export type Encoding =
  /** `{x}` and queries: unreserved characters only (RFC 6570, 3.2.2). */
  | "unreserved"
  /** `{+x}` where the description sets `fullyEncodeReservedExpansion`: unreserved characters and `/`. */
  | "unreserved and slash"
  /**
   * `{+x}` otherwise (RFC 6570, 3.2.3), with two differences, both so that the value arrives as it was given: `?` and `#` are encoded, as they
   * would end the path, and so is `%`, also where it looks like an encoded character.
   */
  | "reserved";

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
/** By code unit, whether it stays as it is. */
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

/**
 * A value as it stands in a URL.
 *
 * @returns undefined where the value is no Unicode text (half of a surrogate pair)
 */
export function encodeValue(value: string, encoding: Encoding): string | undefined {
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

/** Each ASCII character as it stands where only unreserved ones are kept. */
const encodedAscii = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return unreserved.includes(character) ? character : `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
});

/** @throws URIError for half of a surrogate pair */
function encodeUnreserved(text: string): string {
  let encoded = "";
  for (let at = 0; at < text.length; at++) {
    const known = encodedAscii[text.charCodeAt(at)];
    // From the first other character on, the built-in does it; of ASCII it leaves these five alone, which RFC 6570 does not.
    if (known === undefined) {
      const rest = encodeURIComponent(text.slice(at));
      return encoded + rest.replace(/[!'()*]/g, (character) => encodedAscii[character.charCodeAt(0)] ?? character);
    }
    encoded += known;
  }
  return encoded;
}

/** Characters of a path's fixed text that no URL holds, or that would end the path, or that URL parsers write otherwise. */
const unfit = /[^\x21-\x7e]|["#<>?\\^`{|}]/gu;

/** Fixed text of a path as it stands in a URL; what is encoded already stays as it is. */
export function encodeLiteral(text: string): string {
  return text.replace(unfit, (character) => encodeValue(character, "unreserved") ?? "%EF%BF%BD");
}

/** What fixed text in a URL's path stands for, as `%24export` stands for `$export`; the text itself where the encoding is broken. */
export function decodeLiteral(raw: string): string {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Whether a path has a segment that URL parsers take for "here" or "up": the request would go elsewhere. */
export function hasDotSegment(path: string): boolean {
  return path.includes(".") || path.includes("%") ? /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i.test(path) : false;
}

/**
 * Decodes what stands in a URL's path for a variable.
 *
 * An encoded slash stays encoded in a `{+x}`: there it is no separator (the rule of google/api/http.proto).
 *
 * @returns undefined where the encoding is broken
 */
export function decodeValue(raw: string, variable: TemplateVariable): string | undefined {
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
