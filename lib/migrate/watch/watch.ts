import { setMaxListeners } from "node:events";
import { canonicalAddress } from "../../canonical-address";
import { countOf } from "../../words";
import { orAborted } from "../abort";
import { runChecks } from "../run-checks";
import type { Handshake } from "../verify";
import { type LookOptions, lookAt } from "./look";
import type { WatchGap, WatchLine, WatchSide, WatchSummary, WatchVerdict } from "./model";
import { oneAtATime, type WatchResolver } from "./resolvers";
import { beatMs, Sight } from "./sight";
import { askSilent } from "./silent";
import { Tally, type WatchChange, type WatchFailing, type WatchStanding } from "./tally";

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
/** Counting everything together takes longer than looking at one hostname. */
const tellEveryMs = 200;
const defaults = {
  everyMs: 10 * second,
  goodMs: 600 * second,
  withinMs: 86_400 * second,
  failedMs: Number.POSITIVE_INFINITY,
  concurrency: 64,
} as const;

/**
 * Watches the move of traffic: asks every resolver for every hostname, connects to wherever that leads, over and over, until it has seen enough, the
 * time is over, or the signal. Memory depends on hostnames and resolvers, not on time.
 */
export async function watchTraffic(given: WatchOptions): Promise<WatchSummary> {
  const { hostnames, now } = given;
  const { everyMs, goodMs, withinMs, concurrency, failedMs } = { ...defaults, ...given };
  const over = new AbortController();
  const signal = AbortSignal.any([given.signal, over.signal]);
  // Each question and each connection under way listens to it.
  setMaxListeners(0, signal);
  const options: WatchOptions = { ...given, signal };
  const resolvers = options.resolvers.some(({ isFar }) => isFar)
    ? options.resolvers
    : options.resolvers.map((resolver) => ({ ...resolver, isFar: true }));
  const tally = new Tally(
    hostnames,
    resolvers.map(({ name }) => name),
    options.wildcards,
  );
  let broken: { readonly error: unknown } | undefined;
  // A gap may become known beside the rounds, where nobody would hear of an error.
  const onLine = (line: WatchLine) => {
    try {
      options.onLine(line);
    } catch (error) {
      broken ??= { error };
    }
  };
  const rethrow = () => {
    if (broken !== undefined) throw broken.error;
  };
  let gaps = 0;
  const onGap = (gap: WatchGap) => {
    gaps += 1;
    tally.addGap(gap);
    onLine(gap);
  };
  const startedAt = now();
  const sight = new Sight(startedAt, onGap, (resolver) => options.onSilent?.(resolver));
  onLine(startOf(options, startedAt, everyMs));
  const control = oneAtATime(() => anyone(resolvers.flatMap(({ isFar, isAlive }) => (isFar ? (isAlive ?? []) : []))));
  let hasIpv6 = true;
  const look: LookOptions = {
    ...options,
    resolvers,
    sideOf: sideBy(options),
    control,
    sight,
    onSamples: (hostname, samples, isLast) => {
      for (const sample of samples) onLine(sample);
      for (const change of tally.add(hostname, samples, isLast)) options.onChange?.(hostname, change);
      if (options.onStanding !== undefined && Math.abs(now() - toldAt) >= tellEveryMs) {
        toldAt = now();
        options.onStanding(tally.standing());
      }
    },
    onIpv6Missing: () => {
      if (hasIpv6) options.onIpv6Missing?.();
      hasIpv6 = false;
    },
  };
  let toldAt = startedAt;
  const silence = askSilent({
    resolvers,
    hostname: (turn) => hostnames[turn % hostnames.length] as string,
    sight,
    everyMs,
    now,
  });
  const deadline = startedAt + withinMs;
  const ended = new AbortController();
  const beating = beat(sight, options, { deadline, over, ended: ended.signal });

  let goodFor = 0;
  let checkedAt = startedAt;
  let gapsAtCheck = 0;
  let enough = false;
  let failing: WatchFailing | undefined;
  const isOver = () => signal.aborted || now() >= deadline;
  try {
    while (!enough && !isOver()) {
      const roundAt = now();
      const failuresBefore = tally.standing().failures;
      silence.ask();
      const looks: Promise<void>[] = [];
      const checks = hostnames.map((hostname) => ({
        attempt: async () => {
          const looking = lookAt(hostname, look);
          looks.push(looking);
          await looking;
          return "settled" as const;
        },
        giveUp: () => {},
      }));
      await runChecks(checks, { concurrency, deadline, pauseMs: 0, signal, now, sleep: options.sleep });
      // Those that were cut off hand over what had come.
      await Promise.all(looks);
      sight.endRound();
      rethrow();
      for (const { name } of resolvers) if (sight.isSilent(name)) tally.forget(name);
      const standing = tally.standing();
      const isGood = standing.movedAt !== undefined && standing.unseen.length === 0;
      if (!isGood || standing.failures > failuresBefore) goodFor = 0;
      else if (gaps === gapsAtCheck && !sight.isLost) goodFor += now() - checkedAt;
      checkedAt = now();
      gapsAtCheck = gaps;
      enough = isGood && !sight.isLost && isEnough(options, goodFor, goodMs);
      if (standing.failing !== undefined && standing.failing.forMs >= failedMs) failing = standing.failing;
      if (enough || failing !== undefined || isOver()) break;
      await untilBack(sight, control, options);
      const pause = Math.min(roundAt + everyMs, deadline) - now();
      // A clock that was set back must not make it wait for hours.
      await rest(options, Math.min(Math.max(0, pause), everyMs));
    }
  } finally {
    ended.abort();
    await Promise.all([beating, silence.stop()]);
  }
  // Too short a watch to be sure of a resolver that has never answered: that nothing was seen of it is said all the same.
  if (over.signal.aborted && resolvers.some(({ name }) => sight.hasHeard(name))) {
    for (const { name } of resolvers) if (!sight.hasHeard(name) && !sight.isSilent(name)) sight.silent(name, startedAt);
  }
  const silentResolvers = resolvers.flatMap(({ name }) => (sight.isSilent(name) ? [name] : []));
  sight.end(now());
  const { verdict, reason } = judge(tally.standing(), hostnames.length, goodFor >= goodMs && options.until !== "moved");
  const summary = tally.summarize({
    time: new Date(now()).toISOString(),
    verdict,
    reason: `${reason}${failing === undefined ? "" : describeFailing(failing)}${describeSilence(silentResolvers)}`,
    stopped: !enough && failing === undefined,
    silentResolvers,
    seconds: Math.round((now() - startedAt) / second),
  });
  onLine(summary);
  rethrow();
  return summary;
}

