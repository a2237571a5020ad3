import type { InputError } from "../errors";
import type { Io } from "./command";
import { folderFor } from "./fold";
import { safe } from "./text";

/** Writes every problem of an input to stderr, one line each, with its code. */
export function tellProblems({ problems }: InputError, io: Io): void {
  const fold = folderFor(io, "stderr");
  for (const { code, message } of problems) io.stderr.write(`${fold(`error: ${safe(message)} [${code}]`, 7)}\n`);
}
