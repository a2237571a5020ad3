/** What somebody waits for who has nothing to do. */
export interface Bell {
  readonly ring: () => void;
  /** Resolves when it rings next, or after that many milliseconds; without a number only when it rings. */
  readonly heard: (atMostMs: number | undefined) => Promise<void>;
}

/** @param sleep resolves after that many milliseconds, or rejects when the signal is aborted */
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
      // However the time ends, what is to be done is looked at anew.
      const time = sleep(atMostMs, stopping.signal).catch(() => undefined);
      await Promise.race([rung, time]);
      stopping.abort();
      await time;
    },
  };
}
