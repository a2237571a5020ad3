import { InputError } from "../../errors";

/** Matches a whole number of 16 digits or more outside of strings. A match inside a string is possible and harmless. */
const longNumber = /(?:^|[:,[])\s*-?[1-9]\d{15,}\s*(?:[,}\]]|$)/;

/** A string, whose content is skipped, or a whole number; of a number with a fraction or an exponent, all of it. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads JSON without losing a digit. A whole number beyond 2^53 - 1 becomes a string of its digits; all other values
 * are those of `JSON.parse`.
 *
 * @throws InputError `json-malformed`; the message never contains the text, which may contain secrets
 */
export function readLosslessJson(text: string): unknown {
  try {
    if (!longNumber.test(text)) return JSON.parse(text);
    // The text is valid before numbers get quotes: a quote would turn a malformed number into a valid string.
    JSON.parse(text);
    return JSON.parse(text.replace(stringOrNumber, withDigits));
  } catch {
    throw new InputError("json-malformed", "the text is not JSON; give one JSON value, or one a line");
  }
}

/** Returns whether a text is one complete JSON value. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns a token of JSON, with quotes if it is a whole number that a number of JavaScript can't hold. */
function withDigits(token: string): string {
  return token.length < 16 || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
}
