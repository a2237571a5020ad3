import { orAborted } from "../../async/abort";
import { canonicalAddress } from "../../hostnames";
import { runChecks } from "../run-checks";
import { GoodTime } from "./good-time";
import { type LookOptions, lookAt } from "./look";
import type { WatchGap, WatchLine, WatchSide, WatchSummary } from "./model";
import { Newcomers } from "./newcomers";
import { type Settings, settle, type WatchOptions } from "./options";
import { oneAtATime } from "./resolvers";
import { beatMs, Sight } from "./sight";
import { askSilent, type Silence } from "./silent";
import { Tally, type WatchFailing } from "./tally";
import { judge } from "./verdict";

/** Counting everything together takes longer than looking at one hostname. */
const tellEveryMs = 200;

/** A watch under way. */
interface Course {
  readonly settings: Settings;
  readonly deadline: number;
  readonly lines: LineWriter;
  readonly tally: Tally;
  readonly newcomers: Newcomers;
  readonly sight: Sight;
  readonly goodTime: GoodTime;
  readonly silence: Silence;
  /** Asks whether anything answers that has nothing to do with the site. */
  readonly control: () => Promise<boolean>;
}

/** Why no further round was begun; neither where the time was over, or the signal ended it. */
interface Ending {
  readonly hasSeenEnough: boolean;
  /** The hostname that has failed for too long. */
  readonly failing: WatchFailing | undefined;
}

/**
 * Watches the move of traffic: asks every resolver for every hostname, connects to wherever that leads, over and over, until it has seen enough, the
 * time is over, or the signal. Memory depends on hostnames and resolvers, not on time.
 */
export async function watchTraffic(given: WatchOptions): Promise<WatchSummary> {
  const startedAt = given.now();
  const over = new AbortController();
  const settings = settle(given, over.signal);
  const course = begin(settings, startedAt);
  const { lines, sight, silence, deadline } = course;
  lines.write(startOf(settings, startedAt));
  const ended = new AbortController();
  const beating = beat(sight, settings, { deadline, over, ended: ended.signal });
  let ending: Ending;
  try {
    ending = await lookAgainAndAgain(course);
  } finally {
    ended.abort();
    await Promise.all([beating, silence.stop()]);
  }
  if (over.signal.aborted) nameUnheard(course, startedAt);
  const summary = conclude(course, ending, startedAt);
  lines.write(summary);
  lines.rethrow();
  return summary;
}

function begin(settings: Settings, startedAt: number): Course {
  const { hostnames, foundBefore, resolvers, everyMs, withinMs, now } = settings;
  const lines = lineWriter(settings.onLine);
  const names = resolvers.map(({ name }) => name);
  const tally = new Tally(hostnames, names, settings.wildcards);
  const goodTime = new GoodTime(startedAt);
  const onGap = (gap: WatchGap) => {
    goodTime.addGap();
    tally.addGap(gap);
    lines.write(gap);
  };
  const sight = new Sight(startedAt, onGap, (resolver) => settings.onSilent?.(resolver));
  const hostname = (turn: number) => hostnames[turn % hostnames.length] as string;
  return {
    settings,
    deadline: startedAt + withinMs,
    lines,
    tally,
    newcomers: new Newcomers(hostnames.filter((name) => !foundBefore.has(name))),
    sight,
    goodTime,
    silence: askSilent({ resolvers, hostname, sight, everyMs, now }),
    control: oneAtATime(() => anyone(resolvers.flatMap(({ isFar, isAlive }) => (isFar ? (isAlive ?? []) : [])))),
  };
}

interface LineWriter {
  readonly write: (line: WatchLine) => void;
  /** @throws what the first line that was not taken was refused with */
  readonly rethrow: () => void;
}

/** Keeps an error of who takes the lines: a gap may become known beside the rounds, where nobody would hear of it. */
function lineWriter(onLine: (line: WatchLine) => void): LineWriter {
  let broken: { readonly error: unknown } | undefined;
  return {
    write: (line) => {
      try {
        onLine(line);
      } catch (error) {
        broken ??= { error };
      }
    },
    rethrow: () => {
      if (broken !== undefined) throw broken.error;
    },
  };
}

