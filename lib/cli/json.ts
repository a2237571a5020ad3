import { InputError } from "../errors";
import { safe } from "./text";

/** Maximum length of the parser's message, in characters: the message may quote the input. */
const mostTold = 200;

/**
 * Parses JSON that the command line contains or names.
 *
 * @param subject what the JSON is, or its option, as in `--body`
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
