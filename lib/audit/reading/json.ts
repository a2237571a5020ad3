import { parse } from "lossless-json";
import { InputError } from "../../errors";

/**
 * A bare whole number of 16 digits or more, as far as one can tell without reading the text; inside a string it does no
 * harm.
 */
const longNumber = /(?:^|[:,[])\s*-?[1-9]\d{15,}\s*(?:[,}\]]|$)/;

/**
 * Reads JSON without losing a digit: a whole number beyond 2^53 - 1 becomes the text of its digits, everything else is
 * what `JSON.parse` answers.
 *
 * @throws InputError `json-malformed`; the text itself is never part of the message, it may hold secrets
 */
export function readJson(text: string): unknown {
  try {
    if (!longNumber.test(text)) return JSON.parse(text);
    // First the strict reader: the other one accepts nothing more, but names what it dislikes by quoting it.
    JSON.parse(text);
    return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  } catch {
    throw new InputError("json-malformed", "the text is not JSON; give one JSON value, or one a line");
  }
}

/** Whether a text is one whole JSON value. */
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
