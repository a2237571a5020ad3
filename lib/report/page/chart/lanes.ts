import { type Html, html } from "../../html";
import { countOf, formatNumber, formatSpan } from "../../words";
import type { Span } from "../plot";
import { eventNames, mark } from "./marks";
import { type Chart, type ChartEvent, type ChartRow, type Server, serverNames, serverOrder } from "./model";
import type { Scale } from "./scale";

/** Maximum number of events that a lane draws. */
const mostMarks = 400;

/** Renders a lane for the steps and for each kind of event that occurs. */
export function eventLanes({ events, steps }: Chart, scale: Scale): Html {
  const kinds = Object.keys(eventNames) as ChartEvent["kind"][];
  const lanes = kinds.flatMap((kind) => {
    const own = events.filter((event) => event.kind === kind);
    if (own.length === 0) return [];
    const label = `${eventNames[kind]}: ${formatNumber(own.length)}`;
    return [lane(label, html`${own.slice(0, mostMarks).map((event) => mark(event, scale))}`)];
  });
  return html`${steps.length === 0 ? undefined : stepLane(steps, scale)}${lanes}`;
}

/** Renders the steps with their numbers. Steps that ran together share one bar. */
function stepLane(steps: Chart["steps"], scale: Scale): Html {
  const together = new Map<string, Chart["steps"][number][]>();
  for (const step of steps) {
    const key = `${step.from} ${step.to}`;
    together.set(key, [...(together.get(key) ?? []), step]);
  }
  const drawn = [...together.values()].flatMap((all) => {
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

/** Renders one lane of the chart: its label, and a drawing that the label names. */
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
      const [server] = serverOrder.filter((one) => (segment.served[one] ?? 0) > 0);
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
      html`<rect class="failed" x="${scale.at(from)}" width="${scale.width({ from, to })}" height="100%"><title>${countOf(count, `failed ${noun}`)}</title></rect>`,
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
function failedSpans(rows: readonly ChartRow[], length: number): readonly (Span & { readonly count: number })[] {
  const all = rows.flatMap(({ failures }) => failures).sort((one, other) => one.from - other.from);
  const spans: { from: number; to: number; count: number }[] = [];
  for (const { from, to, count } of all) {
    const last = spans.at(-1);
    if (last === undefined || from > last.to + length) spans.push({ from, to, count });
    else Object.assign(last, { to: Math.max(last.to, to), count: last.count + count });
  }
  return spans;
}

/** Renders times without data. */
export function gapDrawing(gaps: Chart["gaps"], scale: Scale): Html {
  return html`${gaps.map(
    (gap) =>
      html`<rect class="gap" x="${scale.at(gap.from)}" width="${scale.width(gap)}" height="100%"><title>No data for ${formatSpan(gap.to - gap.from)}: ${gap.why}</title></rect>`,
  )}`;
}

/** Renders the legend of the colors that occur. */
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
