import { createHash } from "node:crypto";
import { ApiClient, ownDescription } from "../../../lib/discovery";
import { createHttpClient } from "../../../lib/http";
import type { TestCloud } from "../../support/cloud";

/** Bytes of a piece of a resumable upload: its smallest size. */
export const unit = 256 * 1024;
/** Every byte value in a non-periodic order, which text decoders would corrupt. */
export const content = Buffer.concat(
  Array.from({ length: Math.ceil((3 * unit + 12_345) / 32) }, (_, index) =>
    createHash("sha256").update(String(index)).digest(),
  ),
).subarray(0, 3 * unit + 12_345);
export const contentType = "application/x-test";
export const storage = ownDescription("storage:v1");
export const http = createHttpClient({ retry: { maxAttempts: 1 } });

/** Returns a client of a cloud's object storage that does not retry. */
export function storageClient(cloud: TestCloud): ApiClient {
  return new ApiClient(storage, { endpoint: cloud.endpoints.http, http });
}

/** Downloads an object of the bucket `b-1` in pieces. */
export async function downloaded(cloud: TestCloud, name: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const input = { parameters: { bucket: "b-1", object: name } };
  for await (const piece of storageClient(cloud).download("storage.objects.get", input, { chunkBytes: unit })) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Sends bytes to a session of a resumable upload. @param range the header Content-Range, if any */
export async function put(session: string, range: string | undefined, body: Uint8Array = new Uint8Array()) {
  const headers: Record<string, string> = range === undefined ? {} : { "content-range": range };
  const answer = await fetch(session, { method: "PUT", headers, body: new Uint8Array(body) });
  return { status: answer.status, range: answer.headers.get("range"), text: await answer.text() };
}
