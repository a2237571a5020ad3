import { orAborted } from "../../async/abort";
import { canonicalAddress } from "../../hostnames";
import { defined } from "../../json/defined";
import { runChecks } from "../run-checks";
import { type CheckHostnameOptions, checkWatchedHostname } from "./check-hostname";
import { GapTracker, type NetworkOutage, watchBeatMs } from "./gap-tracker";
import { askSilent, createPulse } from "./liveness";
import type { WatchGap, WatchLine, WatchSide, WatchSummary } from "./model";
import { NewHostnames } from "./new-hostnames";
import { resolveSettings, type Settings, type WatchOptions, type WatchSubjects } from "./options";
import { oneAtATime } from "./resolvers";
import { type WatchFailing, WatchTally } from "./tally";
import { GoodTime, judge } from "./verdict";

/** Minimum milliseconds between two progress reports: a sum of all hostnames takes longer than a check. */
const reportEveryMs = 200;

interface Course {
  readonly settings: Settings;
  readonly deadline: number;
  readonly lines: ReturnType<typeof lineWriter>;
  readonly tally: WatchTally;
  readonly newHostnames: NewHostnames;
  readonly gaps: GapTracker;
  readonly goodTime: GoodTime;
  readonly network: NetworkChecks;
}

/** Checks of the network that run beside the rounds. */
interface NetworkChecks {
  readonly silence: ReturnType<typeof askSilent>;
  readonly pulse: ReturnType<typeof createPulse>;
  readonly control: () => Promise<boolean>;
}

/** Why no further round starts. Both fields are negative if a limit of time or the signal ended the watch. */
interface Ending {
  readonly hasSeenEnough: boolean;
  readonly failing: WatchFailing | undefined;
}

/**
 * Watches the cut-over of traffic. In each round, queries every resolver for every hostname and connects to each
 * returned address. Repeats the rounds until the condition of `until` or `failedMs` is met, no server has answered for
 * `blindMs`, the time limit is reached, or the signal is aborted. Memory depends on the number of hostnames and
 * resolvers, not on time.
 */
export async function watchTraffic(given: WatchOptions): Promise<WatchSummary> {
  const startedAt = given.now();
  const over = new AbortController();
  const settings = resolveSettings(given, over.signal);
  const course = begin(settings, startedAt);
  const { lines, network } = course;
  lines.write(startOf(settings, startedAt));
  const ended = new AbortController();
  const beating = beat(course, over, ended.signal);
  let ending: Ending;
  try {
    ending = await checkRepeatedly(course);
  } finally {
    ended.abort();
    await Promise.all([beating, network.silence.stop(), network.pulse.stop()]);
  }
  if (over.signal.aborted) reportSilentResolvers(course, startedAt);
  const summary = conclude(course, { ...ending, outage: await beating }, startedAt);
  lines.write(summary);
  lines.rethrow();
  return summary;
}

function begin(settings: Settings, startedAt: number): Course {
  const { subjects, resolvers, schedule, now, observers } = settings;
  const { hostnames, foundBefore } = subjects;
  const lines = lineWriter(observers.onLine);
  const names = resolvers.map(({ name }) => name);
  const tally = new WatchTally(hostnames, names, subjects.wildcards);
  const goodTime = new GoodTime(startedAt);
  const onGap = (gap: WatchGap) => {
    goodTime.addGap();
    tally.addGap(gap);
    lines.write(gap);
  };
  const onSilent = (resolver: string) => observers.onSilent?.(resolver);
  const gaps = new GapTracker(startedAt, { onGapBegin: lines.write, onGap, onSilent });
  const hostname = (turn: number) => hostnames[turn % hostnames.length] as string;
  return {
    settings,
    deadline: startedAt + schedule.withinMs,
    lines,
    tally,
    newHostnames: new NewHostnames(hostnames.filter((name) => !foundBefore.has(name))),
    gaps,
    goodTime,
    network: {
      silence: askSilent({ resolvers, hostname, gaps, everyMs: schedule.everyMs, now }),
      pulse: createPulse({ resolvers, gaps, now, sleep: settings.sleep }),
      control: oneAtATime(() => anyone(resolvers.flatMap(({ isFar, isAlive }) => (isFar ? (isAlive ?? []) : [])))),
    },
  };
}

/**
 * Returns a writer that stores an error of `onLine`. A gap may be written outside the rounds, where no caller would
 * catch the error.
 */
