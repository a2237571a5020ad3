import { InputError, ServiceError } from "../lib/errors";
import { BlockedError } from "./blocked";
import { conform } from "./conform";
import { JournalError } from "./journal";

const stopping = new AbortController();
// The first Ctrl-C stops the run and deletes; the second ends the process, and the journal stays for `--cleanup`.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => stopping.abort(new Error("stopped")));

// After Ctrl-C, a program behind a pipe has ended, and a closed terminal takes no text: the deletion goes on.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

conform(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  input: process.stdin,
  now: () => new Date(),
  signal: stopping.signal,
}).then(
  (exitCode) => {
    process.exitCode = exitCode;
    // A question without an answer must not keep the process alive.
    process.stdin.unref?.();
  },
  (error: unknown) => {
    const isExpected =
      error instanceof InputError ||
      error instanceof ServiceError ||
      error instanceof BlockedError ||
      error instanceof JournalError;
    process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
    process.exitCode = isExpected ? 2 : 1;
  },
);
