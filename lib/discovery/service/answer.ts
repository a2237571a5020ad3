import { createHash } from "node:crypto";
import { defined } from "../../json/defined";
import type { DescriptionDocument, DirectoryItem } from "../document";
import type { CatalogueEntry } from "./catalogue";

/** The parts of a request that the service reads. */
export interface DescriptionRequest {
  readonly method: string;
  /** Path and query as received, or an absolute URL. */
  readonly url: string;
  /** Headers by lower-case name, as Node provides them. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Scheme of the received request. @default "http" */
  readonly scheme?: "http" | "https";
}

/** A prepared response, for any HTTP server. */
export interface DescriptionAnswer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body; empty for a response without a body. */
  readonly body: string;
}

export interface Refusal {
  /** The service's code of the error, for example `notFound`. */
  readonly reason: string;
  readonly message: string;
}

export interface Content {
  readonly body: string;
  /** Strong entity tag: equal if and only if the bytes are equal. */
  readonly etag: string;
}

const contentType = "application/json; charset=UTF-8";

const statusWords: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
};

/** Returns an error in the service's own form. It combines the older and the newer form, as in the public service. */
export function errorAnswer(
  { method }: DescriptionRequest,
  code: number,
  refusals: readonly [Refusal, ...Refusal[]],
  headers: Readonly<Record<string, string>> = {},
): DescriptionAnswer {
  const errors = refusals.map(({ reason, message }) => ({ domain: "global", reason, message }));
  const error = { code, message: refusals[0].message, errors, status: statusWords[code] };
  const body = writeJson({ error }, "indented");
  return {
    status: code,
    headers: { "content-type": contentType, "cache-control": "no-store", ...lengthOf(body), ...headers },
    body: method === "HEAD" ? "" : body,
  };
}

export function contentAnswer(request: DescriptionRequest, content: Content, maxAgeSeconds: number): DescriptionAnswer {
  const headers = { etag: content.etag, "cache-control": `public, max-age=${maxAgeSeconds}` };
  if (holds(request.headers?.["if-none-match"], content.etag)) return { status: 304, headers, body: "" };
  return {
    status: 200,
    headers: { ...headers, "content-type": contentType, ...lengthOf(content.body) },
    body: request.method === "HEAD" ? "" : content.body,
  };
}

/** `*` matches any content, and weak tags are equal to strong tags (RFC 9110, 13.1.2). */
function holds(header: string | readonly string[] | undefined, etag: string): boolean {
  const text = typeof header === "object" ? header.join(",") : (header ?? "");
  if (text.trim() === "*") return true;
  return [...text.matchAll(/"[\x21\x23-\x7e\x80-\xff]*"/g)].some(([tag]) => tag === etag);
}

export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

/** How an answer writes JSON. */
export type JsonLayout = "indented" | "compact";

export function writeJson(value: unknown, layout: JsonLayout): string {
  return layout === "indented" ? `${JSON.stringify(value, undefined, 2)}\n` : JSON.stringify(value);
}

function lengthOf(body: string): Readonly<Record<string, string>> {
  return { "content-length": String(Buffer.byteLength(body)) };
}

/** Returns the description with all its addresses under one root, which ends with a slash. */
export function withRootUrl(document: DescriptionDocument, rootUrl: string): DescriptionDocument {
  const { baseUrl, mtlsRootUrl, endpoints, servicePath = "" } = document;
  return {
    ...document,
    rootUrl,
    ...defined({
      baseUrl: baseUrl === undefined ? undefined : `${rootUrl}${servicePath.replace(/^\/+/, "")}`,
      mtlsRootUrl: mtlsRootUrl === undefined ? undefined : rootUrl,
      endpoints: endpoints?.map((endpoint) => ({ ...endpoint, endpointUrl: rootUrl })),
    }),
  };
}

/** Returns a description as HTTP content. Its entity tag replaces an `etag` from an earlier download. */
export function descriptionContent(document: DescriptionDocument, layout: JsonLayout): Content {
  const etag = etagOf(writeJson({ ...document, etag: undefined }, layout));
  return { body: writeJson(document.etag === undefined ? document : { ...document, etag }, layout), etag };
}

export function directoryItem(
  { description: api, preferred }: CatalogueEntry,
  discoveryRestUrl: string,
): DirectoryItem {
  const { name, version, document } = api;
  const { title, description, icons, documentationLink, labels } = document;
  return {
    kind: "discovery#directoryItem",
    id: `${name}:${version}`,
    name,
    version,
    ...defined({ title, description }),
    discoveryRestUrl,
    ...defined({ icons, documentationLink, labels }),
    preferred,
  };
}
