import type { Readable } from "node:stream";
import { InputError } from "../errors";
import { defined } from "../json/defined";
import type { Io } from "./command";
import { decodeText, readTextFile } from "./files";

/** Default size limit: larger than any expected input, smaller than Node's maximum string length. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Yields standard input in pieces. At a terminal, prints a note that it waits for input; the first Ctrl-C ends the
 * read.
 */
export async function* standardInput(io: Io): AsyncGenerator<Buffer | string> {
  io.signal.throwIfAborted();
  const stdin = io.stdin as Partial<Readable> & { readonly isTTY?: boolean };
  if (stdin.isTTY === true && io.quiet !== true) {
    io.stderr.write("reading from the terminal; Ctrl-D on a line of its own ends it\n");
  }
  // The signal destroys the stream, which ends the loop below.
  const stop = () => stdin.destroy?.(io.signal.reason);
  io.signal.addEventListener("abort", stop, { once: true });
  try {
    yield* io.stdin as AsyncIterable<Buffer | string>;
  } finally {
    io.signal.removeEventListener("abort", stop);
  }
}

/** Streams that were read before: no content is left for another input. */
const readToEnd = new WeakSet<NodeJS.ReadableStream>();

/**
 * Reads all of standard input; a byte order mark selects UTF-16.
 *
 * @param most maximum size in bytes. @default 64 MiB
 */
export async function readStandardInput(io: Io, option: string, most = mostBytes): Promise<string> {
  if (readToEnd.has(io.stdin)) {
    const message = `${option}: '-' reads standard input, which another option reads already; pass one of the inputs as a file`;
    throw new InputError("stdin-twice", message);
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
 * Reads the text of a file that the command line names; `-` is standard input.
 *
 * @param most maximum size in bytes. @default - 64 MiB for standard input, 256 MiB for files
 */
export async function readInput(path: string, option: string, io: Io, most?: number): Promise<string> {
  if (path === "-") return readStandardInput(io, option, most);
  return readTextFile(path, option, { signal: io.signal, ...defined({ most }) });
}

/** Returns the name of an input of {@link readInput} for messages. */
export function nameOfInput(path: string): string {
  return path === "-" ? "standard input" : path;
}
