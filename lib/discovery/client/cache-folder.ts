import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder";
import { type CachedAnswer, cacheFileName, readCacheFile, writeCacheFile } from "./cache-file";

/** Storage of responses, one file each. Any number of processes may use one folder at the same time. */
export interface CacheFolder {
  /** Returns the stored response of a URL; undefined if it is missing or unreadable. */
  read(url: string): Promise<CachedAnswer | undefined>;
  /**
   * Stores a response atomically.
   *
   * @throws the file system's error
   */
  write(answer: CachedAnswer): Promise<void>;
  /** Removes the stored response of a URL, if any. */
  remove(url: string): Promise<void>;
}

/**
 * Maximum size of a cache file, in bytes. A larger file cannot be a cache file, because longer texts are not read as
 * descriptions.
 */
const longestFile = 65 * 1024 * 1024;
/**
 * Minimum age of an abandoned draft, in milliseconds. No write takes this long; an older draft belongs to a process
 * that ended during the write.
 */
const abandonedAfterMs = 3_600_000;

/**
 * Opens a folder of responses.
 *
 * @param path created at the first write, accessible only for its owner
 */
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

/**
 * Writes a file and makes it durable. Otherwise, a crash could leave the new name without content. The rename need not
 * be durable, because the previous file is also valid.
 */
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
