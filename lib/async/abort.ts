/**
 * Returns the result of the work, or rejects as soon as the signal is aborted, so that a hanging request never delays a
 * stop.
 *
 * @throws the abort reason of the signal
 */
export async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([stopped, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Maximum delay of a timer of Node, in milliseconds; a longer delay would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Returns a signal that is aborted with one of the signals, or with a `TimeoutError` after the time. The timer does not
 * keep the process alive.
 *
 * Node 20 holds the sources of `AbortSignal.any` only weakly: it collects an `AbortSignal.timeout` to which nothing
 * else refers, and the time never ends.
 */
export function signalWithin(milliseconds: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const late = new AbortController();
  const signal = AbortSignal.any([...signals, late.signal]);
  if (signal.aborted) return signal;
  const end = () => late.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  // The callback refers to both signals, so that the timer holds them.
  const timer = setTimeout(() => signal.aborted || end(), Math.min(milliseconds, longestTimerMs)).unref();
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return signal;
}
