/** Timeout of one request, in milliseconds. The client of Certificate Manager itself has no timeout. */
export const requestTimeoutMs = 30_000;

/** Throws an error after the timeout, or the signal's reason. The work itself is not cancelled. */
export async function withTimeLimit<Result>(
  work: Promise<Result>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Result> {
  let giveUp: (reason: unknown) => void = () => undefined;
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const timer = setTimeout(() => giveUp(new Error(`no answer within ${milliseconds / 1_000} s`)), milliseconds);
  const stop = () => giveUp(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Runs a call as {@link withTimeLimit}, and aborts it when it is given up.
 *
 * @param call receives a signal that is aborted after the timeout, or with the other signal
 */
export async function abortedInTime<Result>(
  call: (signal: AbortSignal) => Promise<Result>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Result> {
  const stopping = new AbortController();
  try {
    return await withTimeLimit(call(stopping.signal), milliseconds, signal);
  } finally {
    stopping.abort();
  }
}
