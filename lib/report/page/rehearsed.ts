import { type Html, html } from "../html";
import type { RehearsalRecord } from "../model";
import { countWithSeparators, formatHostname } from "../words";
import { chartOverview, chartRows } from "./chart/chart";
import type { Chart } from "./chart/model";
import { chartOfRehearsal } from "./chart/records";
import { daysCourseSection, daysSection } from "./days";
import { type Section, table } from "./elements";
import { certificatesSection, happenedSection, limitsSection, subjectSection } from "./signoff";

const mostFailures = 100;
/** Failures that are shown at once; the others are in a collapsed section. */
const shownFailures = 10;

/** Renders the events of a rehearsal, and who served its handshakes. */
export function rehearsalTimeline({ result }: RehearsalRecord): Html | undefined {
  const { timeline } = result;
  if (timeline === undefined || timeline.hostnames.length === 0) return undefined;
  const chart = chartOfRehearsal(timeline, result, "rehearsal");
  return chartOverview(chart, "Rehearsal: who served the handshakes, in the time of the rehearsal's cloud");
}

/** Renders a rehearsal for sign-off: a summary, then details of every hostname. */
export function rehearsalSections({ result }: RehearsalRecord): readonly Section[] {
  const { rehearsed, timeline, failures, failedHandshakes } = result;
  const chart = timeline === undefined ? undefined : chartOfRehearsal(timeline, result, "rehearsal");
  return [
    ...(rehearsed === undefined ? [] : [subjectSection(rehearsed, result)]),
    ...(timeline === undefined || timeline.certificates.length === 0 ? [] : [certificatesSection(timeline)]),
    happenedSection(result),
    ...(result.days === undefined ? [] : [daysSection(result.days)]),
    ...(rehearsed === undefined ? [] : [limitsSection(rehearsed, result)]),
    ...(result.days === undefined ? [] : [daysCourseSection(result.days)]),
    ...(chart === undefined ? [] : [hostnamesSection(chart, failures)]),
    ...(failures.length === 0 ? [] : [failedSection(failures, failedHandshakes)]),
  ];
}

function hostnamesSection(chart: Chart, failures: RehearsalRecord["result"]["failures"]): Section {
  const advice = failures.length > 0 ? html`<p>Select a failed handshake to show its error.</p>` : undefined;
  return {
    id: "rehearsed-hostnames",
    short: "Each hostname",
    heading: "Each hostname over time",
    isDetail: true,
    body: html`${advice}${chartRows(chart)}`,
  };
}

function failedSection(failures: RehearsalRecord["result"]["failures"], failedHandshakes: number): Section {
  const shown = failures.slice(0, mostFailures);
  const caption =
    shown.length < failedHandshakes
      ? `The first ${countWithSeparators(shown.length, "failed handshake")}`
      : "Failed handshakes";
  const head = ["time", "hostname", "address", "why"];
  const rows = shown.map(({ time, hostname, address, error }) => [
    time,
    formatHostname(hostname),
    address ?? "none",
    error,
  ]);
  const more = countWithSeparators(rows.length - shownFailures, "more failed handshake");
  const body = html`${table({
    id: "rehearsal-failures",
    caption: `${caption}, by the time of the rehearsal's cloud`,
    head,
    rows: rows.slice(0, shownFailures),
  })}${
    rows.length <= shownFailures
      ? undefined
      : html`<details><summary>${more}</summary>${table({ id: "rehearsal-more-failures", caption: more, head, rows: rows.slice(shownFailures) })}</details>`
  }`;
  return { id: "rehearsal-failed", heading: "Failed handshakes", isDetail: true, body };
}
