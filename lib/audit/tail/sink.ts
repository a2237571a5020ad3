import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";
import { syncFolder } from "./cursor";

/**
 * Where a tail puts its lines. What can be taken back makes "exactly once" possible: when a tail starts again, lines
 * that came after the last cursor are taken back before they are written anew.
 */
export interface TailSink {
  /**
   * Which output it is: a cursor that was written for another one is refused, or its lines would be taken back.
   *
   * @default - not told, and not checked
   */
  readonly name?: string;
  /**
   * Gets ready, and takes back what came after `position`.
   *
   * @param position what the last cursor says; undefined where there is no cursor yet: then what is there stays
   * @returns where the output now ends; undefined where it can't be taken back
   */
  open(position: number | undefined): Promise<number | undefined>;
  /**
   * Writes lines, all of them, each with its line break.
   *
   * @returns where the output now ends, as soon as it would survive a crash; undefined where it can't be taken back
   */
  append(lines: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/**
 * Lines at the end of a file. With a cursor each event is in the file exactly once, whenever the process ends; a reader
 * that follows the file at that very moment may see lines go and come again.
 */
export function fileSink(path: string): TailSink {
  let file: FileHandle | undefined;
  let end = 0;
  return {
    name: resolve(path),
    open: async (position) => {
      file = await openFile(path, position !== undefined && position > 0);
      const { size } = await file.stat();
      if (position !== undefined && size < position) {
        throw shorter(path, `has ${size} bytes where the cursor says ${position}`);
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
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle(file).write(bytes, done, bytes.length - done, end + done);
        done += bytesWritten;
      }
      await handle(file).sync();
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

async function openFile(path: string, hasToExist: boolean): Promise<FileHandle> {
  try {
    return await open(path, "r+");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && hasToExist) throw shorter(path, "is gone");
    if (code === "ENOENT") return open(path, "wx+", 0o600);
    const message = `the output ${quote(path)} can't be written (${fileReason(error)}); name a file that can`;
    throw new InputError("tail-output-unwritable", message);
  }
}

function shorter(path: string, what: string): InputError {
  const message = `the output ${quote(path)} ${what}: lines that were written are missing; put the file back, or start with a new cursor`;
  return new InputError("tail-output-shorter", message);
}

/**
 * Lines that go out and can't be taken back, as to a terminal or a pipe. After a crash the lines of the last sweep may
 * come again: whoever needs each once drops keys that were there before.
 *
 * @param write takes the lines over; where it answers a promise, the lines count as written when that resolves
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
