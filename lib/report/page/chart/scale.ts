import { type Html, html } from "../../html";
import { formatTime } from "../../words";
import type { Span } from "../plot";

/** Returns positions on the time axis in percent, for attributes of SVG. */
export interface Scale {
  readonly at: (time: number) => string;
  /** Width of a span; never less than a visible minimum. */
  readonly width: (span: Span) => string;
}

/** Minimum width of a span, in percent. */
const leastWidth = 0.15;

export function scaleOf({ from, to }: Span): Scale {
  const length = Math.max(1, to - from);
  const share = (time: number) => ((Math.min(Math.max(time, from), to) - from) / length) * 100;
  return {
    at: (time) => percent(share(time)),
    width: (span) => percent(Math.max(leastWidth, share(span.to) - share(span.from))),
  };
}

/** Number of labels on the time axis; they divide it into equal parts. */
const labels = 4;

/** Renders the labels of the time axis. */
export function axisLabels({ from, to }: Span): Html {
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
