import { type Html, html } from "../html";
import type { RehearsedDays } from "../model";
import { countWithSeparators, formatNumber } from "../words";
import { type Section, table } from "./elements";
import { axisLine, drawing, plotLegend } from "./plot";

/** Width of a mark of one moment, as a share of the axis. */
const markShare = 1 / 160;

/** Renders the result of the time after the cut-over. */
export function daysSection(days: RehearsedDays): Section {
  const { probes, failedHandshakes, firstFailureDay, plans, plansWithChanges, failure } = days;
  const first = firstFailureDay === undefined ? "" : `, the first on day ${firstFailureDay}`;
  const repaired =
    failure?.repairedDay === undefined ? "It was not repaired." : `It was repaired on day ${failure.repairedDay}.`;
  const facts = [
    `${formatNumber(failedHandshakes)} of ${countWithSeparators(probes, "handshake")} failed${first}.`,
    `Terraform planned ${countWithSeparators(plans, "time")} after renewals; ${formatNumber(plansWithChanges)} of these plans had changes.`,
    ...(failure === undefined ? [] : [`Failure from day ${failure.beganDay}: ${failure.name}. ${repaired}`]),
  ];
  return {
    id: "days",
    short: "Days after",
    heading: `${formatNumber(days.days)} days after the cut-over`,
    body: html`<ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`,
  };
}

/** Renders a lane for each certificate and alert of the time after the cut-over, and the list of everything in them. */
export function daysCourseSection(days: RehearsedDays): Section {
  return {
    id: "days-course",
    short: "Course of the days",
    heading: "Renewals and alerts after the cut-over",
    isDetail: true,
    body: html`<ol class="lanes">${lanesOf(days).map((lane, index) => laneRow(lane, days.days, index))}</ol>
${axisLine("day 0", `day ${days.days}`)}
${plotLegend([
  { name: "alert, or a certificate that has expired", look: "state-failed" },
  { name: "renewed or replaced", look: "state-done" },
])}
${eventsTable(days)}`,
  };
}

interface Lane {
  readonly name: string;
  readonly spans: readonly {
    readonly from: number;
    readonly to: number;
    readonly look: "state-done" | "state-failed";
  }[];
}

function lanesOf({ days, renewals, replacements, expiries, incidents }: RehearsedDays): readonly Lane[] {
  const width = days * markShare;
  // By whole names: certificates of several locations may end in the same part.
  const lanes = new Map<string, Lane>();
  const add = (key: string, name: string, span: Lane["spans"][number]) => {
    lanes.set(key, { name, spans: [...(lanes.get(key)?.spans ?? []), span] });
  };
  for (const { day, certificate } of [...renewals, ...replacements]) {
    add(certificate, lastOf(certificate), { from: day, to: day + width, look: "state-done" });
  }
  for (const { day, certificate } of expiries)
    add(certificate, lastOf(certificate), { from: day, to: day + width, look: "state-failed" });
  for (const { day, closedDay = days, policy } of incidents) {
    add(`alert ${policy}`, policy, { from: day, to: Math.max(closedDay, day + width), look: "state-failed" });
  }
  return [...lanes.values()].map(({ name, spans }) => ({ name, spans: [...spans].sort((a, b) => a.from - b.from) }));
}

function laneRow({ name, spans }: Lane, days: number, index: number): Html {
  const id = `days-lane-${index}`;
  const values = (look: string) => spans.map((span) => (span.look === look ? 1 : 0));
  const plot = drawing({
    labelledBy: id,
    spans,
    series: [
      { name: "alert", look: "state-failed", values: values("state-failed") },
      { name: "renewed", look: "state-done", values: values("state-done") },
    ],
    scale: "share",
    axis: { from: 0, to: days },
    names: spans.map(({ from }) => `day ${from}`),
  });
  return html`<li><p id="${id}">${name}</p>${plot}</li>`;
}

function eventsTable({ renewals, replacements, expiries, incidents }: RehearsedDays): Html | undefined {
  const rows: (readonly [number, string, string])[] = [
    ...renewals.map(({ day, certificate }) => [day, "renewed", lastOf(certificate)] as const),
    ...replacements.map(({ day, certificate }) => [day, "replaced by its owner", lastOf(certificate)] as const),
    ...expiries.map(({ day, certificate }) => [day, "EXPIRED", lastOf(certificate)] as const),
    ...incidents.map(({ day, closedDay, policy }) => {
      const until = closedDay === undefined ? "open at the end" : `until day ${closedDay}`;
      return [day, `alert, ${until}`, policy] as const;
    }),
  ];
  if (rows.length === 0) return undefined;
  return table({
    id: "days-events",
    caption: "Renewals, expiries and alerts, by days after the cut-over",
    head: ["day", "what", "certificate or alert"],
    rows: rows.sort(([a], [b]) => a - b).map(([day, what, name]) => [String(day), what, name]),
  });
}

/** Returns the last part of a resource name. */
function lastOf(certificate: string): string {
  return certificate.slice(certificate.lastIndexOf("/") + 1);
}
