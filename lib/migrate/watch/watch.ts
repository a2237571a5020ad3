import { isIPv6 } from "node:net";
import { runChecks } from "../run-checks";
import type { Handshake } from "../verify";
import { type LookOptions, lookAt, type SilentProbes } from "./look";
import type { WatchGap, WatchLine, WatchSide, WatchSummary, WatchVerdict } from "./model";
import { oneAtATime, type WatchResolver } from "./resolvers";
import { beatMs, Sight } from "./sight";
import { Tally, type WatchChange, type WatchStanding } from "./tally";

export interface WatchOptions {
  /** No wildcards. */
  readonly hostnames: readonly string[];
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
  /** How long it may take altogether. @default 24 hours */
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
  /** Told once that addresses of IPv6 are left out, since this machine has none. */
  readonly onIpv6Missing?: () => void;
}

const second = 1_000;
/** Counting everything together takes longer than looking at one hostname. */
const tellEveryMs = 200;
const defaults = { everyMs: 10 * second, goodMs: 600 * second, withinMs: 86_400 * second, concurrency: 64 } as const;

/**
 * Watches the move of traffic: asks every resolver for every hostname, connects to wherever that leads, over and over, until it has seen enough, the
 * time is over, or the signal. Memory depends on hostnames and resolvers, not on time.
 */
export async function watchTraffic(options: WatchOptions): Promise<WatchSummary> {
  const { hostnames, now, signal } = options;
  const { everyMs, goodMs, withinMs, concurrency } = { ...defaults, ...options };
  const resolvers = options.resolvers.some(({ isFar }) => isFar)
    ? options.resolvers
    : options.resolvers.map((resolver) => ({ ...resolver, isFar: true }));
  const tally = new Tally(
    hostnames,
    resolvers.map(({ name }) => name),
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
  const sight = new Sight(startedAt, onGap);
  onLine(startOf(options, startedAt, everyMs));
  const control = oneAtATime(() => anyone(resolvers.flatMap(({ isFar, isAlive }) => (isFar ? (isAlive ?? []) : []))));
  let hasIpv6 = true;
  const look: LookOptions = {
    ...options,
    resolvers,
    sideOf: sideBy(options),
    control,
    sight,
    onIpv6Missing: () => {
      if (hasIpv6) options.onIpv6Missing?.();
      hasIpv6 = false;
    },
  };
  const ended = new AbortController();
  const beating = beat(sight, options, ended.signal);

  let toldAt = startedAt;
  let goodFor = 0;
  let checkedAt = startedAt;
  let gapsAtCheck = 0;
  let enough = false;
  const deadline = startedAt + withinMs;
  const isOver = () => signal.aborted || now() >= deadline;
  try {
    while (!enough && !isOver()) {
      const roundAt = now();
      const failuresBefore = tally.standing().failures;
      const probed: SilentProbes = new Set();
      const checks = hostnames.map((hostname) => ({
        attempt: async () => {
          const samples = await lookAt(hostname, look, probed);
          for (const sample of samples) onLine(sample);
          for (const change of tally.add(hostname, samples)) options.onChange?.(hostname, change);
          if (options.onStanding !== undefined && Math.abs(now() - toldAt) >= tellEveryMs) {
            toldAt = now();
            options.onStanding(tally.standing());
          }
          return "settled" as const;
        },
        giveUp: () => {},
      }));
      await runChecks(checks, { concurrency, deadline, pauseMs: 0, signal, now, sleep: options.sleep });
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
      if (enough || isOver()) break;
      await untilBack(sight, control, options);
      const pause = Math.min(roundAt + everyMs, deadline) - now();
      // A clock that was set back must not make it wait for hours.
      await rest(options, Math.min(Math.max(0, pause), everyMs));
    }
  } finally {
    ended.abort();
    await beating;
  }
  sight.end(now());
  const { verdict, reason } = judge(tally.standing(), hostnames.length, goodFor >= goodMs && options.until !== "moved");
  const summary = tally.summarize({
    time: new Date(now()).toISOString(),
    verdict,
    reason,
    stopped: !enough,
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
    resolvers: options.resolvers.map(({ name }) => name),
    oldAddresses: [...new Set([...options.oldAddresses.values()].flat())].sort(),
    newAddresses: options.newAddresses,
    everyMs,
  };
}

function sideBy({ newAddresses, oldAddresses }: WatchOptions): (hostname: string, address: string) => WatchSide {
  const own = new Set(newAddresses.map(canonical));
  return (hostname, address) => {
    if (own.has(canonical(address))) return "new";
    const before = oldAddresses.get(hostname);
    return before === undefined || before.map(canonical).includes(canonical(address)) ? "old" : "other";
  };
}

/** An address of IPv6 can be written in many ways. */
function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname : address;
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

/** Notices that the watch itself stood still, also while nothing comes back. */
async function beat(sight: Sight, { now, sleep }: WatchOptions, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await sleep(beatMs, ended).catch(() => undefined);
    if (!ended.aborted) sight.beat(now());
  }
}

/** Without a network there is nothing to look at. */
async function untilBack(sight: Sight, control: () => Promise<boolean>, options: WatchOptions): Promise<void> {
  while (sight.isLost && !options.signal.aborted) {
    await rest(options, beatMs);
    if (await control()) sight.alive(options.now());
  }
}

async function rest({ sleep, signal }: WatchOptions, milliseconds: number): Promise<void> {
  await sleep(milliseconds, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function judge(
  { failures, unseen, movedAt, share }: WatchStanding,
  hostnames: number,
  hasBeenGood: boolean,
): { readonly verdict: WatchVerdict; readonly reason: string } {
  if (failures > 0) return { verdict: "failures", reason: `${failures} failures were seen` };
  if (unseen.length > 0) {
    return { verdict: "unseen", reason: `nothing was seen of ${unseen.length} of ${hostnames} hostnames` };
  }
  if (movedAt === undefined) {
    return { verdict: "not-moved", reason: `${share.old + share.other} answers still lead elsewhere` };
  }
  if (hasBeenGood) return { verdict: "good", reason: "everything has moved and stayed good" };
  return { verdict: "moved", reason: "everything has moved, without a failure" };
}
