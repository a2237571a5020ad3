import { groupBy } from "../../../json/group-by";
import { Html, html } from "../../html";
import { countWithSeparators, formatNumber, formatSpan, formatTime } from "../../words";
import type { PlotSpan } from "../plot";
import { type Chart, type ChartEvent, type ChartRow, type Server, serverNames, serverOrder } from "./model";

const mostMarks = 400;

export function eventLanes({ events, steps }: Chart, scale: Scale): Html {
  const kinds = Object.keys(eventLabels) as ChartEvent["kind"][];
  const lanes = kinds.flatMap((kind) => {
    const eventsOfKind = events.filter((event) => event.kind === kind);
    if (eventsOfKind.length === 0) return [];
    const label = `${eventLabels[kind]}: ${formatNumber(eventsOfKind.length)}`;
    return [lane(label, html`${eventsOfKind.slice(0, mostMarks).map((event) => mark(event, scale))}`)];
  });
  return html`${steps.length === 0 ? undefined : stepLane(steps, scale)}${lanes}`;
}

/** Renders the steps with their numbers. Steps that ran together share one bar. */
function stepLane(steps: Chart["steps"], scale: Scale): Html {
  const drawn = [...groupBy(steps, ({ from, to }) => `${from} ${to}`).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const numbers = all.map(({ number }) => number).join(", ");
    const names = all.map(({ number, name }) => `${number} ${name}`).join(", ");
    const place = scale.at(first.from);
    return [
      html`<rect class="step" x="${place}" width="${scale.width(first)}" height="100%"><title>Step ${names}, ${formatSpan(first.to - first.from)}</title></rect><text x="${place}" dx="3" y="72%">${numbers}</text>`,
    ];
  });
  return lane("Steps", html`${drawn}`);
}

function lane(label: string, drawing: Html): Html {
  return html`<div class="lane"><p class="label">${label}</p><svg role="img" aria-label="${label}">${drawing}</svg></div>
`;
}

/** Number of equal parts of the time axis in a summary of several rows. */
const parts = 120;

/** Renders how many handshakes of several rows each server served, over time, and when handshakes failed. */
export function summaryDrawing(rows: readonly ChartRow[], { axis, gaps, noun }: Chart, scale: Scale): Html {
  const length = Math.max(1, axis.to - axis.from) / parts;
  const counts = Array.from({ length: parts }, () => new Map<Server, number>());
  for (const { segments } of rows) {
    for (const segment of segments) {
      const [server] = serverOrder.filter((candidate) => (segment.served[candidate] ?? 0) > 0);
      if (server === undefined) continue;
      const first = Math.max(0, Math.floor((segment.from - axis.from) / length));
      const last = Math.min(parts - 1, Math.ceil((segment.to - axis.from) / length) - 1);
      for (let at = first; at <= last; at += 1) counts[at]?.set(server, (counts[at]?.get(server) ?? 0) + 1);
    }
  }
  const bars = merged(counts).flatMap(({ from, to, shares }) => {
    const span = { from: axis.from + from * length, to: axis.from + to * length };
    let top = 0;
    return shares.map(([server, share]) => {
      const y = top;
      top += share;
      return html`<rect class="by-${server}" x="${scale.at(span.from)}" width="${scale.width(span)}" y="${y}%" height="${share}%"/>`;
    });
  });
  const failed = failedSpans(rows, length).map(
    ({ from, to, count }) =>
      html`<rect class="failed" x="${scale.at(from)}" width="${scale.width({ from, to })}" height="100%"><title>${countWithSeparators(count, `failed ${noun}`)}</title></rect>`,
  );
  return html`${gapDrawing(gaps, scale)}${bars}${failed}`;
}

interface MergedBar {
  readonly from: number;
  to: number;
  readonly shares: readonly (readonly [Server, number])[];
}

/** Joins neighboring parts with the same shares; shares are whole percent. */
function merged(counts: readonly ReadonlyMap<Server, number>[]): readonly MergedBar[] {
  const bars: MergedBar[] = [];
  counts.forEach((part, index) => {
    const sum = [...part.values()].reduce((total, count) => total + count, 0);
    if (sum === 0) return;
    const shares = serverOrder
      .filter((server) => part.has(server))
      .map((server) => [server, Math.round(((part.get(server) ?? 0) / sum) * 100)] as const);
    const last = bars.at(-1);
    if (last?.to === index && JSON.stringify(last.shares) === JSON.stringify(shares)) last.to = index + 1;
    else bars.push({ from: index, to: index + 1, shares });
  });
  return bars;
}

/** Joins failures of all rows that are less than a part of the axis apart. */
function failedSpans(rows: readonly ChartRow[], length: number): readonly (PlotSpan & { readonly count: number })[] {
  const all = rows.flatMap(({ failures }) => failures).sort((left, right) => left.from - right.from);
  const spans: { from: number; to: number; count: number }[] = [];
  for (const { from, to, count } of all) {
    const last = spans.at(-1);
    if (last === undefined || from > last.to + length) spans.push({ from, to, count });
    else Object.assign(last, { to: Math.max(last.to, to), count: last.count + count });
  }
  return spans;
}

