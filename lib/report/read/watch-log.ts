import { quote } from "../../text/quote";
import type { WatchedHostname, WatchRecord } from "../model";
import { countWithSeparators, formatNumber } from "../words";
import type { Read } from "./field-reader";
import { createBuckets, createWatchCourses } from "./watch-courses";
import { createGapCount, createHostnameCount } from "./watch-hostnames";
import { type LineOf, type ReadLine, readLine } from "./watch-lines";

/** Reads a log of `cert-migration watch --log` in chunks. Memory use does not grow with the length of the log. */
export interface WatchLogReader {
  /** Takes the next chunk of the log; it may end anywhere in a line. */
  push(piece: string): void;
  /** Returns the summary of the log. A truncated log is read as far as possible, and the notes mention it. */
  end(): Read<WatchRecord>;
}

/** Longest line that is read, in characters: the size of the summary of about ten thousand hostnames. */
const longestLine = 16 * 1024 * 1024;

/** Creates a reader for one log. @param source name of the log in problems and in the report */
export function createWatchLogReader(source: string): WatchLogReader {
  const count = createWatchCount();
  /** The chunks of an incomplete line so far. */
  let begun: string[] = [];
  let length = 0;
  let line = 0;
  let unread = 0;
  let firstUnread = 0;
  let hasStart = false;
  let wasCut = false;

  const skip = () => {
    unread += 1;
    if (firstUnread === 0) firstUnread = line;
  };
  const take = (text: string, isWhole: boolean) => {
    line += 1;
    if (text.trim() === "") return;
    const read = length > longestLine ? undefined : readLine(line === 1 ? text.replace(/^\uFEFF/, "") : text);
    if (read === undefined && !isWhole) wasCut = true;
    else if (read === undefined) skip();
    else if (read.kind === "start") hasStart = true;
    if (read !== undefined) count.add(read);
  };
  const endLine = (isWhole: boolean) => {
    take(begun.join(""), isWhole);
    begun = [];
    length = 0;
  };
  const keep = (piece: string) => {
    length += piece.length;
    if (length > longestLine) begun = ["…"];
    else begun.push(piece);
  };

  return {
    push: (piece) => {
      let from = 0;
      for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
        keep(piece.slice(from, end));
        endLine(true);
        from = end + 1;
      }
      keep(piece.slice(from));
    },
    end: () => {
      if (length > 0) endLine(false);
      if (!hasStart) {
        const message = `${quote(source)} is not a log of 'cert-migration watch --log': it has no line of the kind start and version 1`;
        return { problems: [{ code: "report-input-malformed", message }] };
      }
      const notes = [
        ...(wasCut ? [`line ${formatNumber(line)}, the last, was cut off in the middle and is not counted`] : []),
        ...describeUnread(unread, firstUnread),
      ];
      return { part: { source, ...count.result(notes) } };
    },
  };
}

function describeUnread(count: number, firstLine: number): readonly string[] {
  if (count === 0) return [];
  const [lines, are] = count === 1 ? ["line", "is"] : ["lines", "are"];
  return [
    `${formatNumber(count)} ${lines} could not be read and ${are} not counted, the first is line ${formatNumber(firstLine)}`,
  ];
}

/** Counts the samples in the lines of a log. Memory use grows with the hostnames, not with the lines. */
function createWatchCount() {
  const hostnames = createHostnameCount();
  const gaps = createGapCount();
  const buckets = createBuckets();
  const courses = createWatchCourses();
  let [from, until] = [Infinity, -Infinity];
  let starts = 0;
  let migrations: LineOf<"start">["migrations"] = [];
  let loadBalancerAddresses: readonly string[] = [];
  let shard: string | undefined;
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
    loadBalancerAddresses = line.loadBalancerAddresses;
    shard = line.shard;
    hostnames.begin(line);
    courses.begin(line);
  };
  const addSample = (line: LineOf<"sample">) => {
    const { time, ok, side, shared } = line;
    const weight = shared ? 0 : 1;
    buckets.add(time.getTime(), { good: ok ? weight : 0, failed: ok ? 0 : weight, side });
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
    add: (line: ReadLine): void => {
      if (line.kind === "unknown") return;
      see(line.time);
      if (line.kind === "start") addStart(line);
      else if (line.kind === "sample") addSample(line);
      else if (line.kind === "absent") addAbsence(line);
      else if (line.kind === "gap-begin") beginGap(line);
      else if (line.kind === "gap") addGap(line);
      else summary = line;
    },
    /** Returns the record without its source. @param notes on how the lines were read */
    result: (notes: readonly string[]): Omit<WatchRecord, "source"> => {
      const cutOff = gaps.cutOff(new Date(until));
      for (const resolver of cutOff) if (resolver !== undefined) hostnames.forget(resolver);
      const counted = hostnames.result(summary);
      const counts = { attempts: sumOf(counted, "attempts"), failures: sumOf(counted, "failures") };
      return {
        from: new Date(from),
        until: new Date(until),
        ...(migrations.length === 0 ? {} : { migrations }),
        ...(loadBalancerAddresses.length === 0 ? {} : { loadBalancerAddresses }),
        ...(shard === undefined ? {} : { shard }),
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
  const describe = ({ attempts, failures }: Counts) =>
    `${countWithSeparators(attempts, "connection")} and ${countWithSeparators(failures, "failure")}`;
  return [`its summary counts ${describe(summary)}, its lines hold ${describe(counted)}`];
}
