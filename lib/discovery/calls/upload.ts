import { InputError, ServiceError } from "../../errors";
import type { HttpResponse } from "../../http";
import { quote } from "../../text/quote";
import { jsonOf, type Sender, send } from "./sender";

/** What to upload in pieces. */
export interface UploadInput {
  readonly content: Uint8Array;
  /** As in `image/png`. */
  readonly contentType: string;
  /**
   * Length of a piece in bytes, a multiple of 262,144 (256 KiB), as the services insist.
   *
   * @default 8_388_608 (8 MiB)
   */
  readonly chunkBytes?: number;
  /** Told how many bytes the service has. @default - not told */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

const chunkUnit = 256 * 1024;
const defaultChunkBytes = 8 * 1024 * 1024;
/** Failures in a row without a byte more at the service. */
const mostFailures = 5;

/** @throws InputError `chunk-size` */
export function chunkBytesOf({ chunkBytes = defaultChunkBytes }: Pick<UploadInput, "chunkBytes">): number {
  if (Number.isSafeInteger(chunkBytes) && chunkBytes > 0 && chunkBytes % chunkUnit === 0) return chunkBytes;
  const message = `chunkBytes can't be ${quote(String(chunkBytes))}: give a multiple of ${chunkUnit}, the services take no other pieces`;
  throw new InputError("chunk-size", message);
}

/**
 * Sends the content of a resumable upload to its session, piece by piece. After a failure that may pass the session is asked how much it has, and the rest
 * is sent.
 *
 * @param start the answer that began the session
 * @param startUrl where the session was begun; a session elsewhere gets none of the caller's headers
 * @returns the method's answer
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
    const piece = isInDoubt ? new Uint8Array() : content.subarray(sent, end);
    const range = isInDoubt || total === 0 ? `bytes */${total}` : `bytes ${sent}-${end - 1}/${total}`;
    const answer = await put(piece, range);
    const has = answer === undefined ? undefined : answer.status === 308 ? bytesHeld(answer) : total;
    if (answer !== undefined && answer.status !== 308) {
      input.onProgress?.(total, total);
      return jsonOf(answer.text, purpose);
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

  /** Undefined after a failure that may pass. */
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

/** How much the service has, by `Range: bytes=0-LAST`; none without that header. */
function bytesHeld({ headers }: HttpResponse): number {
  const last = /^bytes=0-(\d{1,16})$/.exec(headers.get("range") ?? "")?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}
