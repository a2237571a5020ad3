import { orAborted } from "../../async/abort";
import type { GapTracker } from "./gap-tracker";
import type { WatchOptions } from "./options";
import { hasAnswered, type WatchResolver } from "./resolvers";

export interface SilenceOptions {
  readonly resolvers: readonly WatchResolver[];
  /** Hostname to query at a resolver that represents many servers, each of which knows only its own names. */
  readonly hostname: (turn: number) => string;
  readonly gaps: GapTracker;
  readonly everyMs: number;
  readonly now: () => number;
}

/** Number of rounds in which a silent resolver is queried every time; after that the pause doubles. */
const patientRounds = 3;
const longestPauseMs = 5 * 60_000;

/**
 * Queries silent resolvers separately from the rounds, because each query takes until its time-out, about as long as a
 * round. The pauses between the queries increase. A resolver has at most one query at a time.
 */
export function askSilent({ resolvers, hostname, gaps, everyMs, now }: SilenceOptions) {
  const stopped = new AbortController();
  const silences = new Map<string, { asked: number; nextAt: number }>();
  const asking = new Map<string, Promise<void>>();
  const ask = async (resolver: WatchResolver, turn: number): Promise<void> => {
    const isBack = resolver.isAlive ?? (async () => hasAnswered(await resolver.resolve(hostname(turn))));
    const back = await orAborted(isBack(), stopped.signal).catch(() => false);
    if (back && !stopped.signal.aborted) gaps.heard(resolver, now());
  };
  return {
    /** Starts the queries that are due, without waiting for the answers. */
    ask: (): void => {
      for (const resolver of resolvers) {
        const { name } = resolver;
        if (!gaps.isSilent(name)) silences.delete(name);
        else if (!asking.has(name)) {
          const silence = silences.get(name) ?? { asked: 0, nextAt: now() };
          silences.set(name, silence);
          if (now() < silence.nextAt) continue;
          silence.asked += 1;
          silence.nextAt = now() + pauseAfter(silence.asked, everyMs);
          asking.set(
            name,
            ask(resolver, silence.asked).finally(() => asking.delete(name)),
          );
        }
      }
    },
    stop: async (): Promise<void> => {
      stopped.abort();
      await Promise.all(asking.values());
    },
  };
}

function pauseAfter(asked: number, everyMs: number): number {
  const doublings = Math.min(Math.max(0, asked - patientRounds), 16);
  return Math.max(everyMs, Math.min(everyMs * 2 ** doublings, longestPauseMs));
}

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
export function createPulse({ resolvers, gaps, now, sleep }: PulseOptions) {
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
      return true;
    });
    try {
      const late = sleep(limitMs, settled.signal).catch(() => undefined);
      const first = await Promise.race([Promise.any(asks).catch(() => undefined), late]);
      return first === true;
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
    /** Queries a resolver if nothing was heard for a while. Does not wait for the answer. */
    take: (): void => {
      if (far.length === 0 || taking !== undefined || gaps.isLost || now() - gaps.heardAt < idleMs) return;
      taking = take().finally(() => {
        taking = undefined;
      });
    },
    stop: async (): Promise<void> => {
      stopped.abort();
      await taking;
    },
  };
}
