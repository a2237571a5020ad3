/** How long one request may take, in milliseconds: the client of Certificate Manager itself waits without end. */
export const requestTimeoutMs = 30_000;

/** What the work comes to; an error where it takes too long, or the signal's reason. What nobody waits for any more goes on. */
export async function inTime<Result>(
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

/** The same items, each of them in time. */
export async function* eachInTime<Item>(
  items: AsyncIterable<Item>,
  milliseconds: number,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    const next = await inTime(iterator.next(), milliseconds, signal);
    if (next.done === true) return;
    yield next.value;
  }
}
