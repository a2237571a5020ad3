import type { WatchBucket, WatchedCourse, WatchRecord } from "../../model";
import type { Chart, ChartRow, Segment, Server } from "./model";

const gapReasons: Readonly<Record<WatchRecord["gaps"][number]["reason"], string>> = {
  "stood-still": "the machine slept, or its clock was set",
  "network-lost": "no server answered",
  "resolver-silent": "one resolver did not answer",
};

/** Returns the chart of a watch; undefined if its log has no sample. */
export function chartOfWatch({ courses = [], from, until, gaps }: WatchRecord, id: string): Chart | undefined {
  if (courses.length === 0) return undefined;
  return {
    id,
    axis: { from: from.getTime(), to: Math.max(until.getTime(), from.getTime() + 1_000) },
    rows: courses.map(rowOf),
    events: [],
    steps: [],
    // While one resolver is silent, the others still show who serves.
    gaps: gaps
      .filter(({ reason }) => reason !== "resolver-silent")
      .map((gap) => ({ from: gap.from.getTime(), to: gap.until.getTime(), why: gapReasons[gap.reason] })),
    noun: "connection",
  };
}

function rowOf({ hostname, buckets, bucketMs, failures }: WatchedCourse): ChartRow {
  const segments: (Segment & { to: number; served: Partial<Record<Server, number>> })[] = [];
  for (const bucket of buckets) {
    const served = servedIn(bucket);
    const last = segments.at(-1);
    const to = bucket.from + bucketMs;
    if (last !== undefined && last.to === bucket.from && isAlike(last.served, served)) {
      last.to = to;
      for (const [server, count] of Object.entries(served)) {
        last.served[server as Server] = (last.served[server as Server] ?? 0) + count;
      }
    } else if (Object.keys(served).length > 0) segments.push({ from: bucket.from, to, served });
  }
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  const handshakes = buckets.reduce((sum, bucket) => sum + bucket.good + bucket.failed, 0);
  return { hostname, segments, failures, events: [], handshakes, failed };
}

/** Returns the successful connections by server. */
function servedIn({ answers }: WatchBucket): Partial<Record<Server, number>> {
  const all = { previous: answers.old, "load-balancer": answers.new, other: answers.other };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

/** Returns whether the same single server served both. Shares of several servers change too often to be joined. */
function isAlike(one: Segment["served"], other: Segment["served"]): boolean {
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return names.length === 1 && others.length === 1 && names[0] === others[0];
}
