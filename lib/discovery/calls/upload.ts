import { InputError, ServiceError } from "../../errors";
import type { HttpResponse } from "../../http";
import { quote } from "../../text/quote";
import { jsonOf, type Sender, send } from "./sender";

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

/**
 * Returns the length of a chunk in bytes.
 *
 * @throws InputError `chunk-size`
 */
export function chunkBytesOf({ chunkBytes = defaultChunkBytes }: Pick<UploadInput, "chunkBytes">): number {
  if (Number.isSafeInteger(chunkBytes) && chunkBytes > 0 && chunkBytes % chunkUnit === 0) return chunkBytes;
  const message = `chunkBytes can't be ${quote(String(chunkBytes))}: give a multiple of ${chunkUnit}, the services take no other pieces`;
  throw new InputError("chunk-size", message);
}

/**
 * Sends the content of a resumable upload to its session, chunk by chunk. After a temporary failure, the function asks
 * the session how many bytes it has and sends the rest. It also asks if the session has every byte, but did not answer
 * with the result of the method.
 *
 * @param start the response that started the session
 * @param startUrl URL that started the session; a session with another origin does not receive the caller's headers
 * @returns the method's response
 * @throws ServiceError `upload-session-missing`, `upload-stalled`, or as `HttpClient.send` does
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
  let isInDoubt = false;
  for (;;) {
    const end = Math.min(sent + chunkBytes, total);
    const wasAllSent = sent === total && total > 0;
    const asksForStatus = isInDoubt || wasAllSent || total === 0;
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
    failures = has !== undefined && has > sent ? 0 : failures + (isInDoubt && has !== undefined ? 0 : 1);
    if (failures >= mostFailures || (has !== undefined && (has < sent || has > total))) {
      const message = `${purpose}: the upload doesn't get on: the service has ${has ?? sent} of ${total} bytes; begin it again`;
      throw new ServiceError(message, { code: "upload-stalled", retryable: true });
    }
    isInDoubt = has === undefined;
    sent = has ?? sent;
    if (has !== undefined) input.onProgress?.(sent, total);
  }

  /** Sends one chunk. Returns undefined after a temporary failure. */
  async function put(body: Uint8Array, range: string): Promise<HttpResponse | undefined> {
    const request = { method: "PUT", url, headers: { "content-range": range }, body };
    try {
      return await send(sender, request, { purpose, accept: [308], repeatable: false, isTrusted });
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
