import { InputError } from "../errors";
import { safe } from "./text";

/** What of a parser's message is told: it may quote the text. */
const mostTold = 200;

/**
 * JSON that the command line gives or names.
 *
 * @param option who gives it, as in `--faults`
 * @throws InputError `json-malformed`
 */
export function parseJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = safe((error as Error).message.slice(0, mostTold));
    throw new InputError("json-malformed", `${option} is not JSON: ${why}`);
  }
}
