import { defined } from "../../json/defined";
import type { WatchShare } from "../../live/watch";
import type { WatchedHostname, WatchRecord } from "../model";
import type { LineOf } from "./watch-lines";

type Side = keyof WatchShare;

interface Counted {
  readonly hostname: string;
  attempts: number;
  failures: number;
  readonly codes: Map<string, { count: number; detail: string | undefined }>;
  lastFailureAt: Date | undefined;
  /** The latest answer of each resolver: the time of the query, and all sides to which the answer led. */
  readonly answers: Map<string, { readonly time: number; readonly sides: Set<Side> }>;
}

/** Counts samples by hostname, and keeps where the latest answer of each resolver leads. */
export function createHostnameCount() {
  const hostnames = new Map<string, Counted>();
  /** Names that were watched in place of wildcards. Their samples count for the wildcard. */
  const wildcards = new Map<string, string>();
  const resolvers = new Set<string>();
  let everyMs = 0;

  const countedFor = (name: string): Counted => {
    const hostname = wildcards.get(name) ?? name;
    const known = hostnames.get(hostname);
    if (known !== undefined) return known;
    const counted = uncounted(hostname);
    hostnames.set(hostname, counted);
    return counted;
  };
  const noteAnswer = ({ answers }: Counted, resolver: string, time: number, side: Side) => {
    resolvers.add(resolver);
    const before = answers.get(resolver);
    // Rounds begin at least this far apart. A sample within that time is another address of the same answer.
    if (before !== undefined && time - before.time < everyMs / 2) before.sides.add(side);
    else answers.set(resolver, { time, sides: new Set([side]) });
  };

  return {
    /** Starts a watch: sets its hostnames and resolvers. The result lists hostnames in this order. */
    begin: (line: LineOf<"start">): void => {
      everyMs = line.everyMs;
      for (const [name, wildcard] of line.wildcards) wildcards.set(name, wildcard);
      for (const hostname of line.hostnames) countedFor(hostname);
      for (const resolver of line.resolvers) resolvers.add(resolver);
    },
    addSample: ({ time, hostname, resolver, ok, side, code, detail, shared }: LineOf<"sample">): void => {
      const counted = countedFor(hostname);
      noteAnswer(counted, resolver, time.getTime(), side);
      if (shared) return;
      counted.attempts += 1;
      if (ok) return;
      counted.failures += 1;
      counted.codes.set(code, { count: (counted.codes.get(code)?.count ?? 0) + 1, detail });
      counted.lastFailureAt = time;
    },
    addAbsence: ({ time, hostname, resolver }: LineOf<"absent">): void =>
      noteAnswer(countedFor(hostname), resolver, time.getTime(), "unknown"),
    /** Forgets where a resolver led. */
    forget: (resolver: string): void => {
      for (const { answers } of hostnames.values()) answers.delete(resolver);
    },
    resolvers: (): readonly string[] => [...resolvers],
    /** @param summary decides where the latest answers lead; undefined if the watch was killed */
    result: (summary: LineOf<"summary"> | undefined): readonly WatchedHostname[] => {
      const shares = new Map(
        summary?.hostnames.map(({ hostname, share }) => [wildcards.get(hostname) ?? hostname, share]),
      );
      return [...hostnames.values()].map((counted) =>
        watchedHostname(counted, shares.get(counted.hostname) ?? shareOf(counted, resolvers.size)),
      );
    },
  };
}

/** Returns the counts of a hostname before its first sample. */
function uncounted(hostname: string): Counted {
  return { hostname, attempts: 0, failures: 0, codes: new Map(), lastFailureAt: undefined, answers: new Map() };
}

function watchedHostname(
  { hostname, attempts, failures, codes, lastFailureAt }: Counted,
  share: WatchShare,
): WatchedHostname {
  return {
    hostname,
    attempts,
    failures,
    codes: [...codes].map(([code, { count, detail }]) => ({ code, count, ...defined({ detail }) })),
    ...defined({ lastFailureAt }),
    share,
  };
}

/**
 * Counts the resolvers by side. An answer that leads to several sides counts for a side other than the load balancer,
 * because some clients still connect there.
 */
function shareOf({ answers }: Counted, resolvers: number): WatchShare {
  const share = { previous: 0, loadBalancer: 0, other: 0, unknown: resolvers - answers.size };
  for (const { sides } of answers.values()) {
    share[(["previous", "other", "loadBalancer"] as const).find((side) => sides.has(side)) ?? "unknown"] += 1;
  }
  return share;
}

type Gap = WatchRecord["gaps"][number];

/** The most gaps that are kept one by one. */
const mostGaps = 100;

/** Counts gaps, and keeps the longest. */
export function createGapCount() {
  let gaps: Gap[] = [];
  let gapCount = 0;
  const blind = { count: 0, milliseconds: 0 };
  /** Gaps that have begun and not ended, by resolver. */
  const open = new Map<string | undefined, LineOf<"gap-begin">>();
  const add = ({ time: from, until, reason, resolver, discarded }: LineOf<"gap">): void => {
    if (reason !== "stood-still") open.delete(resolver);
    gapCount += 1;
    gaps.push({ from, until, reason, discarded, ...defined({ resolver }) });
    if (gaps.length > 2 * mostGaps) gaps = longest(gaps);
    if (reason === "resolver-silent") return;
    blind.count += 1;
    blind.milliseconds += until.getTime() - from.getTime();
  };
  return {
    add,
    begin: (line: LineOf<"gap-begin">) => void open.set(line.resolver, line),
    /** Ends the gaps that have begun and not ended, in a log that was cut off. Returns their resolvers. */
    cutOff: (until: Date): readonly (string | undefined)[] => {
      const lines = [...open.values()];
      for (const line of lines) add({ ...line, kind: "gap", until, discarded: 0 });
      return lines.map(({ resolver }) => resolver);
    },
    result: (): Pick<WatchRecord, "gaps" | "gapCount" | "blind"> => ({
      gaps: longest(gaps),
      gapCount,
      blind: { ...blind },
    }),
  };
}

/** Returns the longest gaps, in the order of time. */
function longest(gaps: readonly Gap[]): Gap[] {
  const length = ({ from, until }: Gap) => until.getTime() - from.getTime();
  return [...gaps]
    .sort((left, right) => length(right) - length(left))
    .slice(0, mostGaps)
    .sort((left, right) => left.from.getTime() - right.from.getTime());
}
