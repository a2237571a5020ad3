#!/usr/bin/env node
import { setMaxListeners } from "node:events";
import type { Io } from "./command";
import { tellProblems } from "./problems";
import { runCommandLine } from "./program";
import { watchStreams } from "./streams";

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
    // What moves on the terminal is taken away first.
    stopping.abort(new Error(`stopped by ${signal}`));
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[Kstopping; press Ctrl-C again to end at once\n");
  });
}
// That there are no credentials is said by whoever needs some, with what to do; the library's own line would stand before it, raw.
const emitWarning = process.emitWarning;
process.emitWarning = (...given: readonly unknown[]) => {
  const [, kind] = given;
  const name = typeof kind === "object" ? (kind as { readonly type?: unknown } | null)?.type : kind;
  if (name !== "MetadataLookupWarning") Reflect.apply(emitWarning, process, given);
};
const lostResult = watchStreams({
  stdout: process.stdout,
  stderr: process.stderr,
  stop: (error) => stopping.abort(error),
});
const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  now: () => new Date(),
  signal: stopping.signal,
  endSignal: ending.signal,
};

void runCommandLine(process.argv.slice(2), io, version).then((exitCode) => {
  // What is still under way is no longer waited for: a request to a service that hangs would hold the process up.
  process.stdout.write("", () => setImmediate(end, exitCode));
});

/** By now an error of the last write has been told as well. */
function end(exitCode: number): void {
  const lost = lostResult();
  if (lost !== undefined) tellProblems(lost, io);
  process.exitCode = lost === undefined ? exitCode : 2;
  process.stderr.write("", () => process.exit());
}
