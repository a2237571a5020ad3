import type { WatchedHostname, WatchRecord } from "../model";
import { countOf } from "../words";
import { createBuckets } from "./buckets";
import { createWatchCourses } from "./watch-courses";
import { createGapCount } from "./watch-gaps";
import { createHostnameCount } from "./watch-hostnames";
import type { LineOf, ReadLine } from "./watch-lines";

/** Counts the samples in the lines of a log. Memory use grows with the hostnames, not with the lines. */
export interface WatchCount {
  readonly add: (line: ReadLine) => void;
  /** Returns the record without its source. @param notes on how the lines were read */
  readonly result: (notes: readonly string[]) => Omit<WatchRecord, "source">;
}

export function createWatchCount(): WatchCount {
  const hostnames = createHostnameCount();
  const gaps = createGapCount();
  const buckets = createBuckets();
  const courses = createWatchCourses();
  let [from, until] = [Infinity, -Infinity];
  let starts = 0;
  let migrations: LineOf<"start">["migrations"] = [];
  let newAddresses: readonly string[] = [];
  let summary: LineOf<"summary"> | undefined;

  const see = (time: Date) => {
    from = Math.min(from, time.getTime());
    until = Math.max(until, time.getTime());
  };
  const addStart = (line: LineOf<"start">) => {
    starts += 1;
    // The verdict of an earlier watch in the same log does not apply to this watch.
    summary = undefined;
    migrations = line.migrations;
    newAddresses = line.newAddresses;
    hostnames.begin(line);
    courses.begin(line);
  };
  const addSample = (line: LineOf<"sample">) => {
    const { time, ok, side, shared } = line;
    const own = shared ? 0 : 1;
    buckets.add(time.getTime(), { good: ok ? own : 0, failed: ok ? 0 : own, side });
    hostnames.addSample(line);
    courses.add(line);
  };
  const addAbsence = (line: LineOf<"absent">) => {
    buckets.add(line.time.getTime(), { good: 0, failed: 0, side: "unknown" });
    hostnames.addAbsence(line);
  };
  const beginGap = (line: LineOf<"gap-begin">) => {
    see(line.noticedAt);
    gaps.begin(line);
  };
  const addGap = (line: LineOf<"gap">) => {
    see(line.until);
    gaps.add(line);
    if (line.resolver !== undefined) hostnames.forget(line.resolver);
  };

  return {
    add: (line) => {
      if (line.kind === "unknown") return;
      see(line.time);
      if (line.kind === "start") addStart(line);
      else if (line.kind === "sample") addSample(line);
      else if (line.kind === "absent") addAbsence(line);
      else if (line.kind === "gap-begin") beginGap(line);
      else if (line.kind === "gap") addGap(line);
      else summary = line;
    },
    result: (notes) => {
      const cutOff = gaps.cutOff(new Date(until));
      for (const resolver of cutOff) if (resolver !== undefined) hostnames.forget(resolver);
      const counted = hostnames.result(summary);
      const counts = { attempts: sumOf(counted, "attempts"), failures: sumOf(counted, "failures") };
      return {
        from: new Date(from),
        until: new Date(until),
        ...(migrations.length === 0 ? {} : { migrations }),
        ...(newAddresses.length === 0 ? {} : { newAddresses }),
        resolvers: hostnames.resolvers(),
        buckets: buckets.list(),
        bucketMs: buckets.bucketMs(),
        ...gaps.result(),
        hostnames: counted,
        courses: courses.result(),
        ...counts,
        ...(summary === undefined ? {} : { verdict: { verdict: summary.verdict, reason: summary.reason } }),
        notes: [
          ...notes,
          ...(cutOff.length === 0 ? [] : ["it ends within a gap of the watch"]),
          ...describeStarts(starts),
          ...(starts === 1 ? describeDifference(summary, counts) : []),
        ],
      };
    },
  };
}

function sumOf(hostnames: readonly WatchedHostname[], what: "attempts" | "failures"): number {
  return hostnames.reduce((sum, hostname) => sum + hostname[what], 0);
}

type Counts = Pick<WatchRecord, "attempts" | "failures">;

function describeStarts(starts: number): readonly string[] {
  if (starts <= 1) return [];
  return [`it holds ${starts} watches one after the other; the time between them was not watched`];
}

function describeDifference(summary: Counts | undefined, counted: Counts): readonly string[] {
  if (summary === undefined) return [];
  if (summary.attempts === counted.attempts && summary.failures === counted.failures) return [];
  const tell = ({ attempts, failures }: Counts) =>
    `${countOf(attempts, "connection")} and ${countOf(failures, "failure")}`;
  return [`its summary counts ${tell(summary)}, its lines hold ${tell(counted)}`];
}
