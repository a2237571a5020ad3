import type { Match } from "../../discovery";
import { CloudError } from "../cloud-error";
import { readSelector } from "./partial-response";
import type { CloudService, Json } from "./service";

/**
 * Reads the query parameters that select the format of answers in all methods: `alt`, `callback` and `fields`, with or
 * without `$`.
 *
 * @returns a function that applies the format to an answer
 * @throws CloudError for an unsupported format, and for unknown response fields
 */
export function readAnswerForm({ description }: CloudService, match: Match): (answer: Json) => Json {
  const alt = textOf(match, "alt");
  // Clients may request enumerations as numbers, but also accept names.
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
