import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";

/**
 * Words of a record's data in zone-file form (RFC 1035, section 5.1).
 */

/** One word. */
interface Token {
  /** As it was written, without its quotes. */
  readonly raw: string;
  /** What it stands for, one character an octet: escapes are resolved, letters beyond ASCII are in UTF-8. */
  readonly octets: string;
}

/** The words of one text, to be taken from the front. */
export interface Tokens {
  /** The whole text, for messages. */
  readonly text: string;
  readonly list: readonly Token[];
  next: number;
}

/**
 * Longest text in characters. It holds the 65,535 octets of the longest data however they are written, each as `\\DDD` too; expressions that walk through
 * millions of characters run out of stack.
 */
const longestText = 300_000;

/**
 * Splits a text at spaces that are neither quoted nor escaped.
 *
 * @throws InputError with code `rrdata-too-long`, `rrdata-open-quote`, `rrdata-bad-escape` or `rrdata-control-character`
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
        `record data ${quote(text)} can't be split into words at ${quote(whole.slice(start).trimStart())}: quotation marks stand in pairs around whole words, and a backslash stands before a character`,
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

/** Octets as a quoted word. */
export function quotedWord(octets: string): string {
  const escaped = octets.replace(/[\\"]/g, "\\$&").replace(/[^ -~]/g, (octet) => {
    return `\\${String(octet.charCodeAt(0)).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}
