import { orAborted } from "../../async/abort";
import type { GapTracker } from "./gap-tracker";
import { hasAnswered, type WatchResolver } from "./resolvers";

export interface SilenceOptions {
  readonly resolvers: readonly WatchResolver[];
  /** Hostname to query at a resolver that represents many servers, each of which knows only its own names. */
  readonly hostname: (turn: number) => string;
  readonly gaps: GapTracker;
  /** Milliseconds from one round to the next. */
  readonly everyMs: number;
  readonly now: () => number;
}

/** Number of rounds in which a silent resolver is queried every time; after that the pause doubles. */
const patientRounds = 3;
const longestPauseMs = 5 * 60_000;

/** Queries silent resolvers to find out whether they answer again. */
export interface Silence {
  /** Starts the queries that are due, without waiting for the answers. */
  readonly ask: () => void;
  /** Stops the queries in progress. */
  readonly stop: () => Promise<void>;
}

/**
 * Queries silent resolvers separately from the rounds, because each query takes until its time-out, about as long as a
 * round. The pauses between the queries increase. A resolver has at most one query at a time.
 */
export function askSilent({ resolvers, hostname, gaps, everyMs, now }: SilenceOptions): Silence {
  const stopped = new AbortController();
  const silences = new Map<string, { asked: number; nextAt: number }>();
  const asking = new Map<string, Promise<void>>();
  const ask = async (resolver: WatchResolver, turn: number): Promise<void> => {
    const isBack = resolver.isAlive ?? (async () => hasAnswered(await resolver.resolve(hostname(turn))));
    const back = await orAborted(isBack(), stopped.signal).catch(() => false);
    if (back && !stopped.signal.aborted) gaps.heard(resolver, now());
  };
  return {
    ask: () => {
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
    stop: async () => {
      stopped.abort();
      await Promise.all(asking.values());
    },
  };
}

function pauseAfter(asked: number, everyMs: number): number {
  const doublings = Math.min(Math.max(0, asked - patientRounds), 16);
  return Math.max(everyMs, Math.min(everyMs * 2 ** doublings, longestPauseMs));
}
