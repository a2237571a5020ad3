import { setMaxListeners } from "node:events";
import type { Handshake } from "../verify";
import type { WatchLine } from "./model";
import type { WatchResolver } from "./resolvers";
import type { WatchChange, WatchStanding } from "./tally";

export interface WatchOptions {
  /** One or more, no wildcards; a name under a wildcard can stand for it. */
  readonly hostnames: readonly string[];
  /** Which of them stand for a wildcard, and for which. @default - none */
  readonly wildcards?: ReadonlyMap<string, string>;
  /** At least one; only where one can be asked whether it is alive, a lost network is told from a site that is down. */
  readonly resolvers: readonly WatchResolver[];
  /** Addresses of the load balancer. */
  readonly newAddresses: readonly string[];
  /** Addresses of each hostname before the move; whatever is not new counts as old for one that is not here. */
  readonly oldAddresses: ReadonlyMap<string, readonly string[]>;
  /**
   * Hostnames that clients are known to have found before the watch: for these, no address is a failure from the first look on. Any other that has none then is
   * new, and waited for: it fails only where nobody has its address any more after somebody had. @default - those with old addresses
   */
  readonly foundBefore?: ReadonlySet<string>;
  /** One connection. Never rejects. */
  readonly shakeHands: (address: string, hostname: string) => Promise<Handshake>;
  /** From the beginning of one round to that of the next, at least. @default 10 seconds */
  readonly everyMs?: number;
  /** When it has seen enough: everything good for `goodMs` after the move, or the move alone; or never. @default "good" */
  readonly until?: "good" | "moved" | "stopped";
  /** @default 10 minutes */
  readonly goodMs?: number;
  /**
   * Ends once a hostname has failed at every look for that long, without a gap in between: what came by then tells enough to go back. What fails and recovers
   * does not end it, nor does what fails at the old side: going back leads there. Who is well served by another resolver, or at another address, is no reason
   * to go on. @default - it goes on
   */
  readonly failedMs?: number;
  /** How long it may take altogether; what is under way then is given up. @default 24 hours */
  readonly withinMs?: number;
  /** Hostnames at once; slow ones don't count. @default 64 */
  readonly concurrency?: number;
  readonly signal: AbortSignal;
  /** Milliseconds of the clock on the wall. */
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Told of everything, in the order in which it becomes known; the summary is the last. */
  readonly onLine: (line: WatchLine) => void;
  readonly onChange?: (hostname: string, change: WatchChange) => void;
  /** Told every now and then. */
  readonly onStanding?: (standing: WatchStanding) => void;
  /** Told of a resolver that is found to answer nobody: it is left out, and asked ever more rarely whether it is back. */
  readonly onSilent?: (resolver: string) => void;
  /** Told once that addresses of IPv6 are left out, since this machine has none. */
  readonly onIpv6Missing?: () => void;
}

const second = 1_000;

const defaults = {
  everyMs: 10 * second,
  until: "good",
  goodMs: 600 * second,
  withinMs: 86_400 * second,
  failedMs: Number.POSITIVE_INFINITY,
  concurrency: 64,
} as const;

/** Options with nothing left open that has a default. */
export type Settings = WatchOptions & Required<Pick<WatchOptions, keyof typeof defaults | "foundBefore">>;

/**
 * What was given, with the defaults of the rest.
 *
 * @param over aborted when the time is over
 */
export function settle(given: WatchOptions, over: AbortSignal): Settings {
  const signal = AbortSignal.any([given.signal, over]);
  // Each question and each connection under way listens to it.
  setMaxListeners(0, signal);
  const hasFar = given.resolvers.some(({ isFar }) => isFar);
  const resolvers = hasFar ? given.resolvers : given.resolvers.map((resolver) => ({ ...resolver, isFar: true }));
  const foundBefore = new Set([...given.oldAddresses].flatMap(([hostname, old]) => (old.length > 0 ? [hostname] : [])));
  return { ...defaults, foundBefore, ...given, signal, resolvers };
}
