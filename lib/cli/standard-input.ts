import type { Readable } from "node:stream";
import { InputError } from "../errors";
import type { Io } from "./command";
import { decodeText } from "./decode-text";
import { readTextFile } from "./files";

/** More than anything that is read has; less than a text may have. */
const mostBytes = 64 * 1024 * 1024;

/**
 * What comes on standard input, piece by piece. Who waits at a terminal is told so, and the first Ctrl-C ends it.
 *
 * @throws what the signal was aborted with
 */
export async function* standardInput(io: Io): AsyncGenerator<Buffer | string> {
  io.signal.throwIfAborted();
  const stdin = io.stdin as Partial<Readable> & { readonly isTTY?: boolean };
  if (stdin.isTTY === true && io.quiet !== true) {
    io.stderr.write("reading from the terminal; Ctrl-D on a line of its own ends it\n");
  }
  // What is read from goes away with the signal, and the loop below ends.
  const stop = () => stdin.destroy?.(io.signal.reason);
  io.signal.addEventListener("abort", stop, { once: true });
  try {
    yield* io.stdin as AsyncIterable<Buffer | string>;
  } finally {
    io.signal.removeEventListener("abort", stop);
  }
}

/** Those that were read: there is nothing left for another input. */
const readToEnd = new WeakSet<NodeJS.ReadableStream>();

/**
 * All of standard input; by its byte order mark UTF-16 too.
 *
 * @param most bytes that are taken. @default 64 MiB
 * @throws InputError `input-too-large`, `stdin-twice`; what the signal was aborted with
 */
export async function readStandardInput(io: Io, option: string, most = mostBytes): Promise<string> {
  if (readToEnd.has(io.stdin)) {
    throw new InputError(
      "stdin-twice",
      `${option}: '-' stands for standard input, which is read already for something else; give one of them as a file`,
    );
  }
  readToEnd.add(io.stdin);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of standardInput(io)) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > most) {
      throw new InputError("input-too-large", `${option}: standard input has more than ${most} bytes`);
    }
    chunks.push(bytes);
  }
  return decodeText(Buffer.concat(chunks));
}

/**
 * Text of a file that the command line names, where `-` stands for standard input.
 *
 * @param most bytes that are taken. @default as for either
 * @throws InputError, or what the signal was aborted with
 */
export async function readInput(path: string, option: string, io: Io, most?: number): Promise<string> {
  if (path === "-") return readStandardInput(io, option, most);
  return readTextFile(path, option, { signal: io.signal, ...(most === undefined ? {} : { most }) });
}

/** What messages call an input of {@link readInput}. */
export function nameOfInput(path: string): string {
  return path === "-" ? "standard input" : path;
}
