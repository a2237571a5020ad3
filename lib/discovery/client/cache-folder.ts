import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder";
import { defined } from "../../json/defined";
import { fieldsOf, parseJson } from "../../json/fields";
import { isEtag } from "./freshness";

/** Storage of responses, one file each. Any number of processes may use one folder at the same time. */
export interface CacheFolder {
  read(url: string): Promise<CachedAnswer | undefined>;
  /** Stores a response atomically. @throws the file system's error */
  write(answer: CachedAnswer): Promise<void>;
  remove(url: string): Promise<void>;
}

/** Maximum size of a cache file, in bytes. Longer texts are not read as descriptions. */
const longestFile = 65 * 1024 * 1024;
/** Minimum age of an abandoned draft, in milliseconds: its process ended during the write. */
const abandonedAfterMs = 3_600_000;

/** @param path created at the first write, accessible only for its owner */
export function openCacheFolder(path: string): CacheFolder {
  return {
    read: async (url) => {
      const file = await readRegularFile(join(path, cacheFileName(url)));
      return file === undefined ? undefined : readCacheFile(file, url);
    },
    write: async (answer) => {
      makeFolder(path, 0o700);
      await replaceFile(path, cacheFileName(answer.url), writeCacheFile(answer));
    },
    remove: (url) => rm(join(path, cacheFileName(url)), { force: true }),
  };
}

async function readRegularFile(path: string): Promise<Buffer | undefined> {
  try {
    // Without O_NONBLOCK, opening a named pipe at this path would block.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      return found.isFile() && found.size <= longestFile ? await file.readFile() : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function replaceFile(folder: string, name: string, content: Buffer): Promise<void> {
  // Each writer has its own draft, so that concurrent writers do not mix their data. The last rename wins.
  const draft = join(folder, `${name}.${randomBytes(8).toString("hex")}.draft`);
  try {
    await writeDurably(draft, content);
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await removeAbandonedDrafts(folder, name).catch(() => undefined);
}

/** Without the sync, a crash could leave the new name without content. The rename need not be durable. */
async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeAbandonedDrafts(folder: string, name: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.startsWith(`${name}.`) || !file.endsWith(".draft")) continue;
    const { mtimeMs } = await stat(join(folder, file));
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(join(folder, file), { force: true });
  }
}

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

/** Writes the mark with a checksum, a line of JSON metadata, and the body, which is thus not parsed twice. */
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

/** Checks every field, because the checksum detects accidental damage only. */
function readHead(text: string): Omit<CachedAnswer, "body"> | undefined {
  const { url, etag, fetchedAtMs, maxAgeSeconds } = fieldsOf(parseJson(text));
  if (typeof url !== "string" || !isCount(fetchedAtMs) || !isCount(maxAgeSeconds)) return undefined;
  if (etag !== undefined && (typeof etag !== "string" || !isEtag(etag))) return undefined;
  return { url, fetchedAtMs, maxAgeSeconds, ...defined({ etag }) };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
