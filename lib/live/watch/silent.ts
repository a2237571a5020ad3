import { orAborted } from "../../async/abort";
import { hasAnswered, type WatchResolver } from "./resolvers";
import type { Sight } from "./sight";

export interface SilenceOptions {
  readonly resolvers: readonly WatchResolver[];
  /** One that is asked for where a resolver stands for many servers, of which each knows its own names alone. */
  readonly hostname: (turn: number) => string;
  readonly sight: Sight;
  /** From one round to the next. */
  readonly everyMs: number;
  readonly now: () => number;
}

/** So many rounds a resolver that fell silent is asked in each; then the pause doubles. */
const patientRounds = 3;
const longestPauseMs = 5 * 60_000;

/** Asks resolvers that fell silent whether they are back. */
export interface Silence {
  /** Begins to ask those whose turn it is; nobody waits for the answers. */
  readonly ask: () => void;
  /** Gives up what is under way. */
  readonly stop: () => Promise<void>;
}

/**
 * Each question to a silent resolver takes as long as its time-out, which is about as long as a round: so it is asked beside the rounds, each time after
 * a longer pause, and never twice at once.
 */
export function askSilent({ resolvers, hostname, sight, everyMs, now }: SilenceOptions): Silence {
  const stopped = new AbortController();
  const silences = new Map<string, { asked: number; nextAt: number }>();
  const asking = new Map<string, Promise<void>>();
  const ask = async (resolver: WatchResolver, turn: number): Promise<void> => {
    const isBack = resolver.isAlive ?? (async () => hasAnswered(await resolver.resolve(hostname(turn))));
    const back = await orAborted(isBack(), stopped.signal).catch(() => false);
    if (back && !stopped.signal.aborted) sight.heard(resolver, now());
  };
  return {
    ask: () => {
      for (const resolver of resolvers) {
        const { name } = resolver;
        if (!sight.isSilent(name)) silences.delete(name);
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
