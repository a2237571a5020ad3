#!/usr/bin/env node
// First, because an unsupported Node may fail to load any other module.
import "./node-version";

import { setMaxListeners } from "node:events";
import { fromEnvironment } from "../gate-call";
import type { Io } from "./command";
import * as load from "./load";
import { runCommandLine } from "./program";
import { watchStreams } from "./streams";
import { writeProblems } from "./text";

// package.json is beside `dist/` in the package, and beside `lib/` in the repository.
const { version } = require("../../package.json") as { version: string };
const stopping = new AbortController();
// All work in progress listens to the signal; that can be thousands of listeners at once.
setMaxListeners(0, stopping.signal);
const ending = new AbortController();
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (isStopped) {
      // The second signal ends the process as usual. The abort comes first, because started programs would otherwise
      // keep running.
      ending.abort(new Error(`ended by ${signal}`));
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
      return;
    }
    isStopped = true;
    // Abort first, so that moving output disappears before the message.
    stopping.abort(new Error(`stopped by ${signal}`));
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[Kstopping; press Ctrl-C again to end at once\n");
  });
}
// The command that needs credentials reports that they are missing, with advice. The library's own warning would
// precede that error.
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
  needsStderr: process.argv.includes(fromEnvironment),
});
const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  now: () => new Date(),
  signal: stopping.signal,
  endSignal: ending.signal,
  memory: { keepSmall: () => load.memory().keepHeapSmall(), collect: () => load.memory().collectGarbage() },
};

void runCommandLine(process.argv.slice(2), io, version).then((exitCode) => {
  // The process does not wait for work in progress: a hanging request would keep the process running.
  process.stdout.write("", () => setImmediate(end, exitCode));
});

/** Ends the process. At this point, an error of the last write has also been reported. */
function end(exitCode: number): void {
  const lost = lostResult();
  if (lost !== undefined) writeProblems(lost, io);
  process.exitCode = lost === undefined ? exitCode : 2;
  process.stderr.write("", () => process.exit());
}
