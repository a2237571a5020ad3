import { type Html, html } from "../../html";
import { countWithSeparators, formatHostname, formatNumber, formatTime } from "../../words";
import { clockOf, type Scale, scaleOf } from "../axis";
import { foldedTable, fragmentOf } from "../elements";
import { axisLanes, eventLanes, gapDrawing, serverLegend } from "./lanes";
import { eventLabels, mark, markLegend } from "./marks";
import { type Chart, type ChartRow, type FailureSpan, groupRows, mostOpen, type RowGroup, serverOrder } from "./model";
import { stackedBar, summaryDrawing } from "./summary";

const mostFailures = 50;
const mostEvents = 500;

/** Renders the summary of a chart: legend, events, and all hostnames in one lane. */
export function chartOverview(chart: Chart, caption: string): Html {
  const { id, rows, axis, noun } = chart;
  const scale = scaleOf(axis);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const all = `${rows.length === 1 ? "The hostname" : `All ${countWithSeparators(rows.length, "hostname")}`}, ${countWithSeparators(failed, `failed ${noun}`)}`;
  return html`<figure class="chart" aria-labelledby="${id}-chart" data-marks>
<figcaption id="${id}-chart">${caption}</figcaption>
${serverLegend(chart)}${markLegend(chart)}
${axisLanes(axis)}
${eventLanes(chart, scale)}
<div class="lane total"><p class="label">${all}</p><svg role="img" aria-label="${all}, by server over time">${summaryDrawing(rows, chart, scale)}</svg></div>
</figure>
`;
}

/** Renders a lane for each hostname, in groups, with a filter and the events as a table. */
export function chartRows(chart: Chart): Html {
  const { id, rows, axis, events } = chart;
  const scale = scaleOf(axis);
  const groups = groupRows(rows);
  const look = rows.length > mostOpen ? "chart rows many" : "chart rows";
  return html`${filterForm(chart)}
<div class="${look}" id="${id}-rows" role="group" aria-label="Chart of ${id.replaceAll("-", " ")}" data-marks>
${serverLegend(chart)}${markLegend({ ...chart, events: [] })}${
  killsOf(chart).length === 0
    ? undefined
    : html`<ul class="legend"><li><svg class="swatch" aria-hidden="true"><rect class="kill-line" x="50%" width="1" height="100%"/></svg>line through a row: ${eventLabels.kill}</li></ul>`
}
${axisLanes(axis)}
${groups.map((group, index) => groupOf(group, `${id}-${index}`, chart, scale))}</div>
${
  events.length === 0
    ? undefined
    : foldedTable(`${countWithSeparators(events.length, "event")} as a table`, {
        id: `${id}-events`,
        caption: events.length > mostEvents ? `The first ${mostEvents} events` : "Events in the order of time",
        head: ["time", "event", "what", "until", "result"],
        rows: events
          .slice(0, mostEvents)
          .map(({ at, kind, what, until, ok }) => [
            formatTime(new Date(at)),
            eventLabels[kind],
            what,
            until === undefined ? undefined : formatTime(new Date(until)),
            ok === undefined ? undefined : ok ? "ok" : "failed",
          ]),
      })
}`;
}

/** Renders the filter. It is hidden until the script shows it, because it does nothing without the script. */
function filterForm({ id, rows }: Chart): Html {
  const failed = rows.some((row) => row.failed > 0)
    ? html`<p><label><input type="checkbox"> Only with failures</label></p>\n`
    : undefined;
  return html`<form class="chart-filter" role="search" aria-label="Filter the chart of ${id.replaceAll("-", " ")}" data-chart="${id}-rows" hidden>
<p><label for="${id}-filter">Hostname contains</label><input id="${id}-filter" type="search" autocomplete="off" spellcheck="false"></p>
${failed}<p><button type="button" data-fold="open">Open all</button> <button type="button" data-fold="closed">Close all</button></p>
<p role="status">${countWithSeparators(rows.length, "hostname")}</p>
</form>`;
}

function groupOf({ name, rows, isOpen }: RowGroup, id: string, chart: Chart, scale: Scale): Html {
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const label = `${name}: ${countWithSeparators(rows.length, "hostname")}${failed === 0 ? "" : `, ${countWithSeparators(failed, `failed ${chart.noun}`)}`}`;
  const body = html`<summary><span class="lane"><span class="label">${label}</span><svg aria-hidden="true">${summaryDrawing(rows, chart, scale)}</svg></span></summary>
${rows.map((row, index) => rowOf(row, `${id}-${index}`, chart, scale))}`;
  return html`<details class="group"${isOpen ? " open" : ""}>${body}</details>\n`;
}