export function gapDrawing(gaps: Chart["gaps"], scale: Scale): Html {
  return html`${gaps.map(
    (gap) =>
      html`<rect class="gap" x="${scale.at(gap.from)}" width="${scale.width(gap)}" height="100%"><title>No data for ${formatSpan(gap.to - gap.from)}: ${gap.why}</title></rect>`,
  )}`;
}

export function serverLegend({ rows, gaps }: Chart): Html {
  const present = serverOrder.filter((server) =>
    rows.some(({ segments }) => segments.some(({ served }) => (served[server] ?? 0) > 0)),
  );
  const swatch = (look: string, name: string) =>
    html`<li><svg class="swatch" aria-hidden="true"><rect class="${look}" width="100%" height="100%"/></svg>${name}</li>`;
  return html`<ul class="legend">${present.map((server) => swatch(`by-${server}`, serverNames[server]))}${swatch("failed", "failed")}${
    gaps.length === 0 ? undefined : swatch("gap", "no data")
  }</ul>`;
}

/** Names of the kinds of events, in the order of their lanes. */
export const eventLabels: Readonly<Record<ChartEvent["kind"], string>> = {
  apply: "Applies",
  kill: "Killed applies",
  import: "Imports",
  gate: "Gates",
  "certificate-active": "Certificates ACTIVE",
  "front-ends": "Reached the front ends",
  records: "Changed records",
};

/** Kinds that are drawn as bars from their beginning to their end. */
const bars: ReadonlySet<ChartEvent["kind"]> = new Set(["apply", "import", "gate"]);

/** Outlines of the marks around their point, in pixels. Each kind has its own shape, besides its color. */
const shapes: Readonly<Record<ChartEvent["kind"], string>> = {
  apply: "M-4-4H4V4H-4Z",
  import: "M-4-4H4V4H-4Z",
  gate: "M-4-4H4V4H-4Z",
  kill: "M-5-3L-3-5 0-2 3-5 5-3 2 0 5 3 3 5 0 2-3 5-5 3-2 0Z",
  "certificate-active": "M0-5L5 0 0 5-5 0Z",
  "front-ends": "M-5 4L0-5 5 4Z",
  records: "M-2-6H2V6H-2Z",
};

export function mark(event: ChartEvent, scale: Scale): Html {
  const { kind, at, until, ok = true } = event;
  const title = html`<title>${textOf(event)}</title>`;
  const look = `event-${kind}${ok ? "" : " bad"}`;
  if (until !== undefined && bars.has(kind)) {
    const width = scale.width({ from: at, to: until });
    return html`<rect class="${look}" x="${scale.at(at)}" width="${width}" y="15%" height="70%">${title}</rect>`;
  }
  return html`<svg class="${look}" x="${scale.at(at)}" y="50%">${shape(kind)}${title}</svg>`;
}

function shape(kind: ChartEvent["kind"]): Html {
  return html`<path d="${Html.own(shapes[kind])}"/>`;
}

function textOf({ kind, at, until, what, ok = true }: ChartEvent): string {
  const begun = new Date(at).toISOString().slice(11, 19);
  const length = until === undefined ? "" : `, ${formatSpan(until - at)}`;
  return `${begun}${length}: ${eventLabels[kind]}: ${what}${ok ? "" : " (failed)"}`;
}

export function markLegend({ events, rows }: Chart): Html {
  const present = new Set([...events, ...rows.flatMap((row) => row.events)].map(({ kind }) => kind));
  const kinds = (Object.keys(eventLabels) as ChartEvent["kind"][]).filter((kind) => present.has(kind));
  if (kinds.length === 0) return html``;
  return html`<ul class="legend">${kinds.map(
    (kind) =>
      html`<li><svg class="swatch mark" aria-hidden="true"><svg class="event-${kind}" x="50%" y="50%">${shape(kind)}</svg></svg>${eventLabels[kind]}</li>`,
  )}</ul>`;
}

/** Returns positions on the time axis in percent, for attributes of SVG. */
export interface Scale {
  readonly at: (time: number) => string;
  /** Width of a span; never less than a visible minimum. */
  readonly width: (span: PlotSpan) => string;
}

/** Minimum width of a span, in percent. */
const leastWidth = 0.15;

export function scaleOf({ from, to }: PlotSpan): Scale {
  const length = Math.max(1, to - from);
  const share = (time: number) => ((Math.min(Math.max(time, from), to) - from) / length) * 100;
  return {
    at: (time) => percent(share(time)),
    width: (span) => percent(Math.max(leastWidth, share(span.to) - share(span.from))),
  };
}

/** Number of labels on the time axis; they divide it into equal parts. */
const labels = 4;

export function axisLabels({ from, to }: PlotSpan): Html {
  const times = Array.from({ length: labels }, (_, index) => new Date(from + ((to - from) * index) / labels));
  const isLong = to - from > 24 * 3_600_000;
  const label = (time: Date) => (isLong ? formatTime(time).slice(5, 16) : formatTime(time).slice(11, 19));
  return html`<div class="lane axis"><p class="label">${formatTime(new Date(from)).slice(0, 10)}, UTC</p><p class="ticks">${times.map(
    (time) => html`<span>${label(time)}</span>`,
  )}<span>${label(new Date(to))}</span></p></div>`;
}

function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`;
}
