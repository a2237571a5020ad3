/** Holds callers back so that they stay within a quota. */
export interface RateLimiter {
  /** Resolves when one more may go. */
  take(signal?: AbortSignal): Promise<void>;
}

export interface RateLimiterOptions {
  /** How many may go within any minute; at least 1. */
  readonly perMinute: number;
  readonly now: () => Date;
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const minuteMs = 60_000;

/** Counts over the minute that just passed, so that no two bursts can fall into one minute of the service's. */
export function createRateLimiter({ perMinute, now, sleep }: RateLimiterOptions): RateLimiter {
  const taken: number[] = [];
  const never = new AbortController().signal;
  return {
    take: async (signal = never) => {
      for (;;) {
        signal.throwIfAborted();
        const at = now().getTime();
        // Where the clock went back, what went before counts as of now: nobody waits for longer than the minute.
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
