/** Batches: requests in one multipart/mixed body, each in an application/http part (RFC 2046) as HTTP/1.1 message. */
import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { boundaryFor } from "./media-upload";
import type { PreparedRequest } from "./request";

const mostParts = 1_000;
const longestBoundary = 70;

/** A parsed part of a batch. */
export interface BatchedRequest {
  /** Content id without angle brackets; empty if the part has none. */
  readonly contentId: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** One response of a batch. */
export interface BatchedResponse {
  /** Content id of the request, without `response-`. */
  readonly contentId: string;
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Headers and body of the request or response that contains a batch. */
export interface EncodedBatch {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Writes requests into one body. The ids of the parts are their positions, from 1.
 *
 * @throws {@link InputError} `batch-size` for no requests or more than 1,000; `batch-media` for a request that carries
 * media, starts a resumable upload or requests media; `batch-host` for requests to different hosts
 */
export function encodeBatch(requests: readonly PreparedRequest[]): EncodedBatch {
  if (requests.length === 0 || requests.length > mostParts) {
    throw new InputError("batch-size", `a batch takes 1 to ${mostParts} requests, got ${requests.length}`);
  }
  checkBatched(requests);
  return join(
    requests.map((request, index) => {
      const target = request.url.replace(/^https?:\/\/[^/?#]*/i, "");
      const head = [`${request.method} ${target} HTTP/1.1`, ...headerLines(Object.entries(request.headers))];
      return part(String(index + 1), `${head.join("\r\n")}\r\n\r\n${request.body ?? ""}`);
    }),
  );
}

/** Refuses media and several hosts. A part has no host and cannot contain media. */
function checkBatched(requests: readonly PreparedRequest[]): void {
  const problems: Problem[] = [];
  const [first] = requests.map(({ url }) => hostOf(url));
  for (const [index, request] of requests.entries()) {
    const which = `request ${index + 1}`;
    if (carriesMedia(request)) {
      problems.push({
        code: "batch-media",
        message: `${which} carries media, or starts an upload: send it on its own`,
      });
    }
    const host = hostOf(request.url);
    if (host === first) continue;
    const message = `${which} goes to ${quote(host)}, request 1 to ${quote(first ?? "")}: a batch goes to one host, send one for each`;
    problems.push({ code: "batch-host", message });
  }
  if (problems.length > 0) throw new InputError(problems);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}

function carriesMedia({ url, body, headers }: PreparedRequest): boolean {
  const query = new URLSearchParams(url.split("#")[0]?.split("?")[1] ?? "");
  const contentType = headers["content-type"] ?? "application/json";
  return (
    (body !== undefined && typeof body !== "string") ||
    query.get("alt") === "media" ||
    query.has("uploadType") ||
    query.has("upload_protocol") ||
    Object.keys(headers).some((name) => name.toLowerCase().startsWith("x-upload-content-")) ||
    !/^application\/json\b/i.test(contentType)
  );
}

/** Writes the responses to a batch, in the given order. */
export function encodeBatchResponse(responses: readonly BatchedResponse[]): EncodedBatch {
  return join(
    responses.map(({ contentId, status, headers, body }) => {
      const head = [`HTTP/1.1 ${status} ${status < 400 ? "OK" : "Error"}`, ...headerLines(headers)];
      return part(`response-${contentId}`, `${head.join("\r\n")}\r\n\r\n${body}`);
    }),
  );
}

/**
 * Parses the body of a batch, as a service does.
 *
 * @throws {@link InputError} `batch-malformed` or `batch-size`
 */
export function decodeBatch(contentType: string, body: string): readonly BatchedRequest[] {
  return split(contentType, body).map(({ contentId, startLine, headers, content }, index) => {
    const match = /^([A-Za-z]{1,20}) (\S{1,65536})(?: HTTP\/[\d.]{1,5})?$/.exec(startLine);
    if (match === null) throw malformed(`part ${index + 1} has no request line such as 'GET /path HTTP/1.1'`);
    return { contentId, method: (match[1] ?? "").toUpperCase(), target: match[2] ?? "", headers, body: content };
  });
}

/**
 * Parses the response to a batch. The parts may be in any order.
 *
 * @throws {@link InputError} `batch-malformed` or `batch-size`
 */
export function decodeBatchResponse(contentType: string, body: string): readonly BatchedResponse[] {
  return split(contentType, body).map(({ contentId, startLine, headers, content }, index) => {
    const match = /^HTTP\/[\d.]{1,5} (\d{3})(?: .*)?$/.exec(startLine);
    if (match === null) throw malformed(`part ${index + 1} has no status line such as 'HTTP/1.1 200 OK'`);
    return { contentId: contentId.replace(/^response-/, ""), status: Number(match[1]), headers, body: content };
  });
}

interface Part {
  readonly contentId: string;
  readonly startLine: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly content: string;
}

function split(contentType: string, body: string): readonly Part[] {
  const boundary = /^multipart\/mixed\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]+)"|([^\s;"]+))/i.exec(
    contentType.slice(0, 1_000),
  );
  const delimiter = boundary?.[1] ?? boundary?.[2];
  if (delimiter === undefined || delimiter.length > longestBoundary) {
    throw malformed(
      `the content type must be multipart/mixed with a boundary of at most ${longestBoundary} characters`,
    );
  }
  return piecesBetween(`--${delimiter}`, body).map(readPart);
}

