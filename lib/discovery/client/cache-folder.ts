import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder";
import { type CachedAnswer, cacheFileName, readCacheFile, writeCacheFile } from "./cache-file";

/** Where answers are kept, one file each. Any number of processes may use one folder at the same time. */
export interface CacheFolder {
  /** What is kept of a URL; undefined where that is nothing, or nothing that can be read. */
  read(url: string): Promise<CachedAnswer | undefined>;
  /**
   * Keeps an answer, whole or not at all.
   *
   * @throws the file system's error
   */
  write(answer: CachedAnswer): Promise<void>;
  /** Forgets what is kept of a URL, if anything is. */
  remove(url: string): Promise<void>;
}

/** Larger files are not ours: no larger text is read as a description. */
const longestFile = 65 * 1024 * 1024;
/** Nothing takes as long to write; what is older was left by a process that ended while writing. */
const abandonedAfterMs = 3_600_000;

/** @param path made when something is kept, for its owner alone */
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
    // A pipe in the file's place would otherwise be waited for.
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
  // Each writer has its own draft, so that two at a time don't mix; the last one to rename stays.
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
 * Or a crash could leave the new name with nothing behind it. That the rename is durable doesn't matter: the old file
 * will do.
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
