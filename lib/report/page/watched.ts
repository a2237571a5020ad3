import { type Html, html } from "../html";
import { mostBuckets, type WatchedHostname, type WatchRecord } from "../model";
import { countWithSeparators, formatNumber, formatSpan, partOf } from "../words";
import { chartOverview, chartRows } from "./chart/chart";
import { chartOfWatch, gapReasons } from "./chart/records";
import { foldedTable, type Section, table, timeElement } from "./elements";
import { framed, type PlotOptions, type PlotSpan, plotLegend, type Series } from "./plot";

const mostFailing = 100;

/**
 * Renders what a watch recorded during the traffic shift: where resolvers lead, connections, failures, and gaps in the
 * data.
 */
export function watchedSections(watches: readonly WatchRecord[]): readonly Section[] {
  return watches.map((watch, index) => {
    const number = watches.length === 1 ? "" : ` ${index + 1}`;
    return section(watch, `watch-${index + 1}`, `Traffic${number}`);
  });
}

function section(watch: WatchRecord, id: string, heading: string): Section {
  const { source, from, until, hostnames, resolvers, attempts, failures, verdict, gaps, gapCount } = watch;
  const chart = chartOfWatch(watch, id);
  const failing = hostnames.filter((watched) => watched.failures > 0);
  return {
    id,
    short: heading,
    heading,
    body: html`<p>From ${timeElement(from)} to ${timeElement(until)}: ${countWithSeparators(hostnames.length, "hostname")}, ${countWithSeparators(resolvers.length, "resolver")}, ${countWithSeparators(attempts, "connection")}, of which ${formatNumber(failures)} failed (${source}).
${verdict === undefined ? "The watch left no summary." : html`The watch itself says: ${verdict.verdict}; ${verdict.reason}.`}</p>
${chart === undefined ? undefined : chartOverview(chart, "Who served the connections, of all hostnames together")}
${watch.buckets.length === 0 ? html`<p>The log has no sample.</p>` : plots(watch, id)}
${chart === undefined ? undefined : html`<h3>Each hostname over time</h3><p>Select a failed connection to show its error.</p>${chartRows(chart)}`}
${failing.length === 0 ? undefined : failingTable(failing, id)}
${gaps.length === 0 ? undefined : gapsTable(watch, gapCount, id)}`,
  };
}

function plots({ buckets, bucketMs, gaps, from, until }: WatchRecord, id: string): Html {
  const spans = buckets.map((bucket) => ({ from: bucket.from, to: bucket.from + bucketMs }));
  const axis = axisOver(spans, from, until);
  const shaded = gaps
    .filter(({ reason }) => reason !== "resolver-silent")
    .map((gap) => ({ from: gap.from.getTime(), to: gap.until.getTime() }));
  const share: readonly Series[] = [
    { name: "no address", look: "none", values: buckets.map(({ answers }) => answers.unknown) },
    { name: "elsewhere", look: "other", values: buckets.map(({ answers }) => answers.other) },
    { name: "load balancer", look: "new", values: buckets.map(({ answers }) => answers.new) },
    { name: "previous provider", look: "old", values: buckets.map(({ answers }) => answers.old) },
  ];
  const good: readonly Series[] = [{ name: "good", look: "good", values: buckets.map((bucket) => bucket.good) }];
  const failed: readonly Series[] = [
    { name: "failed", look: "failed", values: buckets.map((bucket) => bucket.failed) },
  ];
  const plot = (name: string, series: readonly Series[], scale: PlotOptions["scale"], caption: string) =>
    html`<figure>
<figcaption id="${id}-${name}">${caption}</figcaption>
${plotLegend(series, shaded.length > 0)}
${framed({ labelledBy: `${id}-${name}`, spans, series, scale, gaps: shaded, axis })}
</figure>
`;
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
    const counts = [bucket.good, bucket.failed, answers.new, answers.other, answers.old, answers.unknown];
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

function failingTable(failing: readonly WatchedHostname[], id: string): Html {
  const worst = [...failing].sort((left, right) => right.failures - left.failures).slice(0, mostFailing);
  const caption =
    failing.length > mostFailing
      ? `The ${mostFailing} hostnames with most failures, of ${formatNumber(failing.length)}`
      : "Hostnames with failures";
  return table({
    id: `${id}-failing`,
    caption,
    head: ["hostname", "failed", "why", "last at"],
    rows: worst.map(({ hostname, failures, attempts, codes, lastFailureAt }) => [
      hostname,
      partOf(failures, attempts, "connection"),
      codes.map(({ code, count }) => `${code} ${formatNumber(count)}`).join(", "),
      lastFailureAt === undefined ? undefined : timeElement(lastFailureAt),
    ]),
  });
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
