import { Html, html } from "../../html";
import { formatSpan } from "../../words";
import { clockOf, type Scale } from "../axis";
import type { Chart, ChartEvent } from "./model";

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
  const length = until === undefined ? "" : `, ${formatSpan(until - at)}`;
  return `${clockOf(at)}${length}: ${eventLabels[kind]}: ${what}${ok ? "" : " (failed)"}`;
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
