import type { Match } from "../../discovery";
import { CloudError } from "../cloud-error";
import { readSelector } from "./partial-response";
import type { CloudService, Json } from "./service";

/**
 * Reads the query parameters that are common to all methods and say what answers look like: `alt`, `callback` and `fields`, with or without `$`.
 *
 * @returns makes an answer what it is to look like
 * @throws CloudError for a form of answers that the cloud doesn't have, and for fields that there aren't
 */
export function readAnswerForm({ description }: CloudService, match: Match): (answer: Json) => Json {
  const alt = textOf(match, "alt");
  // Enumerations may be asked for as numbers, which is a wish: clients read names as well.
  if (alt !== undefined && !/^json(?:;enum-encoding=(?:int|name))?$/.test(alt)) {
    throw new CloudError(
      "UNIMPLEMENTED",
      `the rehearsal cloud does not emulate alt=${alt.slice(0, 100)}; there is json`,
    );
  }
  if (textOf(match, "callback") !== undefined) {
    throw new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate the parameter callback");
  }
  const fields = textOf(match, "fields");
  if (fields === undefined || fields.trim() === "") return (answer) => answer;
  return readSelector(fields, description, match.method.response);
}

function textOf({ parameters, unknownParameters }: Match, name: string): string | undefined {
  const plain = parameters[name];
  if (plain !== undefined) return String(plain);
  for (const [other, value] of unknownParameters) if (other === `$${name}`) return String(value);
  return undefined;
}