async function lookAgainAndAgain(course: Course): Promise<Ending> {
  const { settings, deadline, tally, sight, goodTime, control } = course;
  const { everyMs, until, goodMs, failedMs, signal, now } = settings;
  const look = lookInto(course);
  const isOver = () => signal.aborted || now() >= deadline;
  while (!isOver()) {
    const roundAt = now();
    await lookAtAll(course, look);
    const { movedAt, unseen, failures, failing } = tally.standing();
    const hasMoved = movedAt !== undefined && unseen.length === 0;
    goodTime.check({ hasMoved, failures, isLost: sight.isLost }, now());
    const isEnough = until === "moved" || (until === "good" && goodTime.milliseconds >= goodMs);
    const hasSeenEnough = hasMoved && !sight.isLost && isEnough;
    const hasFailed = failing !== undefined && failing.forMs >= failedMs;
    if (hasSeenEnough || hasFailed) return { hasSeenEnough, failing: hasFailed ? failing : undefined };
    if (isOver()) break;
    await untilBack(sight, control, settings);
    const pause = Math.min(roundAt + everyMs, deadline) - now();
    // A clock that was set back must not make it wait for hours.
    await rest(settings, Math.min(Math.max(0, pause), everyMs));
  }
  return { hasSeenEnough: false, failing: undefined };
}

/** What each look needs, and where what it brings goes. */
function lookInto({ settings, lines, tally, newcomers, sight, control }: Course): LookOptions {
  const { now, onChange, onStanding, onIpv6Missing } = settings;
  let toldAt = now();
  let hasIpv6 = true;
  return {
    ...settings,
    sideOf: sideBy(settings),
    control,
    sight,
    onSamples: (hostname, samples, isLast) => {
      const answers = newcomers.sort(hostname, samples, isLast);
      for (const answer of answers) lines.write(answer);
      for (const change of tally.add(hostname, answers, isLast)) onChange?.(hostname, change);
      if (onStanding !== undefined && Math.abs(now() - toldAt) >= tellEveryMs) {
        toldAt = now();
        onStanding(tally.standing());
      }
    },
    onIpv6Missing: () => {
      if (hasIpv6) onIpv6Missing?.();
      hasIpv6 = false;
    },
  };
}

/** One round over all hostnames, with whatever came of those that were cut off. */
async function lookAtAll(course: Course, look: LookOptions): Promise<void> {
  const { settings, deadline, silence, sight, lines, tally, newcomers } = course;
  const { hostnames, resolvers, concurrency, signal, now, sleep } = settings;
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
  await runChecks(checks, { concurrency, deadline, pauseMs: 0, signal, now, sleep });
  await Promise.all(looks);
  sight.endRound();
  lines.rethrow();
  for (const { name } of resolvers) {
    if (!sight.isSilent(name)) continue;
    tally.forget(name);
    newcomers.forget(name);
  }
}

/** Too short a watch to be sure of a resolver that has never answered: that nothing was seen of it is said all the same. */
function nameUnheard({ settings: { resolvers }, sight }: Course, startedAt: number): void {
  if (!resolvers.some(({ name }) => sight.hasHeard(name))) return;
  for (const { name } of resolvers) if (!sight.hasHeard(name) && !sight.isSilent(name)) sight.silent(name, startedAt);
}

function conclude(course: Course, { hasSeenEnough, failing }: Ending, startedAt: number): WatchSummary {
  const { settings, tally, sight, goodTime } = course;
  const { hostnames, resolvers, until, goodMs, now } = settings;
  const silentResolvers = resolvers.flatMap(({ name }) => (sight.isSilent(name) ? [name] : []));
  sight.end(now());
  const hasBeenGood = goodTime.milliseconds >= goodMs && until !== "moved";
  const standing = tally.standing();
  return tally.summarize({
    time: new Date(now()).toISOString(),
    ...judge({ standing, hostnames: hostnames.length, hasBeenGood, failing, silentResolvers }),
    stopped: !hasSeenEnough && failing === undefined,
    silentResolvers,
    seconds: Math.round((now() - startedAt) / 1_000),
  });
}

function startOf(settings: Settings, startedAt: number): WatchLine {
  const { hostnames, wildcards, resolvers, oldAddresses, newAddresses, everyMs } = settings;
  return {
    kind: "start",
    version: 1,
    time: new Date(startedAt).toISOString(),
    hostnames,
    ...(wildcards === undefined || wildcards.size === 0 ? {} : { wildcards: Object.fromEntries(wildcards) }),
    resolvers: resolvers.map(({ name }) => name),
    oldAddresses: [...new Set([...oldAddresses.values()].flat())].sort(),
    newAddresses,
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
