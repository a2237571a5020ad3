import { isIPv4, isIPv6 } from "node:net";
import { InputError } from "../../../errors";
import type { Code } from "../../../findings/codes";
import { quote } from "../../../text/quote";
import { nameOctets, readDomainName } from "../domain-name";

/** Returns the 16 octets of an address; `undefined` for any other text, and for an address with a zone. */
function parseIpv6(text: string): Buffer | undefined {
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (dotted !== null) {
    const [a, b, c, d] = dotted.slice(2).map(Number) as [number, number, number, number];
    return parseIpv6(`${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`);
  }
  const gap = text.indexOf("::");
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const head = groupsOf(gap === -1 ? text : text.slice(0, gap));
  const tail = groupsOf(gap === -1 ? "" : text.slice(gap + 2));
  const octets = Buffer.alloc(16);
  for (const [index, group] of head.entries()) octets.writeUInt16BE(Number.parseInt(group, 16), 2 * index);
  const tailAt = 16 - 2 * tail.length;
  for (const [index, group] of tail.entries()) octets.writeUInt16BE(Number.parseInt(group, 16), tailAt + 2 * index);
  return octets;
}

/**
 * Returns an address as in RFC 5952: lower case, no leading zeros, the first longest run of two or more zeros as `::`.
 */
function formatIpv6(octets: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => octets.readUInt16BE(2 * index).toString(16));
  let [start, length] = [0, 0];
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (to < 8 && groups[to] === "0") to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  if (length < 2) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}

/** Tokens of record data in zone-file form (RFC 1035, section 5.1). */

interface Token {
  readonly raw: string;
  /** Value of the token, one character per octet: escapes are resolved, characters beyond ASCII are in UTF-8. */
  readonly octets: string;
}

/** The tokens of a text, consumed from the start. */
interface Tokens {
  readonly text: string;
  readonly list: readonly Token[];
  next: number;
}

/**
 * Maximum length of a text in characters. Any 65,535 octets of data fit, even with every octet as `\\DDD`. A limit is
 * needed because regular expressions exceed the stack on millions of characters.
 */
const longestText = 300_000;

/**
 * Splits a text at spaces that are not quoted or escaped.
 *
 * @throws InputError with code `rrdata-too-long`, `rrdata-open-quote`, `rrdata-bad-escape` or
 * `rrdata-control-character`
 */
export function tokenize(text: string): Tokens {
  if (text.length > longestText)
    throw new InputError(
      "rrdata-too-long",
      `record data ${quote(text)} is longer than a record can be, which has at most ${longestText} characters: shorten it`,
    );
  const control = /(?!\t)\p{Cc}/u.exec(text)?.[0];
  if (control !== undefined)
    throw new InputError(
      "rrdata-control-character",
      `record data ${quote(text)} contains ${quote(control)}: write control characters as '\\DDD', three decimal digits`,
    );
  const list: Token[] = [];
  const word = /[ \t]*(?:"((?:[^"\\]|\\.)*)"(?=[ \t]|$)|((?:[^" \t\\]|\\.)+)(?=[ \t]|$))/suy;
  const whole = text.trimEnd().endsWith("\\") ? text : text.trimEnd();
  while (word.lastIndex < whole.length) {
    const start = word.lastIndex;
    const match = word.exec(whole);
    if (match === null)
      throw new InputError(
        "rrdata-open-quote",
        `record data ${quote(text)} can't be split into words at ${quote(whole.slice(start).trimStart())}: put quotation marks in pairs around whole words, and a backslash before a character`,
      );
    const raw = match[1] ?? match[2]!;
    list.push({ raw, octets: resolveEscapes(raw, text) });
  }
  return { text, list, next: 0 };
}

function resolveEscapes(raw: string, text: string): string {
  const bytes = Buffer.from(raw, "utf8").toString("latin1");
  if (!bytes.includes("\\")) return bytes;
  return bytes.replace(/\\(?:(\d{1,3})|(.))/gs, (whole: string, digits: string | undefined, character: string) => {
    if (digits === undefined) return character;
    if (digits.length < 3 || Number(digits) > 255)
      throw new InputError(
        "rrdata-bad-escape",
        `record data ${quote(text)} has the escape ${quote(whole)}: '\\DDD' has three decimal digits and stands for one octet, up to 255`,
      );
    return String.fromCharCode(Number(digits));
  });
}

