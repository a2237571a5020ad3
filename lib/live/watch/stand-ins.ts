import { setMaxListeners } from "node:events";
import { orAborted } from "../../async/abort";
import { mapConcurrently } from "../../async/concurrent";
import { probeName } from "../verify";
import type { WatchResolver } from "./resolvers";

/** The names that are watched in place of wildcards. */
export interface StandIns {
  /** Names by which wildcards are watched, with the wildcard of each. */
  readonly watched: ReadonlyMap<string, string>;
  /** Wildcards that can't be watched. */
  readonly left: readonly { readonly wildcard: string; readonly why: "no-address" | "unanswered" }[];
}

export interface StandInOptions {
  readonly resolvers: readonly Pick<WatchResolver, "resolve">[];
  /** The label to take under every wildcard. @default - one that nobody has */
  readonly label?: string;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** How long anybody is waited for to say that DNS has an address after all. */
const patienceMs = 4_000;
const concurrency = 32;

/**
 * A name under each wildcard, the same one all the while, since resolvers keep the answers to it as they keep those to the names of clients. Most
 * certificates for wildcards stand beside a DNS that names every host: where it has no address for any name, there is nothing to watch, and no failure.
 */
export async function findStandIns(
  wildcards: readonly string[],
  { resolvers, label, random, sleep, signal: given }: StandInOptions,
): Promise<StandIns> {
  const signal = AbortSignal.any([given]);
  // Each question under way listens to it.
  setMaxListeners(0, signal);
  const look = async (wildcard: string) => {
    const name = label === undefined ? probeName(wildcard, random) : `${label}${wildcard.slice(1)}`;
    const settled = new AbortController();
    let denied = false;
    const asks = resolvers.map(async ({ resolve }) => {
      const answer = await resolve(name);
      if (answer.ok) return "watched" as const;
      if (answer.code === "dns-no-address") denied = true;
      throw new Error(answer.code);
    });
    const late = sleep(patienceMs, AbortSignal.any([signal, settled.signal])).catch(() => undefined);
    const first = await orAborted(Promise.race([Promise.any(asks).catch(() => undefined), late]), signal);
    settled.abort();
    return { wildcard, name, outcome: first ?? (denied ? ("no-address" as const) : ("unanswered" as const)) };
  };
  const looks = await mapConcurrently(wildcards, concurrency, look);
  return {
    watched: new Map(looks.flatMap(({ wildcard, name, outcome }) => (outcome === "watched" ? [[name, wildcard]] : []))),
    left: looks.flatMap(({ wildcard, outcome }) => (outcome === "watched" ? [] : [{ wildcard, why: outcome }])),
  };
}
