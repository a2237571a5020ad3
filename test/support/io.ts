import { Readable } from "node:stream";
import type { Io } from "../../lib/cli/command";
import { runCommandLine } from "../../lib/cli/program";
import { heldToReading } from "./held-to-reading";

export interface TestIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
}

/** Words of a command line, before which options stand with their usual values that are not among them. */
export function withUsual(usual: Readonly<Record<string, string>>, words: readonly string[]): readonly string[] {
  const missing = Object.entries(usual).filter(([flag]) => !words.includes(flag));
  return [...missing.flat(), ...words];
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

/** A clock on which three seconds pass from each look at it to the next, as if everything took long. */
export function slowClock(): () => Date {
  let nowMs = Date.parse("2026-11-21T00:00:00Z");
  return () => {
    nowMs += 3_000;
    return new Date(nowMs);
  };
}

/** Runs one command line, and fails if it could have changed anything outside. */
export function runWith(words: readonly string[], io: Io): Promise<number> {
  return heldToReading(words, () => runCommandLine(words, io, "0.0.0"));
}

/** Runs one command line in memory, held to looking as {@link runWith} does. */
export async function runCli(
  words: readonly string[],
  { stdin = "", ...change }: Partial<Omit<Io, "stdin">> & { readonly stdin?: string } = {},
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const io = testIo({ ...change, stdin: Readable.from([Buffer.from(stdin)]) });
  const exitCode = await runWith(words, io);
  return { exitCode, stdout: io.out(), stderr: io.err() };
}
