import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Number of connections between two collections. A collection takes about 10 ms. */
const connectionsPerCollection = 1_000;

/**
 * Returns a function that makes the same connections, and collects garbage after every thousand of them. OpenSSL's part
 * of a closed connection is freed only by a full collection, and V8 does not count its size, so that it would collect
 * much too late: without this, 20,000 handshakes need 1.7 times the memory of 2,000.
 */
export function releasingMemory<Arguments extends readonly unknown[], Result>(
  connect: (...of: Arguments) => Promise<Result>,
  collect: () => void = collectGarbage,
): (...of: Arguments) => Promise<Result> {
  let closed = 0;
  return async (...of) => {
    try {
      return await connect(...of);
    } finally {
      closed++;
      if (closed % connectionsPerCollection === 0) collect();
    }
  };
}

/**
 * Makes V8 collect garbage before the heap grows by more than a fifth, for commands whose memory must not depend on the
 * number of hostnames. Without this, the heap of 20,000 hostnames grows to twice its content.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=20");
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** Frees what is no longer needed. V8 would enlarge its heap first. */
export function collectGarbage(): void {
  // The only way without a flag on the command line, which the installed command does not have.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("globalThis.gc") as (() => void) | undefined;
  collect?.();
}
