import { type Html, html } from "../../html";
import { formatNumber, formatSpan, formatTime } from "../../words";
import { clockOf, clockTicks, elapsedTicks, narrowCharacter, type PlotSpan, type Scale, tickRow } from "../axis";
import { eventLabels, mark } from "./marks";
import { type Chart, type ChartEvent, serverOrder } from "./model";

const mostMarks = 400;

/** Renders the times of the axis in UTC, and the time since its beginning. */
export function axisLanes(axis: PlotSpan): Html {
  const { unit, ticks } = elapsedTicks(axis);
  const row = (label: string, drawing: Html) =>
    html`<div class="lane axis"><p class="label">${label}</p>${drawing}</div>\n`;
  const date = formatTime(new Date(axis.from)).slice(0, 10);
  return html`${row(`${date}, UTC`, tickRow(axis, clockTicks(axis)))}${row(`${unit} since the start`, tickRow(axis, ticks))}`;
}

export function eventLanes({ events, parts, axis }: Chart, scale: Scale): Html {
  const kinds = Object.keys(eventLabels) as ChartEvent["kind"][];
  const lanes = kinds.flatMap((kind) => {
    const eventsOfKind = events.filter((event) => event.kind === kind);
    if (eventsOfKind.length === 0) return [];
    const label = `${eventLabels[kind]}: ${formatNumber(eventsOfKind.length)}`;
    return [lane(label, html`${eventsOfKind.slice(0, mostMarks).map((event) => mark(event, scale))}`)];
  });
  return html`${parts.length === 0 ? undefined : partLane(parts, axis, scale)}${lanes}`;
}

/** Width of a character of a label in a wide window, as a share of the axis. */
const wideCharacter = 0.007;

/** Renders the steps with their numbers, and the scenarios with their names. A label without room is left out. */
function partLane(parts: Chart["parts"], axis: PlotSpan, scale: Scale): Html {
  const drawn = parts.map(({ label, name, ...span }) => {
    const share = (span.to - span.from) / Math.max(1, axis.to - axis.from);
    const fits = (character: number) => share >= (label.length + 1) * character;
    const text = html`<text class="${fits(narrowCharacter) ? "" : "wide"}" x="${scale.at(span.from)}" dx="3" y="72%">${label}</text>`;
    return html`<rect class="step" x="${scale.at(span.from)}" width="${scale.width(span)}" height="100%"><title>${clockOf(span.from)}, ${formatSpan(span.to - span.from)}: ${name}</title></rect>${fits(wideCharacter) ? text : undefined}`;
  });
  return lane("Steps", html`${drawn}`);
}

function lane(label: string, drawing: Html): Html {
  return html`<div class="lane"><p class="label">${label}</p><svg role="img" aria-label="${label}">${drawing}</svg></div>
`;
}

/** Share of the axis below which a gap is not drawn: as a thin line it would look like an outage. */
const leastGap = 0.005;
/** Share of the axis from which a gap has its label inside. */
const labeledGap = 0.12;

export function gapDrawing(
  gaps: readonly (PlotSpan & { readonly why?: string })[],
  { axis }: Chart,
  scale: Scale,
): Html {
  const shareOf = ({ from, to }: PlotSpan) => (to - from) / Math.max(1, axis.to - axis.from);
  const drawn = gaps.filter((gap) => shareOf(gap) >= leastGap);
  return html`${drawn.map((gap) => {
    const reason = gap.why === undefined ? "" : `: ${gap.why}`;
    const label =
      shareOf(gap) < labeledGap
        ? undefined
        : html`<text class="wide" x="${scale.at(gap.from)}" dx="5" y="72%">not measured</text>`;
    return html`<rect class="gap" x="${scale.at(gap.from)}" width="${scale.width(gap)}" height="100%"><title>${clockOf(gap.from)} to ${clockOf(gap.to)}, not measured${reason}</title></rect>${label}`;
  })}`;
}

export function serverLegend({ rows, gaps, serverNames }: Chart): Html {
  const present = serverOrder.filter((server) =>
    rows.some(({ segments }) => segments.some(({ served }) => (served[server] ?? 0) > 0)),
  );
  const hasGap = gaps.length > 0 || rows.some((row) => row.gaps.length > 0);
  const swatch = (look: string, name: string) =>
    html`<li><svg class="swatch" aria-hidden="true"><rect class="${look}" width="100%" height="100%"/></svg>${name}</li>`;
  return html`<ul class="legend">${present.map((server) => swatch(`by-${server}`, serverNames[server]))}${
    rows.some(({ failed }) => failed > 0) ? swatch("failed", "failed") : undefined
  }${hasGap ? swatch("gap", "not measured") : undefined}</ul>`;
}
