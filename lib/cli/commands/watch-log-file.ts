import { appendFileSync, closeSync, openSync } from "node:fs";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import type { WatchLine } from "../../live/watch";
import { quote } from "../../text/quote";
import type { Io } from "../command";

export interface WatchLogFile {
  readonly write: (line: WatchLine) => void;
  readonly close: () => void;
}

/** Buffer limits: the maximum number of characters, and the maximum delay in milliseconds before they are written. */
const mostPending = 64 * 1_024;
const pendingMs = 1_000;

/**
 * Opens a file for JSON lines.
 *
 * @throws InputError if the file exists or cannot be created; later if a write fails
 */
export function openWatchLog(path: string, { now }: Io): WatchLogFile {
  let file: number;
  try {
    file = openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw new InputError("file-exists", `--log ${quote(path)} exists and is not replaced; give another name`);
    }
    throw new InputError(
      "file-unwritable",
      `--log ${quote(path)} can't be written: ${fileReason(error)}; give another name`,
    );
  }
  let pending = "";
  let writtenAt = now().getTime();
  const flush = () => {
    const text = pending;
    pending = "";
    writtenAt = now().getTime();
    try {
      // A single `write` may write only a part without an error; `appendFileSync` writes everything.
      appendFileSync(file, text);
    } catch (error) {
      const what = `--log ${quote(path)} can no longer be written: ${fileReason(error)}`;
      throw new InputError("file-unwritable", `${what}; what it has is what was seen until then: give another name`);
    }
  };
  return {
    write: (line) => {
      pending += `${JSON.stringify(line)}\n`;
      const isDue = now().getTime() - writtenAt >= pendingMs || pending.length >= mostPending;
      const isOfMany = line.kind === "sample" || line.kind === "absent";
      if (!isOfMany || isDue) flush();
    },
    close: () => {
      try {
        if (pending !== "") flush();
      } finally {
        closeSync(file);
      }
    },
  };
}
