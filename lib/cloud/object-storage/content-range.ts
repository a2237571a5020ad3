import { CloudError } from "../cloud-error";

/**
 * Range of a request's bytes in the whole content; without `from`, the request has no content and asks for the status.
 */
export interface ContentRange {
  readonly from?: number;
  /** Offset after the last byte. */
  readonly end?: number;
  /** Length of the whole content in bytes; undefined if the client does not know it yet. */
  readonly total?: number;
}

const malformed =
  "the Content-Range can't be read: send 'bytes FIRST-LAST/TOTAL', or 'bytes */TOTAL' to ask for the status; TOTAL is '*' while it is unknown";

/**
 * Reads `Content-Range` of a piece; without the header, a request contains the whole content.
 *
 * @param bytes length of the request's body
 * @throws CloudError
 */
export function readContentRange(header: string | undefined, bytes: number): ContentRange {
  if (header === undefined) return { from: 0, end: bytes, total: bytes };
  const match = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(?:(\d{1,15})|\*)$/.exec(header);
  if (match === null) throw new CloudError("INVALID_ARGUMENT", malformed);
  const [, first, last, size] = match;
  const total = size === undefined ? {} : { total: Number(size) };
  if (first === undefined) {
    if (bytes === 0) return total;
    throw new CloudError("INVALID_ARGUMENT", `a status request has no body, got ${bytes} bytes`);
  }
  const from = Number(first);
  const end = Number(last) + 1;
  if (end - from !== bytes || end > (total.total ?? end)) {
    const message = `the Content-Range '${header}' does not fit the body of ${bytes} bytes: send exactly these bytes`;
    throw new CloudError("INVALID_ARGUMENT", message);
  }
  return { from, end, ...total };
}

/**
 * Reads `Range` of a download.
 *
 * @returns the offsets of the first byte and after the last byte; undefined for the whole content, also for an invalid
 * header, which RFC 9110 requires to ignore; "unsatisfiable" if the range is outside the content
 */
export function readRange(
  header: string | undefined,
  bytes: number,
): { readonly from: number; readonly end: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (match === null || (first === "" && last === "")) return undefined;
  if (first === "")
    return Number(last) === 0 || bytes === 0
      ? "unsatisfiable"
      : { from: Math.max(0, bytes - Number(last)), end: bytes };
  const from = Number(first);
  if (last !== "" && Number(last) < from) return undefined;
  return from >= bytes ? "unsatisfiable" : { from, end: last === "" ? bytes : Math.min(bytes, Number(last) + 1) };
}