function lineWriter(onLine: (line: WatchLine) => void) {
  let broken: { readonly error: unknown } | undefined;
  return {
    write: (line: WatchLine): void => {
      try {
        onLine(line);
      } catch (error) {
        broken ??= { error };
      }
    },
    /** Throws the first error of `onLine`, if there was an error. */
    rethrow: (): void => {
      if (broken !== undefined) throw broken.error;
    },
  };
}

async function checkRepeatedly(course: Course): Promise<Ending> {
  const { settings, deadline, tally, gaps, goodTime, network } = course;
  const { signal, now } = settings;
  const { everyMs, until, goodMs, failedMs } = settings.schedule;
  const options = checkHostnameOptions(course);
  const isOver = () => signal.aborted || now() >= deadline;
  // A part of the hostnames can be empty.
  if (settings.subjects.hostnames.length === 0) return { hasSeenEnough: true, failing: undefined };
  while (!isOver()) {
    const roundAt = now();
    await checkAllHostnames(course, options);
    const { movedAt, unseen, failures, failing } = tally.progress();
    const hasMoved = movedAt !== undefined && unseen.length === 0;
    goodTime.check({ hasMoved, failures, isLost: gaps.isLost }, now());
    const isEnough = until === "moved" || (until === "good" && goodTime.milliseconds >= goodMs);
    const hasSeenEnough = hasMoved && !gaps.isLost && isEnough;
    const hasFailed = failing !== undefined && failing.forMs >= failedMs;
    if (hasSeenEnough || hasFailed) return { hasSeenEnough, failing: hasFailed ? failing : undefined };
    if (isOver()) break;
    await untilBack(gaps, network.control, settings);
    const pause = Math.min(roundAt + everyMs, deadline) - now();
    // If the clock was set back, the watch must not wait for hours.
    await rest(settings, Math.min(Math.max(0, pause), everyMs));
  }
  return { hasSeenEnough: false, failing: undefined };
}

/** Returns the options of the checks, which send the samples to the log and the counts. */
function checkHostnameOptions(course: Course): CheckHostnameOptions {
  const { settings, lines, tally, newHostnames, gaps, goodTime, network } = course;
  const { now } = settings;
  const { onChange, onProgress, onIpv6Missing } = settings.observers;
  let reportedAt = now();
  let hasIpv6 = true;
  return {
    ...settings,
    sideOf: sideBy(settings.subjects),
    control: network.control,
    gaps,
    onSamples: (hostname, samples, isLast) => {
      const answers = newHostnames.sort(hostname, samples, isLast);
      for (const answer of answers) lines.write(answer);
      for (const change of tally.add(hostname, answers, isLast)) onChange?.(hostname, change);
      if (onProgress !== undefined && Math.abs(now() - reportedAt) >= reportEveryMs) {
        reportedAt = now();
        onProgress(tally.progress(), goodTime.at(reportedAt));
      }
    },
    onIpv6Missing: () => {
      if (hasIpv6) onIpv6Missing?.();
      hasIpv6 = false;
    },
  };
}

/** Runs one round over all hostnames, including the samples of checks that were cut off. */
async function checkAllHostnames(course: Course, options: CheckHostnameOptions): Promise<void> {
  const { settings, deadline, network, gaps, lines, tally, newHostnames } = course;
  const { subjects, resolvers, schedule, signal, now, sleep } = settings;
  network.silence.ask();
  const started: Promise<void>[] = [];
  const checks = subjects.hostnames.map((hostname) => ({
    attempt: async () => {
      const checking = checkWatchedHostname(hostname, options);
      started.push(checking);
      await checking;
      return "settled" as const;
    },
    giveUp: () => {},
  }));
  await runChecks(checks, { concurrency: schedule.concurrency, deadline, pauseMs: 0, signal, now, sleep });
  await Promise.all(started);
  gaps.endRound();
  lines.rethrow();
  for (const { name } of resolvers) {
    if (!gaps.isSilent(name)) continue;
    tally.forget(name);
    newHostnames.forget(name);
  }
}

/** Marks resolvers that have never answered as silent, even if the watch was too short for certainty. */
function reportSilentResolvers({ settings: { resolvers }, gaps }: Course, startedAt: number): void {
  if (!resolvers.some(({ name }) => gaps.hasHeard(name))) return;
  for (const { name } of resolvers) if (!gaps.hasHeard(name) && !gaps.isSilent(name)) gaps.silent(name, startedAt);
}

