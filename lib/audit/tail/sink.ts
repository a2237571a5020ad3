import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";
import { syncFolder } from "./cursor";

/**
 * Output of a tail. If the output can be truncated, each event is written exactly once: after a restart, the tail
 * removes the lines after the last cursor before it writes them again.
 */
export interface TailSink {
  /**
   * Identifier of the output. A cursor of another output is refused; otherwise the tail would truncate the wrong
   * output.
   *
   * @default - no name, no check
   */
  readonly name?: string;
  /**
   * Opens the output and removes everything after `position`.
   *
   * @param position position in the last cursor; undefined before the first cursor: then existing lines stay
   * @returns the end of the output, in bytes; undefined if the output cannot be truncated
   */
  open(position: number | undefined): Promise<number | undefined>;
  /**
   * Writes all lines, each with its line break.
   *
   * @returns the end of the output, as soon as the lines survive a crash; undefined if the output cannot be truncated
   */
  append(lines: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/**
 * Appends lines to a file. With a cursor, each event is in the file exactly once, even if the process is killed. After
 * a restart, a reader that follows the file may see lines disappear and reappear.
 */
export function fileSink(path: string): TailSink {
  let file: FileHandle | undefined;
  let end = 0;
  return {
    name: resolve(path),
    open: async (position) => {
      file = await openFile(path, position ?? 0);
      const { size } = await file.stat();
      if (position !== undefined && size < position) {
        throw shorter(path, `has ${size} bytes, but the cursor is at ${position}`);
      }
      if (position !== undefined && size > position) {
        await file.truncate(position);
        await file.sync();
      }
      await syncFolder(dirname(path));
      end = position ?? size;
      return end;
    },
    append: async (lines) => {
      const bytes = Buffer.from(lines);
      try {
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await handle(file).write(bytes, done, bytes.length - done, end + done);
          done += bytesWritten;
        }
        await handle(file).sync();
      } catch (error) {
        if (error instanceof InputError) throw error;
        const what = `the output ${quote(path)} can't be written (${fileReason(error)})`;
        const message = `${what}; fix that and run the command again: it first removes lines after the cursor`;
        throw new InputError("tail-output-unwritable", message);
      }
      end += bytes.length;
      return end;
    },
    close: async () => file?.close(),
  };
}

function handle(file: FileHandle | undefined): FileHandle {
  if (file === undefined) throw new InputError("tail-output-closed", "the output is not open; open it before writing");
  return file;
}

/** @param writtenBytes bytes that earlier runs have written; a file with some of them must exist */
async function openFile(path: string, writtenBytes: number): Promise<FileHandle> {
  try {
    return await open(path, "r+");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && writtenBytes > 0) throw shorter(path, "is gone");
    if (code !== "ENOENT") throw unopened(path, error);
    return open(path, "wx+", 0o600).catch((refusal: unknown) => {
      throw unopened(path, refusal);
    });
  }
}

function unopened(path: string, error: unknown): InputError {
  const message = `the output ${quote(path)} can't be written (${fileReason(error)}); name a file that can`;
  return new InputError("tail-output-unwritable", message);
}

function shorter(path: string, what: string): InputError {
  const message = `the output ${quote(path)} ${what}: lines that were written are missing; put the file back, or start with a new cursor`;
  return new InputError("tail-output-shorter", message);
}

/**
 * Writes lines to an output that cannot be truncated, for example a terminal or a pipe. After a crash, the lines of the
 * last sweep may be repeated. A reader that needs each event once drops repeated keys.
 *
 * @param write receives the lines; if it returns a promise, the lines count as written when the promise resolves
 */
export function streamSink(write: (text: string) => unknown): TailSink {
  return {
    open: async () => undefined,
    append: async (lines) => {
      await write(lines);
      return undefined;
    },
    close: async () => undefined,
  };
}
