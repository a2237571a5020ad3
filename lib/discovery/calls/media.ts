import { InputError, ServiceError } from "../../errors";
import type { HttpClient, HttpRequest, HttpResponse } from "../../http";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import type { PreparedRequest } from "../requests";

/** Content to upload in chunks. */
export interface UploadInput {
  readonly content: Uint8Array;
  /** Media type, for example `image/png`. */
  readonly contentType: string;
  /** Length of a chunk in bytes. The services require a multiple of 262,144 (256 KiB). @default 8_388_608 (8 MiB) */
  readonly chunkBytes?: number;
  /** Called with the number of bytes that the service has received. @default - not called */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

const chunkUnit = 256 * 1024;
const defaultChunkBytes = 8 * 1024 * 1024;
/** Maximum number of consecutive failures without progress. */
const mostFailures = 5;

/** @throws InputError `chunk-size` */
export function chunkBytesOf({ chunkBytes = defaultChunkBytes }: Pick<UploadInput, "chunkBytes">): number {
  if (Number.isSafeInteger(chunkBytes) && chunkBytes > 0 && chunkBytes % chunkUnit === 0) return chunkBytes;
  const message = `chunkBytes can't be ${quote(String(chunkBytes))}: give a multiple of ${chunkUnit}, the services take no other pieces`;
  throw new InputError("chunk-size", message);
}

/**
 * Sends the content of a resumable upload to its session, chunk by chunk. After a temporary failure, or if the session
 * has every byte but did not answer with the method's result, it asks the session how many bytes it has. A session with
 * another origin than `startUrl` does not receive the caller's headers.
 */
export async function sendPieces(
  sender: Sender,
  start: HttpResponse,
  startUrl: string,
  input: UploadInput,
  purpose: string,
): Promise<unknown> {
  const session = start.headers.get("location");
  if (session === undefined || !URL.canParse(session, startUrl)) {
    const message = `${purpose}: the service began no upload session: its answer has no Location that can be asked`;
    throw new ServiceError(message, { code: "upload-session-missing", retryable: false });
  }
  const url = new URL(session, startUrl).href;
  const isTrusted = new URL(url).origin === new URL(startUrl).origin;
  const { content } = input;
  const total = content.byteLength;
  const chunkBytes = chunkBytesOf(input);
  let sent = 0;
  let failures = 0;
  let isUncertain = false;
  for (;;) {
    const end = Math.min(sent + chunkBytes, total);
    const wasAllSent = sent === total && total > 0;
    const asksForStatus = isUncertain || wasAllSent || total === 0;
    const piece = asksForStatus ? new Uint8Array() : content.subarray(sent, end);
    const range = asksForStatus ? `bytes */${total}` : `bytes ${sent}-${end - 1}/${total}`;
    const answer = await put(piece, range);
    const has = answer === undefined ? undefined : answer.status === 308 ? bytesHeld(answer) : total;
    if (answer !== undefined && answer.status !== 308) {
      input.onProgress?.(total, total);
      return jsonOf(answer.text, purpose);
    }
    if (wasAllSent && has === total) {
      const message = `${purpose}: the service has all ${total} bytes, but does not complete the upload; start it again`;
      throw new ServiceError(message, { code: "upload-stalled", retryable: true });
    }
    failures = has !== undefined && has > sent ? 0 : failures + (isUncertain && has !== undefined ? 0 : 1);
    if (failures >= mostFailures || (has !== undefined && (has < sent || has > total))) {
      const message = `${purpose}: the upload doesn't get on: the service has ${has ?? sent} of ${total} bytes; begin it again`;
      throw new ServiceError(message, { code: "upload-stalled", retryable: true });
    }
    isUncertain = has === undefined;
    sent = has ?? sent;
    if (has !== undefined) input.onProgress?.(sent, total);
  }

  /** Sends one chunk. Returns undefined after a temporary failure. */
  async function put(body: Uint8Array, range: string): Promise<HttpResponse | undefined> {
    const request = { method: "PUT", url, headers: { "content-range": range }, body };
    try {
      return await send(sender, request, { purpose, accept: [308], retries: { repeatable: false }, isTrusted });
    } catch (error) {
      if (error instanceof ServiceError && error.retryable && failures + 1 < mostFailures) return undefined;
      throw error;
    }
  }
}

/** Returns the number of bytes that the service has, from `Range: bytes=0-LAST`; 0 without that header. */
function bytesHeld({ headers }: HttpResponse): number {
  const last = /^bytes=0-(\d{1,16})$/.exec(headers.get("range") ?? "")?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

/** Description of the media by the responses so far. */
interface Media {
  /** Changes with the media; undefined if the service has no such header. */
  readonly version: string | undefined;
  /** Length in bytes; undefined if the service does not report it. */
  readonly totalBytes: number | undefined;
}

/**
 * Downloads media chunk by chunk, each with its own `Range`. A service without range support sends all media at once.
 * Ends after the last byte only. Throws `download-changed` if a response does not continue the received bytes.
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
    const change = changeOf(answer, seen, from, media);
    if (change !== undefined) {
      const message = `${purpose}: ${change} (after ${from} bytes); start the download again`;
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
function changeOf(
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

/** Returns the headers of a request, for example `authorization`. Called for each request, because tokens expire. */
export type CallHeaders = () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;

export interface Sender {
  readonly http: HttpClient;
  readonly headers: CallHeaders;
  readonly signal: AbortSignal | undefined;
}

interface SendOptions extends Pick<HttpRequest, "purpose" | "accept" | "retries"> {
  /** Whether the request goes to the API. Other destinations do not receive the caller's headers. @default true */
  readonly isTrusted?: boolean;
}

export async function send(
  { http, headers, signal }: Sender,
  request: Pick<PreparedRequest, "method" | "url" | "headers" | "body">,
  { isTrusted = true, ...options }: SendOptions,
): Promise<HttpResponse> {
  return http.send({
    method: request.method,
    url: request.url,
    headers: { ...request.headers, ...(isTrusted ? await headers() : {}) },
    ...defined({ body: request.body, signal }),
    ...options,
  });
}

/** Returns the JSON of a response; undefined if the response has no content. @throws ServiceError `answer-not-json` */
export function jsonOf(text: string, purpose: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError(`${purpose}: the answer is not JSON`, { code: "answer-not-json", retryable: false, cause });
  }
}
