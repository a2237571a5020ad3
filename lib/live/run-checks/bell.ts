/** Wakes up a caller that waits for work. */
export interface Bell {
  readonly ring: () => void;
  /** Resolves at the next ring, or after that many milliseconds. Without a number, resolves only at the next ring. */
  readonly heard: (atMostMs: number | undefined) => Promise<void>;
}

/** Creates a bell. @param sleep resolves after that many milliseconds, or rejects when the signal is aborted */
export function createBell(sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>): Bell {
  let resolveRung = () => {};
  return {
    ring: () => resolveRung(),
    heard: async (atMostMs) => {
      const rung = new Promise<void>((resolve) => {
        resolveRung = resolve;
      });
      if (atMostMs === undefined) return rung;
      const stopping = new AbortController();
      // The caller checks for work again, no matter how the time ended.
      const time = sleep(atMostMs, stopping.signal).catch(() => undefined);
      await Promise.race([rung, time]);
      stopping.abort();
      await time;
    },
  };
}
