import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";

/** Tokens of record data in zone-file form (RFC 1035, section 5.1). */

/** One token. */
interface Token {
  /** Text of the token without its quotes. */
  readonly raw: string;
  /** Value of the token, one character per octet: escapes are resolved, characters beyond ASCII are in UTF-8. */
  readonly octets: string;
}

/** The tokens of a text, consumed from the start. */
export interface Tokens {
  /** The whole text, for messages. */
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
  if (text.length > longestText) {
    throw new InputError(
      "rrdata-too-long",
      `record data ${quote(text)} is longer than a record can be, which has at most ${longestText} characters: shorten it`,
    );
  }
  const control = /(?!\t)\p{Cc}/u.exec(text)?.[0];
  if (control !== undefined) {
    throw new InputError(
      "rrdata-control-character",
      `record data ${quote(text)} contains ${quote(control)}: write control characters as '\\DDD', three decimal digits`,
    );
  }
  const list: Token[] = [];
  const word = /[ \t]*(?:"((?:[^"\\]|\\.)*)"(?=[ \t]|$)|((?:[^" \t\\]|\\.)+)(?=[ \t]|$))/suy;
  const whole = text.trimEnd().endsWith("\\") ? text : text.trimEnd();
  while (word.lastIndex < whole.length) {
    const start = word.lastIndex;
    const match = word.exec(whole);
    if (match === null) {
      throw new InputError(
        "rrdata-open-quote",
        `record data ${quote(text)} can't be split into words at ${quote(whole.slice(start).trimStart())}: put quotation marks in pairs around whole words, and a backslash before a character`,
      );
    }
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
    if (digits.length < 3 || Number(digits) > 255) {
      throw new InputError(
        "rrdata-bad-escape",
        `record data ${quote(text)} has the escape ${quote(whole)}: '\\DDD' has three decimal digits and stands for one octet, up to 255`,
      );
    }
    return String.fromCharCode(Number(digits));
  });
}

/** Returns octets as a quoted token. */
export function quotedWord(octets: string): string {
  const escaped = octets.replace(/[\\"]/g, "\\$&").replace(/[^ -~]/g, (octet) => {
    return `\\${String(octet.charCodeAt(0)).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}
