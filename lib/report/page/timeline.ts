import { stepNames } from "../../live/status";
import { type History, type HistoryMoment, mostChanges } from "../history";
import { type Html, html } from "../html";
import { countWithSeparators, formatHostname, formatNumber } from "../words";
import { clockTicks, type PlotSpan, tickRow } from "./axis";
import { foldedTable, stateOrder, stateWords, timeElement } from "./elements";
import { axisOf, drawing, plotLegend, type Series } from "./plot";

/** Renders the states of the eight steps over time; one status has no course. */
export function statusTimeline(history: History): Html | undefined {
  const { moments, changes, changeCount } = history;
  if (moments.length < 2) return undefined;
  const spans = spansOf(moments);
  const lanes = stepNames.map((name, index) => lane(name, index, history, spans));
  const looks = stateOrder.map((state) => ({ name: stateWords[state], look: `state-${state}` }));
  return html`<figure>
<figcaption>Status: hostnames by the state of each step, as parts of all</figcaption>
${plotLegend(looks)}
<ol class="lanes" id="status-lanes" role="list" aria-label="States over time" data-marks>${lanes}</ol>
<p class="x">${tickRow(axisOf(spans), clockTicks(axisOf(spans)))}</p>
${foldedTable("Hostnames done with each step, as a table", {
  id: "timeline-numbers",
  caption: `Hostnames done with each step, of ${formatNumber(history.hostnameCount)}`,
  head: ["time", ...stepNames.map((name, index) => `${index + 1} ${name}`)],
  rows: moments.map((moment) => [timeElement(moment.time), ...moment.steps.map(({ done }) => formatNumber(done))]),
})}
${changes.length === 0 ? undefined : changesTable(history, changeCount)}
</figure>
`;
}

function lane(name: string, index: number, { moments }: History, spans: readonly PlotSpan[]): Html {
  const label = `lane-${index + 1}`;
  const series = stateOrder.map((state): Series => {
    const values = moments.map(({ steps }) => steps[index]?.[state] ?? 0);
    return { name: stateWords[state], look: `state-${state}`, values };
  });
  const last = moments.at(-1)?.steps[index];
  const counts = stateOrder
    .filter((state) => (last?.[state] ?? 0) > 0)
    .map((state) => `${formatNumber(last?.[state] ?? 0)} ${stateWords[state]}`)
    .join(", ");
  return html`<li><p id="${label}">${name}<span class="count">${counts}</span></p>${drawing({ labelledBy: label, spans, series, scale: "share" })}</li>
`;
}

/** Returns the spans between moments. Each state lasts until the next status; the last span gets the average width. */
function spansOf(moments: readonly HistoryMoment[]): readonly PlotSpan[] {
  const times = moments.map((moment) => moment.time.getTime());
  const [first = 0] = times;
  const last = times.at(-1) ?? 0;
  const tail = Math.max(1, (last - first) / Math.max(1, times.length - 1));
  return times.map((from, index) => ({ from, to: times[index + 1] ?? from + tail }));
}

function changesTable({ changes }: History, changeCount: number): Html {
  const shown =
    changeCount > mostChanges ? `The latest ${mostChanges} of ${formatNumber(changeCount)} changes` : "Changes";
  return foldedTable(`${countWithSeparators(changeCount, "change")} from one status to the next`, {
    id: "changes",
    caption: `${shown}, latest first`,
    head: ["time", "hostname", "step", "was", "is"],
    rows: changes.map(({ time: at, hostname, step, from, to }) => [
      timeElement(at),
      formatHostname(hostname),
      `${step} ${stepNames[step - 1] ?? ""}`,
      stateWords[from],
      stateWords[to],
    ]),
  });
}
