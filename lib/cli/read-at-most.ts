import { closeSync, constants, createReadStream, openSync, statSync, writeSync } from "node:fs";

/** Interval in milliseconds between writes that unblock a pipe after a stop. */
const releaseEveryMs = 20;

/**
 * Reads a file, a device or a pipe that may be endless.
 *
 * @param most maximum size in bytes
 * @returns the bytes, or `undefined` if there are more
 * @throws the error of the system; the abort reason of the signal
 */
export async function readAtMost(path: string, most: number, signal: AbortSignal): Promise<Buffer | undefined> {
  signal.throwIfAborted();
  const stream = createReadStream(path);
  let releasing: NodeJS.Timeout | undefined;
  const stop = () => {
    stream.destroy(signal.reason as Error);
    release(path);
    // The stream may have been about to open the pipe; from then on it waits for a writer.
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
 * Ends a read of a pipe that has no writer. Node cannot cancel the read, and the process does not end before the read
 * does. The pipe therefore receives a byte, which is discarded with everything that was read.
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
    // The pipe has no reader, or it is full: neither case blocks the stop.
  }
}
