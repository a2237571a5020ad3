import { groupBy } from "../../json/group-by";
import { lastPart } from "../../resource-names";
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
    failure?.hadEffect === false
      ? "It had no effect, because nothing was due in these days."
      : failure?.repairedDay === undefined
        ? "It was not repaired."
        : `It was repaired on day ${failure.repairedDay}.`;
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
  const events = eventsOf(days);
  return {
    id: "days-course",
    short: "Course of the days",
    heading: "Renewals and alerts after the cut-over",
    isDetail: true,
    body: html`<ol class="lanes" id="days-lanes" role="list" aria-label="Renewals and alerts over time" data-marks>${[
      ...groupBy(events, ({ lane }) => lane).values(),
    ].map((ofLane, index) => laneRow(ofLane, days.days, index))}</ol>
${axisLine("day 0", `day ${days.days}`)}
${plotLegend([
  { name: "alert, or a certificate that has expired", look: "state-failed" },
  { name: "renewed or replaced", look: "state-done" },
])}
${events.length === 0 ? undefined : eventsTable(events)}`,
  };
}

interface DayEvent {
  /** Whole name: certificates of several locations may end in the same part. */
  readonly lane: string;
  /** Name of the certificate or the alert. */
  readonly name: string;
  readonly day: number;
  /** Last day of an alert. @default - the event is one moment */
  readonly untilDay?: number;
  readonly what: string;
  readonly look: "state-done" | "state-failed";
}

function eventsOf({ days, renewals, replacements, expiries, incidents }: RehearsedDays): readonly DayEvent[] {
  const ofCertificates = (all: RehearsedDays["renewals"], what: string, look: DayEvent["look"]) =>
    all.map(({ day, certificate }) => ({ lane: certificate, name: lastPart(certificate), day, what, look }));
  return [
    ...ofCertificates(renewals, "renewed", "state-done"),
    ...ofCertificates(replacements, "replaced by its owner", "state-done"),
    ...ofCertificates(expiries, "EXPIRED", "state-failed"),
    ...incidents.map(({ day, closedDay, policy }): DayEvent => {
      const what = `alert, ${closedDay === undefined ? "open at the end" : `until day ${closedDay}`}`;
      return { lane: `alert ${policy}`, name: policy, day, untilDay: closedDay ?? days, what, look: "state-failed" };
    }),
  ];
}

function laneRow(events: readonly DayEvent[], days: number, index: number): Html {
  const id = `days-lane-${index}`;
  const sorted = [...events].sort((a, b) => a.day - b.day);
  const values = (look: string) => sorted.map((event) => (event.look === look ? 1 : 0));
  const plot = drawing({
    labelledBy: id,
    spans: sorted.map(({ day, untilDay = day }) => ({ from: day, to: Math.max(untilDay, day + days * markShare) })),
    series: [
      { name: "alert", look: "state-failed", values: values("state-failed") },
      { name: "renewed", look: "state-done", values: values("state-done") },
    ],
    scale: "share",
    axis: { from: 0, to: days },
    tips: sorted.map(({ day, name, what }) => `day ${day}: ${name}: ${what}`),
  });
  return html`<li><p id="${id}">${events[0]?.name}</p>${plot}</li>`;
}

function eventsTable(events: readonly DayEvent[]): Html {
  return table({
    id: "days-events",
    caption: "Renewals, expiries and alerts, by days after the cut-over",
    head: ["day", "what", "certificate or alert"],
    rows: [...events].sort((a, b) => a.day - b.day).map(({ day, what, name }) => [String(day), what, name]),
  });
}
