import { closeSync, constants, createReadStream, openSync, statSync, writeSync } from "node:fs";

/** How often a pipe that holds up a stop is given something to read, in milliseconds. */
const releaseEveryMs = 20;

/**
 * Reads a file, a device or a pipe, of which nobody knows whether it ends.
 *
 * @param most bytes that are taken
 * @returns nothing where there are more
 * @throws what the system says; what the signal was aborted with
 */
export async function readAtMost(path: string, most: number, signal: AbortSignal): Promise<Buffer | undefined> {
  signal.throwIfAborted();
  const stream = createReadStream(path);
  let releasing: NodeJS.Timeout | undefined;
  const stop = () => {
    stream.destroy(signal.reason as Error);
    release(path);
    // It may have been about to open the pipe, and waits for a writer from then on.
    releasing = setInterval(() => release(path), releaseEveryMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Buffer;
      length += bytes.length;
      if (length > most) return undefined;
      chunks.push(bytes);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    clearInterval(releasing);
  }
  return Buffer.concat(chunks);
}

/**
 * Ends a read of a pipe to which nobody writes. Such a read can't be given up, and the process does not end before it does: so it gets a byte, which is thrown
 * away with what was read.
 */
function release(path: string): void {
  try {
    if (!statSync(path).isFIFO()) return;
    const pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      writeSync(pipe, "\n");
    } finally {
      closeSync(pipe);
    }
  } catch {
    // Nobody reads from it, or it is full: then nothing holds up the stop.
  }
}
