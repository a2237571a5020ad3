import { type ApiDescription, type Match, readFieldSelector, type SchemaDocument } from "../../discovery";
import { InputError } from "../../errors";
import { CloudError } from "../cloud-error";
import { readCall } from "./incoming";
import { type CloudService, invalidField, type Json, json, type MediaCall, type WireRequest } from "./service";

/** Returns whether a request uploads or downloads media; without media, the same method is called with JSON. */
export function carriesMedia({ method, parameters, upload }: Match): boolean {
  return upload !== undefined || (method.document.supportsMediaDownload === true && parameters.alt === "media");
}

/** Returns the method whose upload a session continues, by PUT or DELETE, which no description lists. */
export function matchSession(
  { description, media }: CloudService,
  { httpMethod, target }: WireRequest,
): Match | undefined {
  if (media === undefined || !/^(?:PUT|DELETE)$/.test(httpMethod) || !/[?&]upload_id=/.test(target)) return undefined;
  const match = description.match("POST", target);
  return match?.upload === undefined ? undefined : match;
}

/** Reads a request with media. @throws CloudError for a part of a batch, and for unknown response fields */
export function readMediaCall(service: CloudService, match: Match, request: WireRequest, caller: string): MediaCall {
  const { octets } = request;
  if (octets === undefined)
    throw new CloudError(
      "INVALID_ARGUMENT",
      "a batch carries no media: send the upload or download as a request of its own",
    );
  const form = match.upload === undefined ? undefined : readAnswerForm(service, match);
  return {
    request,
    octets,
    match,
    read: (metadata) => readCall(service, match, metadata, caller),
    answer: (resource) => json(200, form === undefined ? resource : form(resource)),
  };
}

/** Reads `alt`, `callback` and `fields`, with or without `$`. @returns a function that formats an answer */
export function readAnswerForm({ description }: CloudService, match: Match): (answer: Json) => Json {
  const alt = textOf(match, "alt");
  // Clients may request enumerations as numbers, but also accept names.
  if (alt !== undefined && !/^json(?:;enum-encoding=(?:int|name))?$/.test(alt))
    throw new CloudError(
      "UNIMPLEMENTED",
      `the rehearsal cloud does not emulate alt=${alt.slice(0, 100)}; there is json`,
    );
  if (textOf(match, "callback") !== undefined)
    throw new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate the parameter callback");
  const fields = textOf(match, "fields");
  if (fields === undefined || fields.trim() === "") return (answer) => answer;
  return readSelector(fields, description, match.method.response);
}

function textOf({ parameters, unknownParameters }: Match, name: string): string | undefined {
  const plain = parameters[name];
  if (plain !== undefined) return String(plain);
  for (const [parameter, value] of unknownParameters) if (parameter === `$${name}`) return String(value);
  return undefined;
}

/** Reads a `fields` parameter. @throws CloudError for an invalid selector, or one with an unknown response field */
export function readSelector(
  fields: string,
  description: ApiDescription,
  schema: SchemaDocument | undefined,
): (answer: Json) => Json {
  try {
    return readFieldSelector(fields, description, schema);
  } catch (error) {
    if (error instanceof InputError) throw invalidField("fields", error.message);
    throw error;
  }
}
