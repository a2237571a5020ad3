import type { Match } from "../../discovery";
import { CloudError } from "../cloud-error";
import { readCall } from "./incoming";
import type { CloudService, MediaCall } from "./service";
import { readAnswerForm } from "./system-parameters";
import { json, type WireRequest } from "./wire";

/** Returns whether a request uploads or downloads media; without media, the same method is called with JSON. */
export function carriesMedia({ method, parameters, upload }: Match): boolean {
  return upload !== undefined || (method.document.supportsMediaDownload === true && parameters.alt === "media");
}

/**
 * Returns the method whose upload a session continues. The session has the upload address of the method and an `upload_id`, and takes PUT for
 * content and DELETE to cancel, which no description lists.
 */
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
  if (octets === undefined) {
    throw new CloudError(
      "INVALID_ARGUMENT",
      "a batch carries no media: send the upload or download as a request of its own",
    );
  }
  const form = match.upload === undefined ? undefined : readAnswerForm(service, match);
  return {
    request,
    octets,
    match,
    read: (metadata) => readCall(service, match, metadata, caller),
    answer: (resource) => json(200, form === undefined ? resource : form(resource)),
  };
}
