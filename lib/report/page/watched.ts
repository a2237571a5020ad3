import { type Html, html } from "../html";
import { mostBuckets, type WatchedHostname, type WatchRecord } from "../model";
import { countWithSeparators, formatHostname, formatNumber, formatSpan } from "../words";
import type { PlotSpan } from "./axis";
import { chartOverview, chartRows } from "./chart/chart";
import { chartOfWatch, gapReasons } from "./chart/records";
import { foldedTable, type Section, table, timeElement } from "./elements";
import { closePauses, mergeSpans } from "./measured";
import { framed, type PlotOptions, plotLegend, type Series } from "./plot";

const mostHostnames = 100;

/** Returns the heading of a watch, and the prefix of its ids. */
function titleOf(watches: readonly WatchRecord[], index: number): { readonly id: string; readonly heading: string } {
  return { id: `watch-${index + 1}`, heading: watches.length === 1 ? "Traffic" : `Traffic ${index + 1}` };
}

/** Renders who served the connections during the traffic shift; a watch without a sample has no timeline. */
export function watchTimelines(watches: readonly WatchRecord[]): readonly Html[] {
  return watches.flatMap((watch, index) => {
    const { id, heading } = titleOf(watches, index);
    const chart = chartOfWatch(watch, id);
    return chart === undefined ? [] : [chartOverview(chart, `${heading}: who served the connections`)];
  });
}

/**
 * Renders what a watch recorded during the traffic shift: where resolvers lead, connections, failures, and gaps in the
 * data.
 */
export function watchedSections(watches: readonly WatchRecord[]): readonly Section[] {
  return watches.map((watch, index) => {
    const { id, heading } = titleOf(watches, index);
    return section(watch, id, heading);
  });
}

function section(watch: WatchRecord, id: string, heading: string): Section {
  const { source, from, until, hostnames, resolvers, attempts, failures, verdict, gaps, gapCount } = watch;
  const chart = chartOfWatch(watch, id);
  const advice = failures === 0 ? undefined : html`<p>Select a failed connection to show its error.</p>`;
  return {
    id,
    short: heading,
    heading,
    body: html`<p>From ${timeElement(from)} to ${timeElement(until)}, ${formatSpan(until.getTime() - from.getTime())}: ${countWithSeparators(hostnames.length, "hostname")}, ${countWithSeparators(resolvers.length, "resolver")}, ${countWithSeparators(attempts, "connection")}, of which ${formatNumber(failures)} failed (${source}).
${verdict === undefined ? "The watch left no summary." : html`The watch itself says: ${verdict.verdict}; ${verdict.reason}.`}</p>
${hostnames.length === 0 ? undefined : hostnamesTable(watch, id)}
${chart === undefined ? undefined : html`<h3>Each hostname over time</h3>${advice}${chartRows(chart)}`}
${watch.buckets.length === 0 ? html`<p>The log has no sample.</p>` : plots(watch, id)}
${gaps.length === 0 ? undefined : gapsTable(watch, gapCount, id)}`,
  };
}

