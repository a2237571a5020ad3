import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";
import { isJson } from "../reading/json";
import type { RecordLog } from "./store";

/**
 * Opens an append-only file with one record per line. A crash can leave an incomplete line at the end. This line was
 * never acknowledged, and the next append removes it. Until then the file stays unchanged, because the path may name
 * another file by mistake.
 *
 * @throws InputError `record-log-unreadable` if the file cannot be opened, `record-log-malformed` if a log cannot have
 * written the end of the file
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
  let isRepaired = rest === "";
  const repair = (): void => {
    if (!isRepaired && fstatSync(file).size === size) {
      if (restIsWhole) writeSync(file, "\n");
      else ftruncateSync(file, Buffer.byteLength(whole));
    }
    isRepaired = true;
  };
  return {
    read: () => (restIsWhole ? text : whole).split("\n").filter((line) => line !== ""),
    append: (json) => {
      repair();
      const before = fstatSync(file).size;
      try {
        const line = Buffer.from(`${json}\n`);
        for (let done = 0; done < line.length; ) done += writeSync(file, line, done);
        fsyncSync(file);
      } catch (error) {
        // The next record would be appended to the incomplete line.
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
