import type { GapTracker } from "./gap-tracker";
import type { WatchOptions } from "./options";
import type { WatchResolver } from "./resolvers";

interface PulseOptions extends Pick<WatchOptions, "now" | "sleep"> {
  readonly resolvers: readonly WatchResolver[];
  readonly gaps: GapTracker;
}

/** Time without an answer after which the pulse queries resolvers, in milliseconds. */
const idleMs = 1_000;
/** Time for an answer before the next resolver is queried as well, in milliseconds. */
const nextMs = 500;
/** Maximum time before the last resolver is queried, in milliseconds. */
const lastMs = 1_000;
/** Time for an answer of any resolver, in milliseconds. With the other times, a lost network is noticed within 5 s. */
const limitMs = 2_000;

/** Queries resolvers between the rounds and during slow checks, so that a lost network is noticed soon. */
export interface Pulse {
  /** Queries a resolver if nothing was heard for a while. Does not wait for the answer. */
  readonly take: () => void;
  /** Stops the queries in progress. */
  readonly stop: () => Promise<void>;
}

export function createPulse({ resolvers, gaps, now, sleep }: PulseOptions): Pulse {
  const far = resolvers.filter(({ isFar, isAlive }) => isFar && isAlive !== undefined);
  const stopped = new AbortController();
  let taking: Promise<void> | undefined;
  let turn = 0;

  /** Queries one resolver, and then the others as long as no answer comes. */
  const anyAnswers = async (asked: readonly WatchResolver[]): Promise<boolean> => {
    const settled = new AbortController();
    const settle = () => settled.abort();
    stopped.signal.addEventListener("abort", settle);
    const asks = asked.map(async ({ isAlive }, index) => {
      if (index > 0) await sleep(Math.min(index * nextMs, lastMs), settled.signal);
      if (!(await isAlive?.())) throw new Error("silent");
    });
    try {
      return await Promise.race([
        Promise.any(asks).then(
          () => true,
          () => false,
        ),
        sleep(limitMs, settled.signal).then(
          () => false,
          () => false,
        ),
      ]);
    } finally {
      stopped.signal.removeEventListener("abort", settle);
      settled.abort();
    }
  };

  const take = async (): Promise<void> => {
    const startedAt = now();
    const audible = far.filter(({ name }) => !gaps.isSilent(name));
    const candidates = audible.length > 0 ? audible : far;
    turn += 1;
    const first = turn % candidates.length;
    const isAnswered = await anyAnswers([...candidates.slice(first), ...candidates.slice(0, first)]);
    if (stopped.signal.aborted) return;
    if (isAnswered) gaps.pulse(now());
    // A check may have heard a server meanwhile.
    else if (gaps.heardAt < startedAt) gaps.lost(now(), 0);
  };

  return {
    take: () => {
      if (far.length === 0 || taking !== undefined || gaps.isLost || now() - gaps.heardAt < idleMs) return;
      taking = take().finally(() => {
        taking = undefined;
      });
    },
    stop: async () => {
      stopped.abort();
      await taking;
    },
  };
}