/** Returns the kills that are drawn as a line through the row of each hostname. */
function killsOf({ events }: Chart): Chart["events"] {
  return events.filter(({ kind }) => kind === "kill").slice(0, 20);
}

function rowOf(row: ChartRow, id: string, chart: Chart, scale: Scale): Html {
  const { hostname, segments, failures, events, gaps } = row;
  const { serverNames, noun } = chart;
  const drawn = segments.map((segment) => {
    const counted = serverOrder.flatMap((server) => {
      const count = segment.served[server] ?? 0;
      return count === 0 ? [] : [[server, count] as const];
    });
    const tip = counted
      .map(([server, count]) => `${serverNames[server]}, ${countWithSeparators(count, noun)}`)
      .join("; ");
    return stackedBar(counted, segment, scale, `${clockOf(segment.from)} to ${clockOf(segment.to)}: ${tip}`);
  });
  const lines = killsOf(chart).map(
    ({ at }) => html`<rect class="kill-line" x="${scale.at(at)}" width="1" height="100%"/>`,
  );
  const marks = events.map((event) => mark(event, scale));
  const failedMarks = failures
    .slice(0, mostFailures)
    .map((failure, index) => failureMark(failure, `${id}-${index}`, chart, scale));
  const drawing = html`${gapDrawing(gaps, chart, scale)}${drawn}${gapDrawing(chart.gaps, chart, scale)}${lines}${marks}${failedMarks}`;
  const fragment = fragmentOf(chart.id, hostname, `${id}-row`);
  // Links must not be inside of an image.
  const role = failures.length === 0 ? "img" : "group";
  return html`<div class="row" id="${fragment}"><div class="lane"><p class="label"><a id="${id}" href="#${fragment}">${formatHostname(hostname)}</a></p><svg role="${role}" aria-labelledby="${id} ${id}-t"><title id="${id}-t">${descriptionOf(row, chart)}</title>${drawing}</svg></div>${
    failures.length === 0 ? undefined : failureList(row, id, chart)
  }</div>
`;
}

function failureMark(failure: FailureSpan, id: string, { noun }: Chart, scale: Scale): Html {
  const text = failureText(failure, noun);
  return html`<a href="#${id}" aria-labelledby="${id}"><rect class="failed" x="${scale.at(failure.from)}" width="${scale.width(failure)}" height="100%"><title>${text}</title></rect></a>`;
}

function failureList({ failures, failed, handshakes }: ChartRow, id: string, { noun }: Chart): Html {
  const shown = failures.slice(0, mostFailures);
  const more = failures.length - shown.length;
  return html`<details class="failures"><summary>${formatNumber(failed)} of ${countWithSeparators(handshakes, noun)} failed</summary>
<ol>${shown.map((failure, index) => html`<li id="${id}-${index}">${failureText(failure, noun)}</li>`)}</ol>
${more > 0 ? html`<p>and ${countWithSeparators(more, "further period")}</p>` : undefined}</details>`;
}

function failureText({ from, lastAt, count, error }: FailureSpan, noun: string): string {
  const until = lastAt - from < 1_000 ? "" : ` to ${clockOf(lastAt)}`;
  return `${clockOf(from)}${until}: ${countWithSeparators(count, noun)} failed: ${error}`;
}

const mostChanges = 8;

/** Describes a row in words, for readers who cannot see the drawing. */
function descriptionOf({ segments, failed }: ChartRow, { noun, serverNames }: Chart): string {
  const servers = segments.flatMap(({ from, served }) => {
    const [server] = serverOrder.filter((candidate) => (served[candidate] ?? 0) > 0);
    return server === undefined ? [] : [{ from, name: serverNames[server] }];
  });
  const changes = servers.filter(({ name }, index) => name !== servers[index - 1]?.name);
  const changeTexts = changes.slice(0, mostChanges).map(({ from, name }) => `${name} from ${clockOf(from)}`);
  const failures = failed === 0 ? [] : [`${countWithSeparators(failed, `failed ${noun}`)}`];
  return [...changeTexts, ...(changes.length > mostChanges ? ["further changes"] : []), ...failures].join(", ");
}
