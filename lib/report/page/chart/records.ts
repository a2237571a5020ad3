import { defined } from "../../../json/defined";
import { groupBy } from "../../../json/group-by";
import type {
  RehearsalRecord,
  RehearsalTimeline,
  ServedRun,
  WatchBucket,
  WatchedCourse,
  WatchRecord,
} from "../../model";
import type { PlotSpan } from "../axis";
import { closePauses } from "../measured";
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
      rehearsedRow(hostname, runs, eventsOf(hostname, ownEvents), axis),
    ),
    events: timeline.events.map(eventOf),
    parts: [...stepsOf(steps), ...(timeline.parts ?? []).map(partOfRehearsal)],
    gaps: [],
    noun: "handshake",
    serverNames: {
      previous: "previous provider",
      "load-balancer-previous": "load balancer, previous certificate",
      "load-balancer": "load balancer, new certificate",
      other: "another server",
      mixed: "changing results",
    },
  };
}

/** Returns the steps; steps that ran together are one part. */
function stepsOf(steps: Result["steps"]): Chart["parts"] {
  const timed = steps.flatMap(({ number, name, from, until }) =>
    from === undefined || until === undefined ? [] : [{ number, name, from: Date.parse(from), to: Date.parse(until) }],
  );
  return [...groupBy(timed, ({ from, to }) => `${from} ${to}`).values()].flatMap((together) =>
    together.slice(0, 1).map(({ from, to }) => ({
      from,
      to,
      label: together.map(({ number }) => number).join(", "),
      name: `Step ${together.map(({ number, name }) => `${number} ${name}`).join(", ")}`,
    })),
  );
}

function partOfRehearsal({
  name,
  from,
  until,
}: NonNullable<RehearsalTimeline["parts"]>[number]): Chart["parts"][number] {
  return { from: Date.parse(from), to: Date.parse(until), label: name.split(":")[0] ?? name, name };
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
  axis: PlotSpan,
): ChartRow {
  const handshakes = runs.reduce((sum, run) => sum + run.handshakes, 0);
  const timed = runs.map((run) => ({ run, from: Date.parse(run.from), to: Date.parse(run.until) }));
  const { spans, gaps } = closePauses(timed, axis, handshakes);
  const segments = spans.flatMap(({ run, from, to }): readonly Segment[] =>
    run.by === "failed" ? [] : [{ from, to, served: { [run.by]: run.handshakes - (run.failed ?? 0) } }],
  );
  const failures = spans.flatMap(({ run, from, to }): readonly FailureSpan[] => {
    const count = failedOf(run);
    return count === 0 ? [] : [{ from, to, lastAt: Date.parse(run.until), count, error: run.error ?? "unknown" }];
  });
  return {
    hostname,
    segments,
    failures,
    events,
    gaps,
    handshakes,
    failed: failures.reduce((sum, { count }) => sum + count, 0),
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

/**
 * Returns the chart of a watch; undefined if its log has no sample. A watch knows the addresses of the load balancer,
 * but not which of its certificates are new.
 */
export function chartOfWatch({ courses = [], from, until, gaps }: WatchRecord, id: string): Chart | undefined {
  if (courses.length === 0) return undefined;
  const axis = { from: from.getTime(), to: Math.max(until.getTime(), from.getTime() + 1_000) };
  return {
    id,
    axis,
    rows: courses.map((course) => watchedRow(course, axis)),
    events: [],
    parts: [],
    // While one resolver is silent, the others still show who serves.
    gaps: gaps
      .filter(({ reason }) => reason !== "resolver-silent")
      .map((gap) => ({ from: gap.from.getTime(), to: gap.until.getTime(), why: gapReasons[gap.reason] })),
    noun: "connection",
    serverNames: {
      previous: "previous provider",
      "load-balancer-previous": "load balancer",
      "load-balancer": "load balancer",
      other: "another server",
      mixed: "changing results",
    },
  };
}

function watchedRow({ hostname, buckets, bucketMs, failures }: WatchedCourse, axis: PlotSpan): ChartRow {
  const handshakes = buckets.reduce((sum, bucket) => sum + bucket.good + bucket.failed, 0);
  const timed = buckets.map((bucket) => ({ bucket, from: bucket.from, to: bucket.from + bucketMs }));
  const { spans, gaps } = closePauses(timed, axis, handshakes);
  const segments: (Segment & { to: number; served: Partial<Record<Server, number>> })[] = [];
  for (const { bucket, from, to } of spans) {
    const served = servedIn(bucket);
    const last = segments.at(-1);
    if (last !== undefined && last.to === from && isAlike(last.served, served)) {
      last.to = to;
      for (const [server, count] of Object.entries(served)) {
        last.served[server as Server] = (last.served[server as Server] ?? 0) + count;
      }
    } else if (Object.keys(served).length > 0) segments.push({ from, to, served });
  }
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  return {
    hostname,
    segments,
    failures: failures.map((failure) => {
      // Until the next connection, as the other spans.
      const last = spans.find(({ from, to }) => from <= failure.to && failure.to < to);
      return { ...failure, to: last?.to ?? failure.to, lastAt: failure.to };
    }),
    events: [],
    gaps,
    handshakes,
    failed,
  };
}

function servedIn({ answers }: WatchBucket): Partial<Record<Server, number>> {
  const all = { previous: answers.previous, "load-balancer": answers.loadBalancer, other: answers.other };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

/** Returns whether the same single server served both. Shares of several servers change too often to be joined. */
function isAlike(left: Segment["served"], right: Segment["served"]): boolean {
  const [names, others] = [Object.keys(left), Object.keys(right)];
  return names.length === 1 && others.length === 1 && names[0] === others[0];
}