function isEnough({ until = "good" }: WatchOptions, goodFor: number, goodMs: number): boolean {
  return until === "moved" || (until === "good" && goodFor >= goodMs);
}

function startOf(options: WatchOptions, startedAt: number, everyMs: number): WatchLine {
  return {
    kind: "start",
    version: 1,
    time: new Date(startedAt).toISOString(),
    hostnames: options.hostnames,
    ...(options.wildcards === undefined || options.wildcards.size === 0
      ? {}
      : { wildcards: Object.fromEntries(options.wildcards) }),
    resolvers: options.resolvers.map(({ name }) => name),
    oldAddresses: [...new Set([...options.oldAddresses.values()].flat())].sort(),
    newAddresses: options.newAddresses,
    everyMs,
  };
}

function sideBy({ newAddresses, oldAddresses }: WatchOptions): (hostname: string, address: string) => WatchSide {
  const own = new Set(newAddresses.map(canonicalAddress));
  return (hostname, address) => {
    if (own.has(canonicalAddress(address))) return "new";
    const before = oldAddresses.get(hostname);
    return before === undefined || before.map(canonicalAddress).includes(canonicalAddress(address)) ? "old" : "other";
  };
}

/** Whether at least one of them answers; where nobody can be asked, the network is taken for whole. */
async function anyone(asks: readonly (() => Promise<boolean>)[]): Promise<boolean> {
  if (asks.length === 0) return true;
  const answers = asks.map(async (ask) => {
    if (!(await ask())) throw new Error("silent");
    return true;
  });
  return Promise.any(answers).catch(() => false);
}

/** When a watch is over. */
interface Ends {
  readonly deadline: number;
  /** Aborted at the deadline. */
  readonly over: AbortController;
  /** Aborted when the watch has ended by itself. */
  readonly ended: AbortSignal;
}

/** Notices that the watch itself stood still, also while nothing comes back, and that its time is over. */
async function beat(sight: Sight, { now, sleep }: WatchOptions, { deadline, over, ended }: Ends): Promise<void> {
  while (!ended.aborted && !over.signal.aborted) {
    await sleep(Math.min(beatMs, Math.max(1, deadline - now())), ended).catch(() => undefined);
    if (ended.aborted) return;
    sight.beat(now());
    if (now() >= deadline) over.abort();
  }
}

/** Without a network there is nothing to look at. */
async function untilBack(sight: Sight, control: () => Promise<boolean>, options: WatchOptions): Promise<void> {
  while (sight.isLost && !options.signal.aborted) {
    await rest(options, beatMs);
    const isAlive = await orAborted(control(), options.signal).catch(() => false);
    if (isAlive) sight.alive(options.now());
  }
}

async function rest({ sleep, signal }: WatchOptions, milliseconds: number): Promise<void> {
  await sleep(milliseconds, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function describeFailing({ hostname, since, forMs }: WatchFailing): string {
  return `; ${hostname} has failed at every look since ${since}, for ${Math.round(forMs / second)} s`;
}

function describeSilence(resolvers: readonly string[]): string {
  if (resolvers.length === 0) return "";
  const whose = resolvers.length === 1 ? "its" : "their";
  return `; ${resolvers.join(", ")} answered nobody in the end: what ${whose} clients get is not known`;
}

function judge(
  { failures, unseen, movedAt, share }: WatchStanding,
  hostnames: number,
  hasBeenGood: boolean,
): { readonly verdict: WatchVerdict; readonly reason: string } {
  if (failures > 0) return { verdict: "failures", reason: `${countOf(failures, "failure was", "failures were")} seen` };
  if (unseen.length > 0) {
    return { verdict: "unseen", reason: `nothing was seen of ${unseen.length} of ${countOf(hostnames, "hostname")}` };
  }
  if (movedAt === undefined) {
    return {
      verdict: "not-moved",
      reason: `${countOf(share.old + share.other, "answer still leads", "answers still lead")} elsewhere`,
    };
  }
  if (hasBeenGood) return { verdict: "good", reason: "everything has moved and stayed good" };
  return { verdict: "moved", reason: "everything has moved, without a failure" };
}
