import { html } from "../html";
import type { RehearsalRecord } from "../model";
import { countWithSeparators } from "../words";
import { chartOverview, chartRows } from "./chart/chart";
import type { Chart } from "./chart/model";
import { chartOfRehearsal } from "./chart/records";
import { daysCourseSection, daysSection } from "./days";
import { type Section, table } from "./elements";
import { certificatesSection, happenedSection, limitsSection, subjectSection } from "./signoff";

const mostFailures = 100;

/** Renders a rehearsal for sign-off: a summary of two printed pages, then details of every hostname. */
export function rehearsalSections({ source, result }: RehearsalRecord): readonly Section[] {
  const { rehearsed, timeline, failures, failedHandshakes } = result;
  const chart = timeline === undefined ? undefined : chartOfRehearsal(timeline, result, "rehearsal");
  return [
    ...(rehearsed === undefined ? [] : [subjectSection(rehearsed, result)]),
    ...(timeline === undefined || timeline.certificates.length === 0 ? [] : [certificatesSection(timeline)]),
    happenedSection(result),
    ...(result.days === undefined ? [] : [daysSection(result.days)]),
    ...(rehearsed === undefined ? [] : [limitsSection(rehearsed, result)]),
    ...(chart === undefined ? [] : [courseSection(chart, source)]),
    ...(result.days === undefined ? [] : [daysCourseSection(result.days)]),
    ...(chart === undefined ? [] : [hostnamesSection(chart, failures.length > 0)]),
    ...(failures.length === 0 ? [] : [failedSection(failures, failedHandshakes)]),
  ];
}

function courseSection(chart: Chart, source: string): Section {
  const caption = `Events, and who served the handshakes, in the time of the rehearsal's cloud (${source})`;
  return {
    id: "course",
    short: "Course",
    heading: "Course of the rehearsal",
    body: chartOverview(chart, caption),
  };
}

function hostnamesSection(chart: Chart, hasFailures: boolean): Section {
  const advice = hasFailures ? html`<p>Select a failed handshake to show its error.</p>` : undefined;
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
  const body = table({
    id: "rehearsal-failures",
    caption: `${caption}, by the time of the rehearsal's cloud`,
    head: ["time", "hostname", "address", "why"],
    rows: shown.map(({ time, hostname, address, error }) => [time, hostname, address ?? "none", error]),
  });
  return { id: "rehearsal-failed", heading: "Failed handshakes", isDetail: true, body };
}
