/** Delays callers so that they stay within a quota. */
export interface RateLimiter {
  /** Resolves when the next request is allowed. */
  take(signal?: AbortSignal): Promise<void>;
}

/** Options of a rate limiter. */
export interface RateLimiterOptions {
  /** Maximum number of requests in any minute; at least 1. */
  readonly perMinute: number;
  readonly now: () => Date;
  /** Waits. Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const minuteMs = 60_000;

/** Creates a rate limiter with a sliding window of one minute. No minute of the service can contain two bursts. */
export function createRateLimiter({ perMinute, now, sleep }: RateLimiterOptions): RateLimiter {
  const taken: number[] = [];
  const never = new AbortController().signal;
  return {
    take: async (signal = never) => {
      for (;;) {
        signal.throwIfAborted();
        const at = now().getTime();
        // After the clock was set back, earlier requests count as of now, so that no caller waits longer than a minute.
        if ((taken.at(-1) ?? at) > at) taken.fill(at);
        while (taken.length > 0 && (taken[0] as number) <= at - minuteMs) taken.shift();
        const oldest = taken.length < perMinute ? undefined : taken[0];
        if (oldest === undefined) {
          taken.push(at);
          return;
        }
        await sleep(oldest + minuteMs - at, signal);
      }
    },
  };
}
