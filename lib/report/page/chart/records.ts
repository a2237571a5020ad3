import { defined } from "../../../json/defined";
import type {
  RehearsalRecord,
  RehearsalTimeline,
  ServedRun,
  WatchBucket,
  WatchedCourse,
  WatchRecord,
} from "../../model";
import type { Chart, ChartEvent, ChartRow, FailureSpan, Segment, Server } from "./model";

type Result = RehearsalRecord["result"];

/** Kinds of events that a hostname has in its own row. */
const ownKinds: ReadonlySet<ChartEvent["kind"]> = new Set(["certificate-active", "front-ends", "records"]);

export function chartOfRehearsal(timeline: RehearsalTimeline, { steps }: Result, id: string): Chart {
  const axis = { from: Date.parse(timeline.from), to: Date.parse(timeline.until) };
  const ownEvents = eventsByName(timeline);
  return {
    id,
    axis,
    rows: timeline.hostnames.map(({ hostname, runs }) =>
      rehearsedRow(hostname, runs, eventsOf(hostname, ownEvents), axis.to),
    ),
    events: timeline.events.map(eventOf),
    steps: steps.flatMap(({ number, name, from, until }) =>
      from === undefined || until === undefined
        ? []
        : [{ number, name, from: Date.parse(from), to: Date.parse(until) }],
    ),
    gaps: [],
    noun: "handshake",
  };
}

function eventOf({ kind, from, until, what, ok }: RehearsalTimeline["events"][number]): ChartEvent {
  return {
    kind,
    at: Date.parse(from),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
    what,
    ...defined({ ok }),
  };
}

function eventsByName({ events }: RehearsalTimeline): ReadonlyMap<string, readonly ChartEvent[]> {
  const byName = new Map<string, ChartEvent[]>();
  for (const event of events) {
    if (!ownKinds.has(event.kind)) continue;
    for (const name of new Set(event.hostnames?.map(servedName))) {
      byName.set(name, [...(byName.get(name) ?? []), eventOf(event)]);
    }
  }
  return byName;
}

/** Returns the name to which a CNAME record of a DNS authorization belongs; other names are returned unchanged. */
function servedName(name: string): string {
  return name.replace(/^_acme-challenge[^.]*\./, "");
}

function eventsOf(hostname: string, byName: ReadonlyMap<string, readonly ChartEvent[]>): readonly ChartEvent[] {
  return [...(byName.get(hostname) ?? []), ...(byName.get(hostname.replace(/^[^.]*/, "*")) ?? [])];
}

function rehearsedRow(
  hostname: string,
  runs: readonly ServedRun[],
  events: readonly ChartEvent[],
  end: number,
): ChartRow {
  const segments: Segment[] = [];
  const failures: FailureSpan[] = [];
  runs.forEach((run, index) => {
    const next = runs[index + 1];
    const from = Date.parse(run.from);
    // Between two handshakes, the last one counts; after a failure nothing is known.
    const to =
      run.by === "failed"
        ? Date.parse(run.until)
        : next === undefined
          ? Math.min(end, Date.parse(run.until))
          : Date.parse(next.from);
    const failed = failedOf(run);
    if (failed > 0) failures.push({ from, to: Date.parse(run.until), count: failed, error: run.error ?? "unknown" });
    if (run.by !== "failed") segments.push({ from, to, served: { [run.by]: run.handshakes - (run.failed ?? 0) } });
  });
  const handshakes = runs.reduce((sum, run) => sum + run.handshakes, 0);
  return {
    hostname,
    segments,
    failures,
    events,
    handshakes,
    failed: runs.reduce((sum, run) => sum + failedOf(run), 0),
  };
}

function failedOf({ by, handshakes, failed = 0 }: ServedRun): number {
  return by === "failed" ? handshakes : failed;
}

export const gapReasons: Readonly<Record<WatchRecord["gaps"][number]["reason"], string>> = {
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
    rows: courses.map(watchedRow),
    events: [],
    steps: [],
    // While one resolver is silent, the others still show who serves.
    gaps: gaps
      .filter(({ reason }) => reason !== "resolver-silent")
      .map((gap) => ({ from: gap.from.getTime(), to: gap.until.getTime(), why: gapReasons[gap.reason] })),
    noun: "connection",
  };
}

function watchedRow({ hostname, buckets, bucketMs, failures }: WatchedCourse): ChartRow {
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

function servedIn({ answers }: WatchBucket): Partial<Record<Server, number>> {
  const all = { previous: answers.old, "load-balancer": answers.new, other: answers.other };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

/** Returns whether the same single server served both. Shares of several servers change too often to be joined. */
function isAlike(left: Segment["served"], right: Segment["served"]): boolean {
  const [names, others] = [Object.keys(left), Object.keys(right)];
  return names.length === 1 && others.length === 1 && names[0] === others[0];
}
