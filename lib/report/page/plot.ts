import { Html, html } from "../html";
import { formatNumber, formatTime } from "../words";
import { clockTicks, type PlotSpan, tickRow } from "./axis";

export interface Series {
  readonly name: string;
  /** Class name in `assets/plots.css` that sets the color. */
  readonly look: string;
  readonly values: readonly number[];
}

export interface PlotOptions {
  /** Id of the element that describes the plot; unique in the page. */
  readonly labelledBy: string;
  readonly spans: readonly PlotSpan[];
  /** Stacked, the first at the bottom. */
  readonly series: readonly Series[];
  /**
   * `share`: each span is filled completely, in proportion to its values. `count`: the height of a span is the sum of
   * its values.
   */
  readonly scale: "share" | "count";
  /** Times to shade, in which no data is available. */
  readonly gaps?: readonly PlotSpan[];
  /** @default - from the first span to the last */
  readonly axis?: PlotSpan;
  /** Names of the spans, if they are items side by side instead of times. */
  readonly names?: readonly (Date | string)[];
  /** What the spans mean. @default - their names, or their times, with their numbers */
  readonly tips?: readonly string[];
}

const width = 1_000;
const height = 100;
/**
 * The minimum height of a value, so that one failure among thousands stays visible. The bottom layer is never covered.
 */
const leastHeight = 4;

/**
 * Renders only the drawing. It has as many points as spans, stretches with the page, and contains no text except
 * numbers and times.
 */
export function drawing({
  labelledBy,
  spans,
  series,
  scale,
  gaps = [],
  axis = axisOf(spans),
  names,
  tips,
}: PlotOptions): Html {
  const length = Math.max(1, axis.to - axis.from);
  const x = (time: number) => round(((Math.min(Math.max(time, axis.from), axis.to) - axis.from) / length) * width);
  const sums = sumsOf(series, spans);
  const most = Math.max(1, ...sums);
  const tops = spans.map(() => height);
  const layers = series.map(({ look, values }) => {
    const boxes = spans.map(({ from, to }, index) => {
      const value = values[index] ?? 0;
      const whole = scale === "share" ? (sums[index] ?? 0) : most;
      if (value <= 0 || whole <= 0) return "";
      const bottom = tops[index] ?? height;
      const top = Math.max(0, round(bottom - Math.max(leastHeight, (value / whole) * height)));
      tops[index] = top;
      return `M${x(from)} ${bottom}V${top}H${x(to)}V${bottom}Z`;
    });
    return html`<path class="plot-${look}" d="${Html.own(boxes.join(""))}"/>`;
  });
  const numbersAt = (index: number) => {
    const counted = series.flatMap(({ name, values }) =>
      (values[index] ?? 0) > 0 ? [{ name, value: values[index] }] : [],
    );
    return counted.map(({ name, value = 0 }) => `${name} ${formatNumber(value)}`).join(", ") || "0";
  };
  const pointed = spans.map(({ from, to }, index) => {
    const tip = tips?.[index] ?? `${nameOf(names?.[index] ?? new Date(from))}: ${numbersAt(index)}`;
    return html`<rect class="plot-tip" x="${x(from)}" y="0" width="${round(x(to) - x(from))}" height="${height}"><title>${tip}</title></rect>`;
  });
  const shaded = gaps.map(
    ({ from, to }) =>
      html`<rect class="plot-gap" x="${x(from)}" y="0" width="${Math.max(2, round(x(to) - x(from)))}" height="${height}"/>`,
  );
  return html`<svg role="img" aria-labelledby="${labelledBy}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${shaded}${layers}${pointed}</svg>`;
}

/** Renders the drawing with its axes: the greatest count at the left, round times or the first and last name below. */
export function framed(options: PlotOptions): Html {
  const { spans, series, scale, axis = axisOf(spans), names } = options;
  const most = scale === "share" ? "100 %" : formatNumber(Math.max(1, ...sumsOf(series, spans)));
  const below =
    names === undefined
      ? html`<p class="x">${tickRow(axis, clockTicks(axis))}</p>`
      : axisLine(names[0] ?? "", names.at(-1) ?? "");
  return html`<div class="frame" role="group" aria-labelledby="${options.labelledBy}" data-marks><p class="y"><span>${most}</span><span>0</span></p>${drawing(options)}${below}</div>`;
}

/** Renders the labels below a drawing, at its left and its right. */
export function axisLine(left: Date | string, right: Date | string): Html {
  return html`<p class="x"><span>${nameOf(left)}</span><span>${nameOf(right)}</span></p>`;
}

function nameOf(what: Date | string): string {
  return typeof what === "string" ? what : formatTime(what);
}

/** Renders the legend of the colors, in the order of the layers from the top. */
export function plotLegend(series: readonly Pick<Series, "name" | "look">[], gaps = false): Html {
  const items = [...series].reverse().map(({ name, look }) => legendItem(look, name));
  return html`<ul class="legend">${items}${gaps ? legendItem("gap", "not measured") : undefined}</ul>`;
}

function legendItem(look: string, name: string): Html {
  return html`<li><svg class="swatch" aria-hidden="true" viewBox="0 0 10 10"><rect class="plot-${look}" width="10" height="10"/></svg>${name}</li>`;
}

export function axisOf(spans: readonly PlotSpan[]): PlotSpan {
  return { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 };
}

function sumsOf(series: readonly Series[], spans: readonly PlotSpan[]): readonly number[] {
  return spans.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
