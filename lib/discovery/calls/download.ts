import { ServiceError } from "../../errors";
import type { PreparedRequest } from "../requests";
import { type Sender, send } from "./sender";

/**
 * Downloads media chunk by chunk, each with its own `Range`. A service without range support sends all media at once.
 *
 * @throws ServiceError `download-changed` if the media changed between two chunks, or as `HttpClient.send` does
 */
export async function* receivePieces(
  sender: Sender,
  request: PreparedRequest,
  chunkBytes: number,
  purpose: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let etag: string | undefined;
  for (let from = 0; ; ) {
    const headers = { ...request.headers, accept: "*/*", range: `bytes=${from}-${from + chunkBytes - 1}` };
    const answer = await send(sender, { ...request, headers }, { purpose, accept: [416] });
    // All media were received, or the media are empty.
    if (answer.status === 416) return;
    const isPart = answer.status === 206;
    const tag = answer.headers.get("etag");
    if (from > 0 && (!isPart || tag !== etag)) {
      const message = `${purpose}: the media changed after ${from} bytes; begin again`;
      throw new ServiceError(message, { code: "download-changed", retryable: true });
    }
    etag = tag;
    if (answer.body.byteLength > 0) yield answer.body;
    from += answer.body.byteLength;
    const total = /^bytes \d+-\d+\/(\d{1,16})$/.exec(answer.headers.get("content-range") ?? "")?.[1];
    if (!isPart || answer.body.byteLength === 0 || (total !== undefined && from >= Number(total))) return;
  }
}
