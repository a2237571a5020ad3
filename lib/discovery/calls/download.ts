import { ServiceError } from "../../errors";
import type { HttpResponse } from "../../http";
import type { PreparedRequest } from "../requests";
import { type Sender, send } from "./sender";

/** Description of the media by the responses so far. */
interface Media {
  /** Changes with the media; undefined if the service has no such header. */
  readonly version: string | undefined;
  /** Length in bytes; undefined if the service does not report it. */
  readonly totalBytes: number | undefined;
}

/**
 * Downloads media chunk by chunk, each with its own `Range`. A service without range support sends all media at once.
 * Ends after the last byte only.
 *
 * @throws ServiceError `download-changed` if the media changed between two chunks, or if a response does not continue
 * the received bytes; or as `HttpClient.send` does
 */
export async function* receivePieces(
  sender: Sender,
  request: PreparedRequest,
  chunkBytes: number,
  purpose: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let media: Media | undefined;
  for (let from = 0; ; ) {
    const headers = { ...request.headers, accept: "*/*", range: `bytes=${from}-${from + chunkBytes - 1}` };
    const answer = await send(sender, { ...request, headers }, { purpose, accept: [416] });
    const seen = mediaOf(answer);
    const doubt = doubtAbout(answer, seen, from, media);
    if (doubt !== undefined) {
      const message = `${purpose}: ${doubt} (after ${from} bytes); start the download again`;
      throw new ServiceError(message, { code: "download-changed", retryable: true });
    }
    // A service that does not report the length answers 416 after the last byte.
    if (answer.status === 416) return;
    if (answer.body.byteLength > 0) yield answer.body;
    if (answer.status !== 206) return;
    from += answer.body.byteLength;
    media = { version: seen.version, totalBytes: seen.totalBytes ?? media?.totalBytes };
    if (from === media.totalBytes) return;
  }
}

const range = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/i;

function mediaOf({ headers }: HttpResponse): Media {
  const version = headers.get("etag") ?? headers.get("x-goog-generation") ?? headers.get("last-modified");
  const total = range.exec(headers.get("content-range")?.trim() ?? "")?.[3];
  return { version, totalBytes: total === undefined || total === "*" ? undefined : Number(total) };
}

/** Returns why a response does not continue the first `from` bytes of the media; undefined if it does. */
function doubtAbout(
  { status, headers, body }: HttpResponse,
  seen: Media,
  from: number,
  before: Media | undefined,
): string | undefined {
  const total = seen.totalBytes ?? before?.totalBytes;
  if (before?.totalBytes !== undefined && total !== before.totalBytes) {
    return `the length of the media changed from ${before.totalBytes} to ${total} bytes`;
  }
  if (status === 416) {
    return total === undefined || total === from ? undefined : `the service sent only ${from} of ${total} bytes`;
  }
  if (before !== undefined && (status !== 206 || seen.version !== before.version)) return "the media changed";
  if (status !== 206) return undefined;
  if (body.byteLength === 0) return "the service answered with an empty part";
  const contentRange = headers.get("content-range")?.trim();
  if (contentRange === undefined) return undefined;
  const [, first, last] = range.exec(contentRange) ?? [];
  const isNext =
    Number(first) === from &&
    Number(last) === from + body.byteLength - 1 &&
    (total === undefined || Number(last) < total);
  return isNext
    ? undefined
    : `the service sent ${body.byteLength} bytes with the range '${contentRange.slice(0, 100)}'`;
}
