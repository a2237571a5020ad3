import { InputError } from "../errors";
import { safe } from "./text";

/** What of a parser's message is told: it may quote the text. */
const mostTold = 200;

/**
 * JSON that the command line gives or names.
 *
 * @param subject what it is, or who gives it, as in `--body`
 * @throws InputError `json-malformed`
 */
export function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = safe((error as Error).message.slice(0, mostTold));
    throw new InputError("json-malformed", `${subject} is not JSON: ${why}`);
  }
}
