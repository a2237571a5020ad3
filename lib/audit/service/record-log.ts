import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";
import { isJson } from "../reading";
import type { RecordLog } from "./store";

/**
 * An append-only file, a record a line. A crash can leave half a line at the end: it was never acknowledged, and is cut
 * off when the next record is added. Until then the file stays as it is: it may be another one, named by mistake.
 *
 * @throws InputError `record-log-unreadable` where the file can't be opened, `record-log-malformed` where its end was
 *     never written by a log
 */
export function openRecordLog(path: string): RecordLog & { readonly close: () => void } {
  const file = openFile(path);
  const text = readFileSync(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const rest = text.slice(whole.length);
  if (rest !== "" && !rest.startsWith("{")) {
    closeSync(file);
    const message = `the file ${quote(path)} does not end as a log of records does; name another one`;
    throw new InputError("record-log-malformed", message);
  }
  const restIsWhole = rest !== "" && isJson(rest);
  const size = fstatSync(file).size;
  let mended = rest === "";
  const mend = (): void => {
    if (!mended && fstatSync(file).size === size) {
      if (restIsWhole) writeSync(file, "\n");
      else ftruncateSync(file, Buffer.byteLength(whole));
    }
    mended = true;
  };
  return {
    read: () => (restIsWhole ? text : whole).split("\n").filter((line) => line !== ""),
    append: (json) => {
      mend();
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
    const message = `the file ${quote(path)} can't be opened (${fileReason(error)}); name one that can`;
    throw new InputError("record-log-unreadable", message);
  }
}
