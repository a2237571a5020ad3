import { createHash } from "node:crypto";
import { defined } from "../../json/defined";
import { isEtag } from "./freshness";

/** A stored response. */
export interface CachedAnswer {
  readonly url: string;
  /** Entity tag, for the request whether the content has changed. */
  readonly etag?: string;
  /** Time of the request, in milliseconds since 1970. */
  readonly fetchedAtMs: number;
  /** How long the response may be used without a request, in seconds from `fetchedAtMs`. */
  readonly maxAgeSeconds: number;
  readonly body: Uint8Array;
}

/** First word of every file, with the version of the file format. */
const mark = "api-description-cache/1";
/** Maximum length of the first two lines. A file with longer lines is not a cache file. */
const longestHead = 20_000;

/** Returns the name of a URL's file. Each URL has its own name, which is valid on every file system. */
export function cacheFileName(url: string): string {
  return `${createHash("sha256").update(url).digest("hex")}.cache`;
}

/**
 * Writes a file of three parts: a line with the mark and the checksum of the rest, a line of JSON with the metadata,
 * and the unchanged body. The body is a separate part so that megabytes of JSON are not parsed twice.
 */
export function writeCacheFile({ body, ...head }: CachedAnswer): Buffer {
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
  return Buffer.concat([Buffer.from(`${mark} ${checksum(rest)}\n`), rest]);
}

/** Reads a file. Returns undefined if the file is incomplete, has another format, or belongs to another URL. */
export function readCacheFile(file: Buffer, url: string): CachedAnswer | undefined {
  const endOfFirst = file.subarray(0, longestHead).indexOf("\n");
  if (endOfFirst === -1) return undefined;
  const rest = file.subarray(endOfFirst + 1);
  if (file.toString("latin1", 0, endOfFirst) !== `${mark} ${checksum(rest)}`) return undefined;
  const endOfHead = rest.subarray(0, longestHead).indexOf("\n");
  const head = endOfHead === -1 ? undefined : readHead(rest.toString("utf8", 0, endOfHead));
  return head?.url === url ? { ...head, body: rest.subarray(endOfHead + 1) } : undefined;
}

function checksum(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Parses the metadata and checks every field. The checksum detects accidental damage only; another program can also
 * write such files.
 */
function readHead(text: string): Omit<CachedAnswer, "body"> | undefined {
  const head = parseJson(text);
  const [url, etag, fetchedAtMs, maxAgeSeconds] = ["url", "etag", "fetchedAtMs", "maxAgeSeconds"].map((name) =>
    head !== undefined && Object.hasOwn(head, name) ? head[name] : undefined,
  );
  if (typeof url !== "string" || !isCount(fetchedAtMs) || !isCount(maxAgeSeconds)) return undefined;
  if (etag !== undefined && (typeof etag !== "string" || !isEtag(etag))) return undefined;
  return { url, fetchedAtMs, maxAgeSeconds, ...defined({ etag }) };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
