#!/usr/bin/env node
import { setMaxListeners } from "node:events";
import { runCommandLine } from "./program";

// Beside `dist/` in the package, beside `lib/` in the repository.
const { version } = require("../../package.json") as { version: string };
const stopping = new AbortController();
// Whatever is under way listens to it, and that may be thousands of things at once.
setMaxListeners(0, stopping.signal);
const ending = new AbortController();
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (isStopped) {
      // The next one ends the process as it would end any other; what it has started elsewhere would stay.
      ending.abort(new Error(`ended by ${signal}`));
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
      return;
    }
    isStopped = true;
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[Kstopping; press Ctrl-C again to end at once\n");
    stopping.abort(new Error(`stopped by ${signal}`));
  });
}
// That there are no credentials is said by whoever needs some, with what to do; the library's own line would stand before it, raw.
const emitWarning = process.emitWarning;
process.emitWarning = (...given: readonly unknown[]) => {
  const [, kind] = given;
  const name = typeof kind === "object" ? (kind as { readonly type?: unknown } | null)?.type : kind;
  if (name !== "MetadataLookupWarning") Reflect.apply(emitWarning, process, given);
};
// The last one is of a terminal whose window was closed.
const closedCodes: ReadonlySet<string | undefined> = new Set(["EPIPE", "ERR_STREAM_DESTROYED", "EIO"]);
// A reader that closes the pipe early (`| head`) has what it wanted: the command is stopped in good order.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (!closedCodes.has(error.code)) throw error;
  stopping.abort(error);
});
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (!closedCodes.has(error.code)) throw error;
});

void runCommandLine(
  process.argv.slice(2),
  {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: process.env,
    now: () => new Date(),
    signal: stopping.signal,
    endSignal: ending.signal,
  },
  version,
).then((exitCode) => {
  process.exitCode = exitCode;
  // What is still under way is no longer waited for: a request to a service that hangs would hold the process up.
  process.stdout.write("", () => process.stderr.write("", () => process.exit()));
});
