import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { InputError } from "../../errors";
import { quote } from "../../quote";
import type { RecordLog } from "./store";

/**
 * An append-only file, a record a line. A crash can leave half a line at the end: it was never acknowledged, and is cut
 * off.
 *
 * @throws InputError `record-log-unreadable` where the file can't be opened
 */
export function openRecordLog(path: string): RecordLog & { readonly close: () => void } {
  const file = openFile(path);
  const text = readFileSync(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) {
    ftruncateSync(file, Buffer.byteLength(whole));
    fsyncSync(file);
  }
  return {
    read: () => whole.split("\n").filter((line) => line !== ""),
    append: (json) => {
      const before = fstatSync(file).size;
      try {
        const line = Buffer.from(`${json}\n`);
        for (let done = 0; done < line.length; ) done += writeSync(file, line, done);
        fsyncSync(file);
      } catch (error) {
        // Half a line would swallow the next record.
        ftruncateSync(file, before);
        throw error;
      }
    },
    close: () => closeSync(file),
  };
}

function openFile(path: string): number {
  try {
    return openSync(path, "a+", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      "record-log-unreadable",
      `the file ${quote(path)} can't be opened (${code}); name one that can`,
    );
  }
}
