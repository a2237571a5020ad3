import { Readable } from "node:stream";
import type { Io } from "../../lib/cli/command";

export interface TestIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
}

/** The outside world of a command, kept in memory. */
export function testIo(change: Partial<Io> = {}): TestIo {
  const out: string[] = [];
  const err: string[] = [];
  return {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
    stdin: Readable.from([]),
    env: {},
    now: () => new Date("2026-11-21T00:00:00Z"),
    signal: new AbortController().signal,
    out: () => out.join(""),
    err: () => err.join(""),
    ...change,
  };
}