/** Returns octets as a quoted token. */
function quotedWord(octets: string): string {
  const escaped = octets.replace(/[\\"]/g, "\\$&").replace(/[^ -~]/g, (octet) => {
    return `\\${String(octet.charCodeAt(0)).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}

/** Fields of record data, with conversions from and to text, and to octets. */
export interface Field<T> {
  /** Reads the field from text. @throws InputError if the tokens do not begin with this field */
  readonly parse: (tokens: Tokens) => T;
  readonly format: (value: T) => string;
  /** Returns octets, or the text of a name that a message may compress. */
  readonly encode: (value: T) => Buffer | string;
}

function takeWord(tokens: Tokens, what: string): { readonly raw: string; readonly octets: string } {
  const token = tokens.list[tokens.next++];
  if (token === undefined) throw refused("rrdata-incomplete", tokens, `ends where ${what} should follow; add it`);
  return token;
}

function refused(code: Code, tokens: Tokens, wrong: string): InputError {
  return new InputError(code, `record data ${quote(tokens.text)} ${wrong}`);
}

function uint(octets: 1 | 2 | 4): Field<number> {
  const largest = 256 ** octets - 1;
  return {
    parse: (tokens) => {
      const { raw } = takeWord(tokens, "a number");
      if (!/^\d{1,10}$/.test(raw) || Number(raw) > largest)
        throw refused("rrdata-bad-number", tokens, `has ${quote(raw)} for a number: use 0 to ${largest}`);
      return Number(raw);
    },
    format: String,
    encode: (value) => {
      const buffer = Buffer.alloc(octets);
      buffer.writeUIntBE(value, 0, octets);
      return buffer;
    },
  };
}

export const uint8 = uint(1);
export const uint16 = uint(2);
export const uint32 = uint(4);

const name: Omit<Field<string>, "encode"> = {
  parse: (tokens) => {
    const reading = readDomainName(takeWord(tokens, "a domain name").raw);
    if ("problem" in reading) throw new InputError([reading.problem]);
    return reading.name;
  },
  format: (value) => value,
};

/** A name in data types of RFC 1035, which messages may compress. */
export const compressibleName: Field<string> = { ...name, encode: (value) => value };

/** A name in data types of later RFCs, which messages may not compress (RFC 3597, section 4). */
export const newName: Field<string> = { ...name, encode: nameOctets };

export const ipv4: Field<string> = {
  parse: (tokens) => {
    const { raw } = takeWord(tokens, "an IPv4 address");
    if (!isIPv4(raw))
      throw refused("rrdata-bad-ipv4", tokens, "is not an IPv4 address: write four numbers, as in '203.0.113.7'");
    return raw;
  },
  format: (value) => value,
  encode: (value) => Buffer.from(value.split(".").map(Number)),
};

export const ipv6: Field<string> = {
  parse: (tokens) => {
    const octets = parseIpv6(takeWord(tokens, "an IPv6 address").raw);
    if (octets === undefined)
      throw refused("rrdata-bad-ipv6", tokens, "is not an IPv6 address: write it as in '2001:db8::7', without a zone");
    return formatIpv6(octets);
  },
  format: (value) => value,
  encode: (value) => parseIpv6(value)!,
};

const longestString = 255;

/** One character-string: up to 255 octets, one character per octet. */
export const characterString: Field<string> = {
  parse: (tokens) => {
    const { octets } = takeWord(tokens, "a string");
    if (octets.length > longestString)
      throw refused(
        "rrdata-string-too-long",
        tokens,
        `has a string of ${octets.length} octets: a string has at most ${longestString}; split it into several, each in quotation marks`,
      );
    return octets;
  },
  format: quotedWord,
  encode: (value) => Buffer.from(String.fromCharCode(value.length) + value, "latin1"),
};

export const characterStrings: Field<readonly string[]> = {
  parse: (tokens) => {
    const strings = [characterString.parse(tokens)];
    while (tokens.next < tokens.list.length) strings.push(characterString.parse(tokens));
    return strings;
  },
  format: (value) => value.map(quotedWord).join(" "),
  encode: (value) => Buffer.concat(value.map((text) => characterString.encode(text) as Buffer)),
};

/** Property of a CAA record (RFC 8659, section 4.1). */
export const caaTag: Field<string> = {
  parse: (tokens) => {
    const { raw } = takeWord(tokens, "a tag");
    if (!/^[a-z0-9]{1,255}$/i.test(raw))
      throw refused("rrdata-bad-caa-tag", tokens, `has the tag ${quote(raw)}: use letters and digits, as in 'issue'`);
    return raw;
  },
  format: (value) => value,
  encode: characterString.encode,
};

/** Value of a CAA property: the rest of the record, one character per octet. */
export const caaValue: Field<string> = {
  parse: (tokens) => takeWord(tokens, "a value").octets,
  format: quotedWord,
  encode: (value) => Buffer.from(value, "latin1"),
};

/** Returns a field for the remaining octets, as digits in the given base. */
function binary(encoding: "hex" | "base64", pattern: RegExp, what: string): Field<string> {
  return {
    parse: (tokens) => {
      let digits = takeWord(tokens, what).raw;
      while (tokens.next < tokens.list.length) digits += takeWord(tokens, what).raw;
      if (!pattern.test(digits)) throw refused("rrdata-bad-binary", tokens, `ends in something that is not ${what}`);
      return Buffer.from(digits, encoding).toString(encoding);
    },
    format: (value) => value,
    encode: (value) => Buffer.from(value, encoding),
  };
}

export const hex = binary("hex", /^(?:[\da-f]{2})+$/i, "pairs of hexadecimal digits");
export const base64 = binary("base64", /^(?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?$/i, "Base64");
