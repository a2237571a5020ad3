import { open, readFile, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";
import { readTime } from "../reading";
import { isJson } from "../reading/json";
import { isData, own } from "../reading/values";

/** Position of a tail. */
export interface TailCursor {
  readonly version: 1;
  /** {@link ActivitySource.name}, and the query of the tail. */
  readonly source: string;
  /** RFC 3339. The tail lists nothing before this time. `seen` has the key of every emitted event after this time. */
  readonly since: string;
  /** RFC 3339. Everything up to this time was listed at least once. */
  readonly watermark: string;
  /** Times of the emitted events that may be listed again, in milliseconds since 1970, by key. */
  readonly seen: Readonly<Record<string, number>>;
  /** Length of the output when the cursor was written, in bytes. Absent if the output cannot be truncated. */
  readonly position?: number;
  /** {@link TailSink.name} of the output of `position`. */
  readonly output?: string;
}

/** Storage of a cursor. */
export interface CursorStore {
  /** Returns the cursor that was written last; undefined before the first write. */
  read(): Promise<TailCursor | undefined>;
  /** Replaces the cursor atomically. When the promise resolves, the cursor survives a crash. */
  write(cursor: TailCursor): Promise<void>;
}

/**
 * Stores a cursor in a file, for one tail at a time. The cursor is written to a draft, made durable, and then renamed.
 * A crash at any point leaves the previous cursor or the new cursor.
 */
export function cursorFile(path: string): CursorStore {
  let last: string | undefined;
  return {
    read: async () => {
      last = await readIfThere(path);
      return last === undefined ? undefined : parseCursor(last, path);
    },
    write: async (cursor) => {
      if ((await readIfThere(path)) !== last) {
        const message = `the cursor ${quote(path)} was changed by another process; let one tail at a time use it`;
        throw new InputError("cursor-in-use", message);
      }
      const text = `${JSON.stringify(cursor)}\n`;
      await replaceFile(path, text);
      last = text;
    },
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    const message = `the cursor ${quote(path)} can't be read (${code}); name a file that can`;
    throw new InputError("cursor-unreadable", message);
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  // The draft has a fixed name, so that crashes leave at most one draft; the next write replaces it.
  const draft = join(dirname(path), `.${basename(path)}.draft`);
  try {
    await writeDurably(draft, text);
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    const message = `the cursor ${quote(path)} can't be written (${fileReason(error)}); name a file that can`;
    throw new InputError("cursor-unwritable", message);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename or a new file in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its file systems make renames durable by themselves.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function parseCursor(text: string, path: string): TailCursor {
  const cursor: unknown = isJson(text) ? JSON.parse(text) : undefined;
  if (isCursor(cursor)) return cursor;
  const message = `the file ${quote(path)} is not a cursor of audit tail; use another file, or remove it and give a start time`;
  throw new InputError("cursor-malformed", message);
}

function isCursor(cursor: unknown): cursor is TailCursor {
  if (!isData(cursor)) return false;
  const [source, since, watermark] = ["source", "since", "watermark"].map((name) => own(cursor, name));
  const [seen, position, output] = ["seen", "position", "output"].map((name) => own(cursor, name));
  const isTime = (value: unknown): value is string => typeof value === "string" && readTime(value) !== undefined;
  const isCount = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return (
    own(cursor, "version") === 1 &&
    typeof source === "string" &&
    isTime(since) &&
    isTime(watermark) &&
    isData(seen) &&
    Object.values(seen).every((value) => typeof value === "number" && Number.isSafeInteger(value)) &&
    (position === undefined || isCount(position)) &&
    (output === undefined || typeof output === "string")
  );
}
