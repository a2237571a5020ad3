import { type Html, html } from "../html";
import { formatTime } from "../words";

/** A span of time on the horizontal axis, in milliseconds since 1970. */
export interface PlotSpan {
  readonly from: number;
  readonly to: number;
}

/** Returns positions on the time axis in percent, for attributes of SVG. */
export interface Scale {
  readonly at: (time: number) => string;
  /** Width of a span; never less than a visible minimum. Spans that meet in time also meet in the drawing. */
  readonly width: (span: PlotSpan) => string;
  /** The same, and a little more, which the next bar covers: browsers and printers draw seams between exact edges. */
  readonly overlappingWidth: (span: PlotSpan) => string;
}

/** Minimum width of a span, in percent. */
const leastWidth = 0.15;
/** Overlap of neighboring bars, in percent. */
const overlap = 0.1;

export function scaleOf({ from, to }: PlotSpan): Scale {
  const length = Math.max(1, to - from);
  const percentAt = (time: number) => round(((Math.min(Math.max(time, from), to) - from) / length) * 100);
  const widthOf = (span: PlotSpan) => Math.max(leastWidth, round(percentAt(span.to) - percentAt(span.from)));
  return {
    at: (time) => `${percentAt(time)}%`,
    width: (span) => `${widthOf(span)}%`,
    overlappingWidth: (span) => `${round(Math.min(100 - percentAt(span.from), widthOf(span) + overlap))}%`,
  };
}

function round(percent: number): number {
  return Math.round(percent * 100) / 100;
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

/** Distances between ticks, in milliseconds. */
const tickSteps = [
  ...[1, 2, 5, 10, 20, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28].map((count) => count * day),
];

/** Maximum number of distances between ticks, so that labels fit in a narrow window. */
const mostSteps = 6;

function tickStep({ from, to }: PlotSpan): number {
  const least = (to - from) / mostSteps;
  return tickSteps.find((step) => step >= least) ?? Math.ceil(least / (28 * day)) * 28 * day;
}

/** Formats the time of day, for example `08:30:00`. */
export function clockOf(time: number): string {
  return formatTime(new Date(time)).slice(11, 19);
}

interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Returns round times in UTC, such as 08:30. */
export function clockTicks(axis: PlotSpan): readonly Tick[] {
  const step = tickStep(axis);
  const label = (time: string) => {
    if (step >= day) return time.slice(5, 10);
    if (axis.to - axis.from > day) return time.slice(5, 16);
    return step >= minute ? time.slice(11, 16) : time.slice(11, 19);
  };
  return ticksFrom(Math.ceil(axis.from / step) * step, axis.to, step).map((at) => ({
    at,
    label: label(formatTime(new Date(at))),
  }));
}

/** Returns round times since the beginning, such as T+30, and the unit of these numbers. */
export function elapsedTicks(axis: PlotSpan): { readonly unit: string; readonly ticks: readonly Tick[] } {
  const step = tickStep(axis);
  const units = [
    [day, "days"],
    [hour, "hours"],
    [minute, "minutes"],
    [second, "seconds"],
  ] as const;
  const [length, unit] = units.find(([least]) => step >= least) ?? [second, "seconds"];
  const ticks = ticksFrom(axis.from, axis.to, step).map((at) => ({ at, label: `T+${(at - axis.from) / length}` }));
  return { unit, ticks };
}

function ticksFrom(first: number, end: number, step: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.floor((end - first) / step) + 1) }, (_, index) => first + index * step);
}

/** Share of the axis at its end without ticks, because their labels would not fit. */
const shareWithoutTicks = 0.08;
/** Width of a character of a label in a narrow window, as a share of the axis. */
export const narrowCharacter = 0.017;

/** Renders ticks of an axis as one row. */
export function tickRow(axis: PlotSpan, ticks: readonly Tick[]): Html {
  const scale = scaleOf(axis);
  const drawn = ticks.map(({ at, label }) => {
    const room = (axis.to - at) / Math.max(1, axis.to - axis.from);
    if (room < shareWithoutTicks) return undefined;
    const look = room < (label.length + 1) * narrowCharacter ? html` class="wide"` : undefined;
    return html`<g${look}><rect x="${scale.at(at)}" width="1" height="100%"/><text x="${scale.at(at)}" dx="4" y="75%">${label}</text></g>`;
  });
  return html`<svg class="ticks">${drawn}</svg>`;
}
