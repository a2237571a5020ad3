import { setMaxListeners } from "node:events";
import type { Handshake } from "../verify";
import type { WatchLine } from "./model";
import type { WatchResolver } from "./resolvers";
import type { WatchChange, WatchProgress } from "./tally";

/** Options of {@link watchTraffic}. */
export interface WatchOptions {
  readonly subjects: WatchSubjects;
  /** One or more resolvers. A lost network can be distinguished from a failed site only if a resolver has `isAlive`. */
  readonly resolvers: readonly WatchResolver[];
  /** Makes one connection. Never rejects. */
  readonly shakeHands: (address: string, hostname: string) => Promise<Handshake>;
  readonly schedule?: WatchSchedule;
  readonly signal: AbortSignal;
  /** Returns the wall-clock time in milliseconds. */
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly observers: WatchObservers;
}

/** The hostnames of a watch, and the addresses before and after the cut-over. */
export interface WatchSubjects {
  /** One or more hostnames without wildcards; a name under a wildcard can represent the wildcard. */
  readonly hostnames: readonly string[];
  /** Hostnames that represent a wildcard, with the wildcard. @default - none */
  readonly wildcards?: ReadonlyMap<string, string>;
  /** Addresses of the load balancer. */
  readonly loadBalancerAddresses: readonly string[];
  /**
   * Addresses of each hostname before the cut-over. For a hostname without an entry, every address outside the load
   * balancer counts as `previous`.
   */
  readonly previousAddresses: ReadonlyMap<string, readonly string[]>;
  /**
   * Hostnames with an address known from before the watch: a missing address is a failure from the first check on. Any
   * other hostname without an address is new, and the watch waits for it. A new hostname fails only if no resolver has
   * its address after a resolver had the address.
   *
   * @default - the hostnames with previous addresses
   */
  readonly foundBefore?: ReadonlySet<string>;
}

/** How often a watch checks, and when it ends. */
export interface WatchSchedule {
  /** Minimum time from the start of one round to the start of the next, in milliseconds. @default 10 seconds */
  readonly everyMs?: number;
  /** Maximum number of hostnames at the same time; slow checks do not count. @default 64 */
  readonly concurrency?: number;
  /**
   * When the watch ends: `good` after all hostnames were good for `goodMs` after the cut-over, `moved` after the
   * cut-over, `stopped` only at the signal or the time limit.
   *
   * @default "good"
   */
  readonly until?: "good" | "moved" | "stopped";
  /** In milliseconds. @default 10 minutes */
  readonly goodMs?: number;
  /**
   * Ends the watch after a hostname has failed in every check for that many milliseconds without a gap. That is enough
   * evidence for a rollback. A hostname that fails and recovers does not end the watch. Failures at the previous
   * provider do not either, because a rollback leads there. A hostname counts as failing even if other resolvers or
   * addresses are good.
   *
   * @default - the watch continues
   */
  readonly failedMs?: number;
  /**
   * Ends the watch after no server, including the resolvers, has answered for that many milliseconds. The time in which
   * the machine sleeps does not count.
   *
   * @default 15 minutes
   */
  readonly blindMs?: number;
  /** Time limit of the watch, in milliseconds; checks in progress are then stopped. @default 24 hours */
  readonly withinMs?: number;
}

/** Functions that are called with the results of a watch. */
export interface WatchObservers {
  /** Called with every line in order; the summary is the last line. */
  readonly onLine: (line: WatchLine) => void;
  readonly onChange?: (hostname: string, change: WatchChange) => void;
  /**
   * Called from time to time with the results so far.
   *
   * @param goodForMs time since all traffic has moved without failures, in milliseconds
   */
  readonly onProgress?: (progress: WatchProgress, goodForMs: number) => void;
  /**
   * Called for a resolver that does not answer any query. The watch skips the resolver, and tests at increasing
   * intervals whether it answers again.
   */
  readonly onSilent?: (resolver: string) => void;
  /**
   * Called about once a second while no server answers.
   *
   * @param since time in milliseconds at which the last answer came, or the watch began
   * @param restMs milliseconds until that ends the watch
   */
  readonly onBlind?: (since: number, restMs: number) => void;
  /** Called once if the watch skips IPv6 addresses because this machine has no IPv6. */
  readonly onIpv6Missing?: () => void;
}

const second = 1_000;

const defaults = {
  everyMs: 10 * second,
  until: "good",
  goodMs: 600 * second,
  withinMs: 86_400 * second,
  failedMs: Number.POSITIVE_INFINITY,
  blindMs: 900 * second,
  concurrency: 64,
} as const;

export interface Settings extends WatchOptions {
  readonly subjects: WatchSubjects & Required<Pick<WatchSubjects, "foundBefore">>;
  readonly schedule: Required<WatchSchedule>;
}

/**
 * Returns the given options with defaults for the others.
 *
 * @param over aborted at the time limit, or when no server has answered for too long
 */
export function resolveSettings(given: WatchOptions, over: AbortSignal): Settings {
  const signal = AbortSignal.any([given.signal, over]);
  // Each query and each connection in progress adds a listener.
  setMaxListeners(0, signal);
  // A far resolver without `isAlive` can't show that the network is lost.
  const canDetectLoss = given.resolvers.some(({ isFar, isAlive }) => isFar && isAlive !== undefined);
  const resolvers = canDetectLoss ? given.resolvers : given.resolvers.map((resolver) => ({ ...resolver, isFar: true }));
  const foundBefore = new Set(
    [...given.subjects.previousAddresses].flatMap(([hostname, previous]) => (previous.length > 0 ? [hostname] : [])),
  );
  return {
    ...given,
    subjects: { foundBefore, ...given.subjects },
    schedule: { ...defaults, ...given.schedule },
    signal,
    resolvers,
  };
}
