import { type Html, html } from "../../html";
import { countWithSeparators, formatNumber } from "../../words";
import { clockOf, type PlotSpan, type Scale } from "../axis";
import { gapDrawing } from "./lanes";
import { type Chart, type ChartRow, type Server, serverOrder } from "./model";

/** Number of equal parts of the time axis in a summary of several rows. */
const summaryParts = 120;

/** Renders how many hostnames of several rows each server served, over time, and when handshakes failed. */
export function summaryDrawing(rows: readonly ChartRow[], chart: Chart, scale: Scale): Html {
  const { axis, gaps, noun, serverNames } = chart;
  const length = Math.max(1, axis.to - axis.from) / summaryParts;
  const counts = Array.from({ length: summaryParts }, () => new Map<Server, number>());
  for (const { segments } of rows) {
    for (const segment of segments) {
      const [server] = serverOrder.filter((candidate) => (segment.served[candidate] ?? 0) > 0);
      if (server === undefined) continue;
      const first = Math.max(0, Math.floor((segment.from - axis.from) / length));
      const last = Math.min(summaryParts - 1, Math.ceil((segment.to - axis.from) / length) - 1);
      for (let at = first; at <= last; at += 1) counts[at]?.set(server, (counts[at]?.get(server) ?? 0) + 1);
    }
  }
  const bars = merged(counts).map(({ from, to, counted }) => {
    const span = { from: axis.from + from * length, to: axis.from + to * length };
    const described = counted.map(([server, count]) => `${serverNames[server]} ${formatNumber(count)}`).join(", ");
    return stackedBar(counted, span, scale, `${clockOf(span.from)} to ${clockOf(span.to)}, hostnames: ${described}`);
  });
  const failed = failedSpans(rows, length).map(
    ({ from, to, count }) =>
      html`<rect class="failed" x="${scale.at(from)}" width="${scale.width({ from, to })}" height="100%"><title>${clockOf(from)}: ${countWithSeparators(count, `failed ${noun}`)}</title></rect>`,
  );
  return html`${gapDrawing(unmeasured(rows), chart, scale)}${bars}${gapDrawing(gaps, chart, scale)}${failed}`;
}

/** Renders counts as one bar without seams: each part reaches a little below the next part. */
export function stackedBar(counted: Counts, span: PlotSpan, scale: Scale, tip: string): Html {
  const title = html`<title>${tip}</title>`;
  const sum = counted.reduce((total, [, count]) => total + count, 0);
  const rect = (server: Server, top: number, bottom: number, content?: Html) => {
    const place = top === 0 ? undefined : html` y="${top}%"`;
    return html`<rect class="by-${server}" x="${scale.at(span.from)}" width="${scale.overlappingWidth(span)}"${place} height="${bottom - top}%">${content}</rect>`;
  };
  const [first] = counted;
  if (first !== undefined && counted.length === 1) return rect(first[0], 0, 100, title);
  let before = 0;
  const rects = counted.map(([server, count]) => {
    const top = Math.round((before / sum) * 100);
    before += count;
    return rect(server, top, Math.min(100, Math.round((before / sum) * 100) + 1));
  });
  return html`<g>${title}${rects}</g>`;
}

type Counts = readonly (readonly [Server, number])[];

interface MergedBar {
  readonly from: number;
  to: number;
  readonly counted: Counts;
}

/** Joins neighboring parts with the same counts. */
function merged(counts: readonly ReadonlyMap<Server, number>[]): readonly MergedBar[] {
  const bars: MergedBar[] = [];
  counts.forEach((part, index) => {
    if (part.size === 0) return;
    const counted = serverOrder.flatMap((server) => {
      const count = part.get(server);
      return count === undefined ? [] : [[server, count] as const];
    });
    const last = bars.at(-1);
    if (last?.to === index && JSON.stringify(last.counted) === JSON.stringify(counted)) last.to = index + 1;
    else bars.push({ from: index, to: index + 1, counted });
  });
  return bars;
}

/** Returns the times in which no row was measured. */
function unmeasured(rows: readonly ChartRow[]): readonly PlotSpan[] {
  const [first, ...others] = rows;
  return others.reduce(
    (common, { gaps }) =>
      common.flatMap((one) =>
        gaps.flatMap((other) => {
          const both = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
          return both.to > both.from ? [both] : [];
        }),
      ),
    first?.gaps ?? [],
  );
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
