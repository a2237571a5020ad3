import { createHash } from "node:crypto";

/** A request as far as the service looks at it. */
export interface DescriptionRequest {
  readonly method: string;
  /** Path and query as they came over the wire, or an absolute URL. */
  readonly url: string;
  /** By lower-case name, as Node hands them out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** How the service was reached. @default "http" */
  readonly scheme?: "http" | "https";
}

/** An answer, ready to be written to the wire. */
export interface DescriptionAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty where there is none. */
  readonly body: string;
}

/** Something that is wrong with a request. */
export interface Refusal {
  /** The service's word for it, such as `notFound`. */
  readonly reason: string;
  readonly message: string;
}

/** Content that exists at an address. */
export interface Content {
  readonly body: string;
  /** Strong: the same for the same bytes and for no others. */
  readonly etag: string;
}

const contentType = "application/json; charset=UTF-8";

/** Words of google.rpc.Code by HTTP status, where there is one that says what the status says. */
const statusWords: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
};

/** An error in the service's own form, older and newer dialect in one, as the public service writes it. */
export function errorAnswer(
  { method }: DescriptionRequest,
  code: number,
  refusals: readonly [Refusal, ...Refusal[]],
  headers: Readonly<Record<string, string>> = {},
): DescriptionAnswer {
  const errors = refusals.map(({ reason, message }) => ({ domain: "global", reason, message }));
  const error = { code, message: refusals[0].message, errors, status: statusWords[code] };
  const body = writeJson({ error }, true);
  return {
    status: code,
    headers: { "content-type": contentType, "cache-control": "no-store", ...lengthOf(body), ...headers },
    body: method === "HEAD" ? "" : body,
  };
}

/** Content, or that the asker has it already. */
export function contentAnswer(request: DescriptionRequest, content: Content, maxAgeSeconds: number): DescriptionAnswer {
  const headers = { etag: content.etag, "cache-control": `public, max-age=${maxAgeSeconds}` };
  if (holds(request.headers?.["if-none-match"], content.etag)) return { status: 304, headers, body: "" };
  return {
    status: 200,
    headers: { ...headers, "content-type": contentType, ...lengthOf(content.body) },
    body: request.method === "HEAD" ? "" : content.body,
  };
}

/**
 * Whether `If-None-Match` names this content: `*` names any, and weak tags count as the strong ones (RFC 9110, 13.1.2).
 */
function holds(header: string | readonly string[] | undefined, etag: string): boolean {
  const text = typeof header === "object" ? header.join(",") : (header ?? "");
  if (text.trim() === "*") return true;
  return [...text.matchAll(/"[\x21\x23-\x7e\x80-\xff]*"/g)].some(([tag]) => tag === etag);
}

/** The entity tag of a text. */
export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

/** @param pretty with line breaks and indentation */
export function writeJson(value: unknown, pretty: boolean): string {
  return pretty ? `${JSON.stringify(value, undefined, 2)}\n` : JSON.stringify(value);
}

function lengthOf(body: string): Readonly<Record<string, string>> {
  return { "content-length": String(Buffer.byteLength(body)) };
}
