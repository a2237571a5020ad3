import { setMaxListeners } from "node:events";
import { orAborted } from "../../async/abort";
import { mapConcurrently } from "../../async/concurrent";
import { probeName } from "../verify";
import type { WatchResolver } from "./resolvers";

/** Hostnames that are watched in place of wildcards. */
export interface StandIns {
  /** Hostnames that represent wildcards, with the wildcard of each. */
  readonly watched: ReadonlyMap<string, string>;
  /** Wildcards that cannot be watched. */
  readonly left: readonly { readonly wildcard: string; readonly why: "no-address" | "unanswered" }[];
}

/** Options of {@link findStandIns}. */
export interface StandInOptions {
  readonly resolvers: readonly Pick<WatchResolver, "resolve">[];
  /** Label for every wildcard. @default - a random label that does not exist */
  readonly label?: string;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Maximum time to wait for a resolver that returns an address, in milliseconds. */
const patienceMs = 4_000;
const concurrency = 32;

/**
 * Chooses a name under each wildcard. The name stays the same, because resolvers cache its answers as they cache
 * answers for clients. Many wildcard certificates are used with DNS records for each host. If DNS then has no address
 * for the chosen name, the wildcard cannot be watched, which is not a failure.
 */
export async function findStandIns(
  wildcards: readonly string[],
  { resolvers, label, random, sleep, signal: given }: StandInOptions,
): Promise<StandIns> {
  const signal = AbortSignal.any([given]);
  // Each query in progress adds a listener.
  setMaxListeners(0, signal);
  const checkWildcard = async (wildcard: string) => {
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
  const results = await mapConcurrently(wildcards, concurrency, checkWildcard);
  return {
    watched: new Map(
      results.flatMap(({ wildcard, name, outcome }) => (outcome === "watched" ? [[name, wildcard]] : [])),
    ),
    left: results.flatMap(({ wildcard, outcome }) => (outcome === "watched" ? [] : [{ wildcard, why: outcome }])),
  };
}
