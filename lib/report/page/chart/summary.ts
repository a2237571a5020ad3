import { type Html, html } from "../../html";
import { formatNumber } from "../../words";
import { clockOf, type PlotSpan, type Scale } from "../axis";
import { gapDrawing } from "./lanes";
import { type Chart, type ChartRow, type Server, serverOrder } from "./model";

/** Number of equal parts of the time axis in a summary of several rows. */
const summaryParts = 120;

/** What a hostname has in a part of the axis: a failed handshake, a server, or no sample. */
type Share = "failed" | Server | "gap";

/** From the top. Failures and gaps are at the edges, so that changes between servers do not move them. */
const shareOrder = ["failed", ...serverOrder, "gap"] as const satisfies readonly Share[];

/**
 * Renders each hostname once in each part of the axis: with a failure, with the server in the middle of the part, or as
 * not measured.
 */
export function summaryDrawing(rows: readonly ChartRow[], chart: Chart, scale: Scale): Html {
  const { axis, gaps } = chart;
  const length = Math.max(1, axis.to - axis.from) / summaryParts;
  const names = { ...chart.serverNames, failed: "failed", gap: "not measured" };
  const bars = merged(countShares(rows, axis.from, length)).map(({ from, to, counted }) => {
    const span = { from: axis.from + from * length, to: axis.from + to * length };
    if (counted.every(([share]) => share === "gap")) return gapDrawing([span], chart, scale);
    const described = counted.map(([share, count]) => `${names[share]} ${formatNumber(count)}`).join(", ");
    return stackedBar(counted, span, scale, `${clockOf(span.from)} to ${clockOf(span.to)}, hostnames: ${described}`);
  });
  return html`${bars}${gapDrawing(gaps, chart, scale)}`;
}

/** Counts the hostnames by share in each part of the axis. */
function countShares(rows: readonly ChartRow[], from: number, length: number): readonly ReadonlyMap<Share, number>[] {
  const counts = Array.from({ length: summaryParts }, () => new Map<Share, number>());
  for (const row of rows) {
    sharesOf(row, from, length).forEach((share, index) => {
      counts[index]?.set(share, (counts[index].get(share) ?? 0) + 1);
    });
  }
  return counts;
}

function sharesOf({ segments, failures }: ChartRow, from: number, length: number): readonly Share[] {
  const shares = Array.from({ length: summaryParts }, (): Share => "gap");
  const partAt = (time: number) => (time - from) / length;
  const firstMiddleFrom = (time: number) => Math.max(0, Math.ceil(partAt(time) - 0.5));
  for (const segment of segments) {
    const server = serverOrder.find((candidate) => (segment.served[candidate] ?? 0) > 0);
    if (server !== undefined) shares.fill(server, firstMiddleFrom(segment.from), firstMiddleFrom(segment.to));
  }
  for (const failure of failures) {
    const first = Math.min(summaryParts - 1, Math.floor(partAt(failure.from)));
    shares.fill("failed", first, Math.max(first + 1, Math.ceil(partAt(failure.to))));
  }
  return shares;
}

/** Least height of failures, in percent: one failing hostname of thousands stays visible. */
const leastFailed = 10;

/** Renders counts as one bar without seams: each part reaches a little over the next part. */
export function stackedBar(counted: Counts, span: PlotSpan, scale: Scale, tip: string): Html {
  const title = html`<title>${tip}</title>`;
  const sum = counted.reduce((total, [, count]) => total + count, 0);
  const rect = (share: Share, top: number, bottom: number, content?: Html) => {
    const place = top === 0 ? undefined : html` y="${top}%"`;
    return html`<rect class="by-${share}" x="${scale.at(span.from)}" width="${scale.overlappingWidth(span)}"${place} height="${bottom - top}%">${content}</rect>`;
  };
  const [first] = counted;
  if (first !== undefined && counted.length === 1) return rect(first[0], 0, 100, title);
  let before = 0;
  const rects = counted.map(([share, count]) => {
    const top = Math.round((before / sum) * 100);
    before += count;
    const bottom = Math.min(100, Math.round((before / sum) * 100) + 1);
    return rect(share, top, share === "failed" ? Math.max(bottom, leastFailed) : bottom);
  });
  return html`<g>${title}${rects.reverse()}</g>`;
}

type Counts = readonly (readonly [Share, number])[];

interface MergedBar {
  readonly from: number;
  to: number;
  readonly counted: Counts;
}

/** Joins neighboring parts with the same counts. */
function merged(counts: readonly ReadonlyMap<Share, number>[]): readonly MergedBar[] {
  const bars: MergedBar[] = [];
  counts.forEach((part, index) => {
    const counted = shareOrder.flatMap((share) => {
      const count = part.get(share);
      return count === undefined ? [] : [[share, count] as const];
    });
    const last = bars.at(-1);
    if (last !== undefined && JSON.stringify(last.counted) === JSON.stringify(counted)) last.to = index + 1;
    else bars.push({ from: index, to: index + 1, counted });
  });
  return bars;
}
