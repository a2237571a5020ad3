import { CloudError } from "../cloud-error";

/** Range of a request's bytes in the content; without `from`, the request has no content and asks for the status. */
export interface ContentRange {
  readonly from?: number;
  /** Offset after the last byte. */
  readonly end?: number;
  /** Length of the whole content in bytes; undefined if the client does not know it yet. */
  readonly total?: number;
}

const malformedRange =
  "the Content-Range can't be read: send 'bytes FIRST-LAST/TOTAL', or 'bytes */TOTAL' to ask for the status; TOTAL is '*' while it is unknown";

/** Reads `Content-Range` of a piece; without the header, a request contains the whole content. @throws CloudError */
export function readContentRange(header: string | undefined, bytes: number): ContentRange {
  if (header === undefined) return { from: 0, end: bytes, total: bytes };
  const match = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(?:(\d{1,15})|\*)$/.exec(header);
  if (match === null) throw new CloudError("INVALID_ARGUMENT", malformedRange);
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

interface RelatedParts {
  /** Metadata in JSON. */
  readonly metadata: string;
  readonly contentType: string | undefined;
  readonly content: Uint8Array;
}

const longestBoundary = 70;
const longestHead = 16 * 1024;

/**
 * Splits a multipart upload (RFC 2387) into the metadata and the content, byte for byte. Lines end with CRLF, or all
 * with LF, as in uploads of Google's client for Python.
 *
 * @throws CloudError
 */
export function splitRelated(contentType: string | undefined, octets: Uint8Array): RelatedParts {
  const match = /^multipart\/related\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]+)"|([^\s;"]+))/i.exec(
    (contentType ?? "").slice(0, 1_000),
  );
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined || boundary.length > longestBoundary)
    throw malformed(`the content type is not multipart/related with a boundary of up to ${longestBoundary} characters`);
  const body = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  const parts: Buffer[] = [];
  // The first delimiter has no line break before it.
  let at = body.indexOf(`--${boundary}`);
  if (at > 0 && body[at - 1] !== lineFeed) at = -1;
  at = at === -1 ? -1 : at + boundary.length + 2;
  const lineEnd = body.subarray(at).indexOf("\r\n") === 0 ? "\r\n" : "\n";
  const delimiter = `${lineEnd}--${boundary}`;
  while (at !== -1 && body.subarray(at, at + 2).toString("latin1") !== "--" && parts.length < 3) {
    const end = body.indexOf(delimiter, at);
    if (end === -1) throw malformed("the last boundary is missing");
    parts.push(body.subarray(at, end));
    at = end + delimiter.length;
  }
  const [metadata, content] = parts;
  if (metadata === undefined || content === undefined || parts.length !== 2)
    throw malformed(`it has ${parts.length === 3 ? "more than 2" : parts.length} parts`);
  const { content: json } = splitHead(metadata, lineEnd);
  return { metadata: json.toString("utf8"), ...splitHead(content, lineEnd) };
}

const lineFeed = 0x0a;

function splitHead(
  part: Buffer,
  lineEnd: string,
): { readonly contentType: string | undefined; readonly content: Buffer } {
  const first = part.indexOf(lineEnd);
  // A part without headers begins with an empty line.
  const end = first === -1 ? -1 : part.indexOf(`${lineEnd}${lineEnd}`, first);
  if (end === -1 || end > longestHead) throw malformed("a part has no empty line after its headers");
  const head = part.subarray(first, end).toString("latin1");
  const content = part.subarray(end + 2 * lineEnd.length);
  return { contentType: /\ncontent-type:[ \t]*([^\r\n]+)/i.exec(head)?.[1]?.trim(), content };
}

function malformed(why: string): CloudError {
  return new CloudError(
    "INVALID_ARGUMENT",
    `the multipart upload can't be read: ${why}; send one part of JSON metadata and one part of content`,
  );
}
