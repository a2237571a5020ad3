import { parse } from "lossless-json";
import { InputError } from "../../errors";

/** Matches a whole number of 16 digits or more outside of strings. A match inside a string is possible and harmless. */
const longNumber = /(?:^|[:,[])\s*-?[1-9]\d{15,}\s*(?:[,}\]]|$)/;

/**
 * Reads JSON without losing a digit. A whole number beyond 2^53 - 1 becomes a string of its digits; all other values
 * are those of `JSON.parse`.
 *
 * @throws InputError `json-malformed`; the message never contains the text, which may contain secrets
 */
export function readLosslessJson(text: string): unknown {
  try {
    if (!longNumber.test(text)) return JSON.parse(text);
    // The strict parser runs first: the other parser accepts nothing more, but its error messages quote the text.
    JSON.parse(text);
    return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
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

function parseNumber(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(digits) ? number : digits;
}
