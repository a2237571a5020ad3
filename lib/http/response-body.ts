/** Why a body could not be read completely. */
export class BodyFailure extends Error {
  override readonly name = "BodyFailure";
  readonly code: "body-too-large" | "body-cut";

  constructor(code: BodyFailure["code"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * Reads a body and stops as soon as it exceeds the limit, whatever length its header states.
 *
 * @param maxBytes limit after decompression
 * @throws BodyFailure if the body is too large, or ends before it is complete
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new BodyFailure("body-cut", `the answer broke off after ${length} bytes`, cause);
    });
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw new BodyFailure("body-too-large", `the answer is longer than ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
  const announced = response.headers.get("content-length");
  const encoded = response.headers.get("content-encoding") ?? "identity";
  if (announced !== null && encoded === "identity" && response.status !== 304 && Number(announced) !== length) {
    throw new BodyFailure("body-cut", `the answer has ${length} bytes of the ${announced} it announced`);
  }
  return Buffer.concat(chunks, length);
}
