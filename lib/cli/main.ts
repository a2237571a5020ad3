#!/usr/bin/env node
import { runCommandLine } from "./program";

// Beside `dist/` in the package, beside `lib/` in the repository.
const { version } = require("../../package.json") as { version: string };
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)));
}
// A reader that closes the pipe early (`| head`) has what it wanted.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
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
  },
  version,
).then((exitCode) => {
  process.exitCode = exitCode;
});