interface Conclusion extends Ending {
  readonly outage: NetworkOutage | undefined;
}

function conclude(course: Course, { hasSeenEnough, failing, outage }: Conclusion, startedAt: number): WatchSummary {
  const { settings, tally, gaps, goodTime } = course;
  const { subjects, resolvers, schedule, now } = settings;
  const silentResolvers = resolvers.flatMap(({ name }) => (gaps.isSilent(name) ? [name] : []));
  gaps.end(now());
  const hasBeenGood = goodTime.milliseconds >= schedule.goodMs && schedule.until !== "moved";
  const progress = tally.progress();
  return tally.summarize({
    time: new Date(now()).toISOString(),
    ...judge({ progress, hostnames: subjects.hostnames.length, hasBeenGood, failing, outage, silentResolvers }),
    stopped: !hasSeenEnough && failing === undefined && outage === undefined,
    ...defined({ blindSince: outage && new Date(outage.since).toISOString() }),
    silentResolvers,
    seconds: Math.round((now() - startedAt) / 1_000),
  });
}

function startOf(settings: Settings, startedAt: number): WatchLine {
  const { hostnames, wildcards, previousAddresses, loadBalancerAddresses } = settings.subjects;
  return {
    kind: "start",
    version: 1,
    time: new Date(startedAt).toISOString(),
    hostnames,
    ...(wildcards === undefined || wildcards.size === 0 ? {} : { wildcards: Object.fromEntries(wildcards) }),
    resolvers: settings.resolvers.map(({ name }) => name),
    previousAddresses: [...new Set([...previousAddresses.values()].flat())].sort(),
    loadBalancerAddresses,
    everyMs: settings.schedule.everyMs,
  };
}

function sideBy(subjects: WatchSubjects): (hostname: string, address: string) => WatchSide {
  const ofLoadBalancer = new Set(subjects.loadBalancerAddresses.map(canonicalAddress));
  return (hostname, given) => {
    const address = canonicalAddress(given);
    if (ofLoadBalancer.has(address)) return "loadBalancer";
    const before = subjects.previousAddresses.get(hostname);
    return before === undefined || before.map(canonicalAddress).includes(address) ? "previous" : "other";
  };
}

/** Reports whether at least one server answers. Without any server to query, assumes that the network works. */
async function anyone(asks: readonly (() => Promise<boolean>)[]): Promise<boolean> {
  if (asks.length === 0) return true;
  const answers = asks.map(async (ask) => {
    if (!(await ask())) throw new Error("silent");
    return true;
  });
  return Promise.any(answers).catch(() => false);
}

/**
 * Detects, even while no answers arrive, interruptions of the watch itself, a lost network, and both limits of time.
 *
 * @param over aborted at a limit
 * @param ended aborted when the watch has ended for another reason
 * @returns the time without any answer, if that ended the watch
 */
async function beat(
  { settings, gaps, network, deadline }: Course,
  over: AbortController,
  ended: AbortSignal,
): Promise<NetworkOutage | undefined> {
  const { now, sleep } = settings;
  const { blindMs } = settings.schedule;
  const { onBlind } = settings.observers;
  while (!ended.aborted && !over.signal.aborted) {
    await sleep(Math.min(watchBeatMs, Math.max(1, deadline - now())), ended).catch(() => undefined);
    if (ended.aborted) return undefined;
    gaps.beat(now());
    network.pulse.take();
    const outage = gaps.outage(now());
    const isBlind = outage !== undefined && outage.forMs >= blindMs;
    if (outage !== undefined) onBlind?.(outage.since, Math.max(0, blindMs - outage.forMs));
    if (isBlind || now() >= deadline) over.abort();
    if (isBlind) return outage;
  }
  return undefined;
}

/** Waits until the network works again, because checks are useless without a network. */
async function untilBack(gaps: GapTracker, control: () => Promise<boolean>, options: WatchOptions): Promise<void> {
  while (gaps.isLost && !options.signal.aborted) {
    await rest(options, watchBeatMs);
    const isAlive = await orAborted(control(), options.signal).catch(() => false);
    if (isAlive) gaps.alive(options.now());
  }
}

async function rest({ sleep, signal }: WatchOptions, milliseconds: number): Promise<void> {
  await sleep(milliseconds, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
