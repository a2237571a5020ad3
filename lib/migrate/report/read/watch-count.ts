import type { WatchShare } from "../../watch";
import type { WatchedHostname, WatchRecord } from "../model";
import { countOf } from "../words";
import { createBuckets } from "./buckets";
import type { ReadLine } from "./watch-lines";

/** The most gaps that are kept one by one. */
const mostGaps = 100;

type Line<Kind extends ReadLine["kind"]> = Extract<ReadLine, { readonly kind: Kind }>;
type Side = keyof WatchShare;

interface Counted {
  readonly hostname: string;
  attempts: number;
  failures: number;
  readonly codes: Map<string, { count: number; detail: string | undefined }>;
  lastFailureAt: Date | undefined;
  /** The latest answer of each resolver: when it was asked, and everywhere it led. */
  readonly answers: Map<string, { readonly time: number; readonly sides: Set<Side> }>;
}

/** Counts what the lines of a log say; in memory for its hostnames, not for its lines. */
export function createWatchCount() {
  const hostnames = new Map<string, Counted>();
  /** Names by which wildcards were watched: what they say is said of the wildcard. */
  const wildcards = new Map<string, string>();
  const resolvers = new Set<string>();
  const buckets = createBuckets();
  let gaps: WatchRecord["gaps"][number][] = [];
  let gapCount = 0;
  let blind = { count: 0, milliseconds: 0 };
  let everyMs = 0;
  let [from, until] = [Infinity, -Infinity];
  let summary: Line<"summary"> | undefined;
  let starts = 0;

  const see = (time: Date) => {
    from = Math.min(from, time.getTime());
    until = Math.max(until, time.getTime());
  };
  const hostnameOf = (name: string): Counted => {
    const hostname = wildcards.get(name) ?? name;
    const known = hostnames.get(hostname);
    if (known !== undefined) return known;
    const counted: Counted = {
      hostname,
      attempts: 0,
      failures: 0,
      codes: new Map(),
      lastFailureAt: undefined,
      answers: new Map(),
    };
    hostnames.set(hostname, counted);
    return counted;
  };

  const addSample = ({ time, hostname, resolver, ok, side, code, detail, shared }: Line<"sample">) => {
    const counted = hostnameOf(hostname);
    resolvers.add(resolver);
    const own = shared ? 0 : 1;
    buckets.add(time.getTime(), { good: ok ? own : 0, failed: ok ? 0 : own, side });
    counted.attempts += own;
    if (!ok && !shared) {
      counted.failures += 1;
      counted.codes.set(code, { count: (counted.codes.get(code)?.count ?? 0) + 1, detail });
      counted.lastFailureAt = time;
    }
    const before = counted.answers.get(resolver);
    // Rounds begin that far apart at least: what is nearer is another address of the same answer.
    if (before !== undefined && time.getTime() - before.time < everyMs / 2) before.sides.add(side);
    else counted.answers.set(resolver, { time: time.getTime(), sides: new Set([side]) });
  };

  const addGap = ({ time, until: end, reason, resolver, discarded }: Line<"gap">) => {
    see(end);
    gapCount += 1;
    gaps.push({ from: time, until: end, reason, discarded, ...(resolver === undefined ? {} : { resolver }) });
    if (reason !== "resolver-silent") {
      blind = { count: blind.count + 1, milliseconds: blind.milliseconds + (end.getTime() - time.getTime()) };
    }
    if (gaps.length > 2 * mostGaps) gaps = longest(gaps);
    if (resolver !== undefined) for (const { answers } of hostnames.values()) answers.delete(resolver);
  };

  return {
    add: (line: ReadLine): void => {
      if (line.kind === "unknown") return;
      see(line.time);
      if (line.kind === "sample") addSample(line);
      else if (line.kind === "gap") addGap(line);
      else if (line.kind === "summary") summary = line;
      else {
        starts += 1;
        everyMs = line.everyMs;
        // What an earlier watch in the same log made of it does not hold for this one.
        summary = undefined;
        for (const [name, wildcard] of line.wildcards) wildcards.set(name, wildcard);
        line.hostnames.forEach(hostnameOf);
        for (const resolver of line.resolvers) resolvers.add(resolver);
      }
    },
    /** @param notes on how the lines were read */
    result: (notes: readonly string[]): Omit<WatchRecord, "source"> => {
      const shares = new Map(
        summary?.hostnames.map(({ hostname, share }) => [wildcards.get(hostname) ?? hostname, share]),
      );
      const all = [...hostnames.values()];
      const attempts = all.reduce((sum, counted) => sum + counted.attempts, 0);
      const failures = all.reduce((sum, counted) => sum + counted.failures, 0);
      const differs =
        summary !== undefined && starts === 1 && (summary.attempts !== attempts || summary.failures !== failures);
      return {
        from: new Date(from),
        until: new Date(until),
        resolvers: [...resolvers],
        buckets: buckets.list(),
        bucketMs: buckets.bucketMs(),
        gaps: longest(gaps),
        gapCount,
        blind,
        hostnames: all.map((counted) =>
          told(counted, shares.get(counted.hostname) ?? shareOf(counted, resolvers.size)),
        ),
        attempts,
        failures,
        ...(summary === undefined ? {} : { verdict: { verdict: summary.verdict, reason: summary.reason } }),
        notes: [
          ...notes,
          ...(starts > 1
            ? [`it holds ${starts} watches one after the other; the time between them was not watched`]
            : []),
          ...(differs
            ? [
                `its summary counts ${countOf(summary?.attempts ?? 0, "connection")} and ${countOf(summary?.failures ?? 0, "failure")}, its lines hold ${countOf(attempts, "connection")} and ${countOf(failures, "failure")}`,
              ]
            : []),
        ],
      };
    },
  };
}

/** The longest, in the order of time. */
function longest(gaps: readonly WatchRecord["gaps"][number][]): WatchRecord["gaps"][number][] {
  const length = ({ from, until }: WatchRecord["gaps"][number]) => until.getTime() - from.getTime();
  return [...gaps]
    .sort((one, other) => length(other) - length(one))
    .slice(0, mostGaps)
    .sort((one, other) => one.from.getTime() - other.from.getTime());
}

function told({ hostname, attempts, failures, codes, lastFailureAt }: Counted, share: WatchShare): WatchedHostname {
  return {
    hostname,
    attempts,
    failures,
    codes: [...codes].map(([code, { count, detail }]) => ({
      code,
      count,
      ...(detail === undefined ? {} : { detail }),
    })),
    ...(lastFailureAt === undefined ? {} : { lastFailureAt }),
    share,
  };
}

/** An answer that leads to several sides counts for what is not new: some clients still go there. */
function shareOf({ answers }: Counted, resolvers: number): WatchShare {
  const share = { old: 0, new: 0, other: 0, unknown: resolvers - answers.size };
  for (const { sides } of answers.values()) {
    share[(["old", "other", "new"] as const).find((side) => sides.has(side)) ?? "unknown"] += 1;
  }
  return share;
}
