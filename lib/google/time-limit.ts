/** How long one request may take, in milliseconds: the client of Certificate Manager itself waits without end. */
export const requestTimeoutMs = 30_000;

/** What the work comes to, or an error where it takes too long. What nobody waits for any more goes on. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1_000} s`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same items, each of them in time. */
export async function* eachInTime<Item>(items: AsyncIterable<Item>, milliseconds: number): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    const next = await inTime(iterator.next(), milliseconds);
    if (next.done === true) return;
    yield next.value;
  }
}
