import { createHash } from "node:crypto";
import { isEtag } from "./freshness";

/** An answer that was kept. */
export interface CachedAnswer {
  readonly url: string;
  /** What to ask with, whether it is still the content. */
  readonly etag?: string;
  /** When it was asked for, in milliseconds since 1970. */
  readonly fetchedAtMs: number;
  /** How long from then it may be used without asking. */
  readonly maxAgeSeconds: number;
  readonly body: Uint8Array;
}

/** First word of every file, with the version of the form. */
const mark = "api-description-cache/1";
/** Longer first and second lines are no such file's. */
const longestHead = 20_000;

/** The file's name: one per URL, safe on every file system whatever the URL holds. */
export function cacheFileName(url: string): string {
  return `${createHash("sha256").update(url).digest("hex")}.cache`;
}

/**
 * Writes a file of three parts: a line with the mark and the checksum of all that follows, a line of JSON that says
 * what it is, and the body as it came, so that megabytes of it are not parsed twice.
 */
export function writeCacheFile({ body, ...head }: CachedAnswer): Buffer {
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
  return Buffer.concat([Buffer.from(`${mark} ${checksum(rest)}\n`), rest]);
}

/** Reads a file; undefined where it is not one, not whole, not of this form, or not of this URL. */
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

/** A checksum keeps accidents out, not another program that writes such files: nothing here is taken on trust. */
function readHead(text: string): Omit<CachedAnswer, "body"> | undefined {
  const head = parseJson(text);
  const [url, etag, fetchedAtMs, maxAgeSeconds] = ["url", "etag", "fetchedAtMs", "maxAgeSeconds"].map((name) =>
    head !== undefined && Object.hasOwn(head, name) ? head[name] : undefined,
  );
  if (typeof url !== "string" || !isCount(fetchedAtMs) || !isCount(maxAgeSeconds)) return undefined;
  if (etag !== undefined && (typeof etag !== "string" || !isEtag(etag))) return undefined;
  return { url, fetchedAtMs, maxAgeSeconds, ...(etag === undefined ? {} : { etag }) };
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