/** A boundary has its own line, and the line break before it belongs to the boundary. */
function piecesBetween(delimiter: string, body: string): readonly string[] {
  const pieces: string[] = [];
  let from: number | undefined;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    const after = at + delimiter.length;
    const line = /^(--)?[ \t]*(?:\r?\n|$)/.exec(body.slice(after, after + 200));
    if (line === null || (at > 0 && body[at - 1] !== "\n")) continue;
    if (from !== undefined) pieces.push(body.slice(from, Math.max(from, at - (body[at - 2] === "\r" ? 2 : 1))));
    if (line[1] !== undefined) return pieces;
    if (pieces.length >= mostParts)
      throw new InputError("batch-size", `a batch takes at most ${mostParts} parts, got more`);
    from = after + line[0].length;
  }
  throw malformed("the closing boundary is missing, so the batch may be cut");
}

function readPart(piece: string, index: number): Part {
  const [outer, inner] = cutAtBlankLine(piece);
  const outerHeaders = readHeaders(outer.split("\n"));
  const type = outerHeaders.get("content-type") ?? "application/http";
  if (!/^application\/http\b/i.test(type)) throw malformed(`part ${index + 1} is not application/http`);
  const [head, content] = cutAtBlankLine(inner);
  const [startLine = "", ...lines] = head.split("\n");
  const headers = readHeaders(lines);
  return {
    contentId: (outerHeaders.get("content-id") ?? "").replace(/^<|>$/g, ""),
    startLine: startLine.trim(),
    headers,
    content: withoutPadding(content, headers.get("content-length")),
  };
}

/** Removes the line breaks that some clients add after a body, or instead of an empty body. */
function withoutPadding(content: string, contentLength: string | undefined): string {
  const text = content.replace(/^[\r\n]+$/, "");
  if (contentLength === undefined || !/^\d{1,15}$/.test(contentLength)) return text;
  const bytes = Buffer.from(text);
  const said = Number(contentLength);
  const isPadded = said < bytes.length && /^[\r\n]+$/.test(bytes.toString("latin1", said));
  return isPadded ? bytes.toString("utf8", 0, said) : text;
}

function cutAtBlankLine(text: string): readonly [string, string] {
  const blank = /(?:^|\n)\r?\n/.exec(text);
  return blank === null ? [text, ""] : [text.slice(0, blank.index), text.slice(blank.index + blank[0].length)];
}

function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

function headerLines(headers: Iterable<readonly [string, string]>): readonly string[] {
  return [...headers].map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, " ")}`);
}

function part(contentId: string, message: string): string {
  return `content-type: application/http\r\ncontent-id: <${contentId.replace(/[\r\n<>]/g, "")}>\r\n\r\n${message}\r\n`;
}

function join(parts: readonly string[]): EncodedBatch {
  const boundary = boundaryFor(parts.map((text) => Buffer.from(text)));
  return {
    headers: { "content-type": `multipart/mixed; boundary=${boundary}` },
    body: `${parts.map((text) => `--${boundary}\r\n${text}`).join("")}--${boundary}--\r\n`,
  };
}

function malformed(why: string): InputError {
  return new InputError("batch-malformed", `this is not a batch: ${why}`);
}
