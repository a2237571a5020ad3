import { Readable } from "node:stream";
import type { Io } from "../../lib/cli/command";
import { runCommandLine } from "../../lib/cli/program";
import { heldToReading } from "./held-to-reading";

export interface TestIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
}

/** Returns command-line arguments, preceded by the default options that they do not contain. */
export function withUsual(usual: Readonly<Record<string, string>>, words: readonly string[]): readonly string[] {
  const missing = Object.entries(usual).filter(([flag]) => !words.includes(flag));
  return [...missing.flat(), ...words];
}

/** Returns an in-memory `Io` for a command. */
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

/** Returns a clock that advances by three seconds at each call, as if every step were slow. */
export function slowClock(): () => Date {
  let nowMs = Date.parse("2026-11-21T00:00:00Z");
  return () => {
    nowMs += 3_000;
    return new Date(nowMs);
  };
}

/** Runs a command line and fails if it sends a request that could change something. */
export function runWith(words: readonly string[], io: Io): Promise<number> {
  return heldToReading(words, () => runCommandLine(words, io, "0.0.0"));
}

/** Runs a command line with an in-memory `Io`, with the read-only check of {@link runWith}. */
export async function runCli(
  words: readonly string[],
  { stdin = "", ...change }: Partial<Omit<Io, "stdin">> & { readonly stdin?: string } = {},
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const io = testIo({ ...change, stdin: Readable.from([Buffer.from(stdin)]) });
  const exitCode = await runWith(words, io);
  return { exitCode, stdout: io.out(), stderr: io.err() };
}