function plots({ buckets, bucketMs, gaps, from, until }: WatchRecord, id: string): Html {
  const sampled = buckets.map((bucket) => ({ from: bucket.from, to: bucket.from + bucketMs }));
  const axis = axisOver(sampled, from, until);
  const samples = buckets.reduce((sum, { good, failed }) => sum + good + failed, 0);
  const { spans, gaps: pauses } = closePauses(sampled, axis, samples);
  const blind = gaps
    .filter(({ reason }) => reason !== "resolver-silent")
    .map((gap) => ({ from: gap.from.getTime(), to: gap.until.getTime() }));
  const shaded = mergeSpans([...pauses, ...blind]);
  const share: readonly Series[] = [
    { name: "no address", look: "none", values: buckets.map(({ answers }) => answers.unknown) },
    { name: "elsewhere", look: "other", values: buckets.map(({ answers }) => answers.other) },
    { name: "load balancer", look: "load-balancer", values: buckets.map(({ answers }) => answers.loadBalancer) },
    { name: "previous provider", look: "previous", values: buckets.map(({ answers }) => answers.previous) },
  ];
  const good: readonly Series[] = [{ name: "good", look: "good", values: buckets.map((bucket) => bucket.good) }];
  const failed: readonly Series[] = [
    { name: "failed", look: "failed", values: buckets.map((bucket) => bucket.failed) },
  ];
  const plot = (name: string, series: readonly Series[], scale: PlotOptions["scale"], caption: string) => {
    // A plot without any value shows nothing.
    const filled = series.filter(({ values }) => values.some((value) => value > 0));
    if (filled.length === 0) return undefined;
    return html`<figure>
<figcaption id="${id}-${name}">${caption}</figcaption>
${plotLegend(filled, shaded.length > 0)}
${framed({ labelledBy: `${id}-${name}`, spans, series: filled, scale, gaps: shaded, axis })}
</figure>
`;
  };
  const every = formatSpan(bucketMs);
  return html`${plot("share", share, "share", `Where resolvers lead, as parts of their answers in every ${every}`)}
${plot("good", good, "count", `Good connections in every ${every}`)}
${plot("failed", failed, "count", `Failed connections in every ${every}`)}
${foldedTable(`The numbers of these ${countWithSeparators(spans.length, "bar")}, as a table`, {
  id: `${id}-numbers`,
  caption: `Counts in every ${every}, ${mostBuckets} at most`,
  head: ["from", "good", "failed", "load balancer", "elsewhere", "previous provider", "no address"],
  rows: buckets.map((bucket) => {
    const { answers } = bucket;
    const counts = [bucket.good, bucket.failed, answers.loadBalancer, answers.other, answers.previous, answers.unknown];
    return [timeElement(new Date(bucket.from)), ...counts.map(formatNumber)];
  }),
})}`;
}

function axisOver(spans: readonly PlotSpan[], from: Date, until: Date): PlotSpan {
  return {
    from: Math.min(from.getTime(), ...spans.map((span) => span.from)),
    to: Math.max(until.getTime(), ...spans.map((span) => span.to)),
  };
}

/** Renders what the watch knows of each hostname; those with most failures first. */
function hostnamesTable({ hostnames }: WatchRecord, id: string): Html {
  const sorted = [...hostnames].sort((left, right) => right.failures - left.failures).slice(0, mostHostnames);
  const caption =
    hostnames.length > mostHostnames
      ? `The ${mostHostnames} hostnames with most failures, of ${formatNumber(hostnames.length)}`
      : "Hostnames of the watch";
  return table({
    id: `${id}-hostnames`,
    caption,
    head: ["hostname", "resolvers lead to", "connections", "failed", "errors", "last failure"],
    rows: sorted.map(({ hostname, share, failures, attempts, codes, lastFailureAt }) => [
      formatHostname(hostname),
      destinationOf(share),
      formatNumber(attempts),
      formatNumber(failures),
      codes.map(({ code, count }) => `${code} ${formatNumber(count)}`).join(", "),
      lastFailureAt === undefined ? undefined : timeElement(lastFailureAt),
    ]),
  });
}

/** Describes where the latest answers of the resolvers lead. */
function destinationOf({ previous, loadBalancer, other, unknown }: WatchedHostname["share"]): string {
  const sides = [
    ["load balancer", loadBalancer],
    ["previous provider", previous],
    ["elsewhere", other],
    ["no answer", unknown],
  ] as const;
  const all = loadBalancer + previous + other + unknown;
  return sides
    .filter(([, count]) => count > 0)
    .map(([name, count]) => (count === all ? name : `${name} ${count} of ${all}`))
    .join(", ");
}

function gapsTable({ gaps }: WatchRecord, gapCount: number, id: string): Html {
  const caption =
    gapCount > gaps.length ? `The longest ${gaps.length} of ${formatNumber(gapCount)} gaps` : "Gaps of the watch";
  return table({
    id: `${id}-gaps`,
    caption: `${caption}: what failed in them is not counted`,
    head: ["from", "until", "long", "why", "discarded samples"],
    rows: gaps.map(({ from, until, reason, resolver, discarded }) => [
      timeElement(from),
      timeElement(until),
      formatSpan(until.getTime() - from.getTime()),
      [gapReasons[reason], ...(resolver === undefined ? [] : [`(${resolver})`])].join(" "),
      formatNumber(discarded),
    ]),
  });
}
