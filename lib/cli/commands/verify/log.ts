import { appendFile, readFile } from "node:fs/promises";
import { InputError } from "../../../errors";
import { fileReason } from "../../../files/file-reason";
import type { VerifyResult } from "../../../live/verify";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { wordsFor } from "../../duration";

/**
 * Checks before the verification that a line can be added to the log, and that the file is such a log.
 *
 * @throws InputError `file-unwritable`, `verify-log-malformed`
 */
export async function checkAppendable(path: string): Promise<void> {
  await append(path, "");
  await readLog(path);
}

/**
 * Adds a verification to the log, and reports for how long the names have passed.
 *
 * @throws InputError `file-unwritable`, `verify-log-malformed`
 */
export async function logVerification(path: string, results: readonly VerifyResult[], io: Io): Promise<void> {
  const { loggedVerification, passingTimes } = require("../../../live/verify") as typeof import("../../../live/verify");
  const line = loggedVerification(results, io.now());
  await append(path, `${JSON.stringify(line)}\n`);
  const times = passingTimes(await readLog(path), io.now());
  const shortest = Math.min(...line.passed.map((hostname) => times.get(hostname) ?? 0));
  if (line.passed.length === 0) return;
  io.stderr.write(
    `${countOf(line.passed.length, "name has", "names have")} passed for ${wordsFor(shortest)} or longer\n`,
  );
}

async function readLog(path: string) {
  const { readVerifyLog } = require("../../../live/verify") as typeof import("../../../live/verify");
  return readVerifyLog(await readFile(path, "utf8"), path);
}

async function append(path: string, text: string): Promise<void> {
  await appendFile(path, text).catch((error: unknown) => {
    throw new InputError(
      "file-unwritable",
      `--log ${quote(path)} can't be written: ${fileReason(error)}; give another name`,
    );
  });
}
