import { type Html, html } from "../html";
import type { RehearsalRecord } from "../model";
import { countOf } from "../words";
import { chartOverview, chartRows } from "./chart/chart";
import { chartOfRehearsal } from "./chart/records";
import { type Section, table } from "./elements";
import { certificatesSection, happenedSection, limitsSection, subjectSection } from "./signoff";

const mostFailures = 100;

/** Renders a rehearsal for sign-off: a summary of two printed pages, then details of every hostname. */
export function rehearsalSections({ source, result }: RehearsalRecord): readonly Section[] {
  const { rehearsed, timeline, failures, failedHandshakes } = result;
  const chart = timeline === undefined ? undefined : chartOfRehearsal(timeline, result, "rehearsal");
  const overview: Section | undefined =
    chart === undefined
      ? undefined
      : {
          id: "course",
          short: "Course",
          heading: "Course of the rehearsal",
          body: html`${chartOverview(chart, `Events, and who served the handshakes, in the time of the rehearsal's cloud (${source})`)}`,
        };
  const hostnames: Section | undefined =
    chart === undefined
      ? undefined
      : {
          id: "rehearsed-hostnames",
          short: "Each hostname",
          heading: "Each hostname over time",
          isDetail: true,
          body: html`${failures.length === 0 ? undefined : html`<p>Select a failed handshake to show its error.</p>`}${chartRows(chart)}`,
        };
  const failed: Section | undefined =
    failures.length === 0
      ? undefined
      : {
          id: "rehearsal-failed",
          heading: "Failed handshakes",
          isDetail: true,
          body: failureTable(failures, failedHandshakes),
        };
  const sections = [
    ...(rehearsed === undefined ? [] : [subjectSection(rehearsed, result)]),
    ...(timeline === undefined || timeline.certificates.length === 0 ? [] : [certificatesSection(timeline)]),
    happenedSection(result),
    ...(rehearsed === undefined ? [] : [limitsSection(rehearsed, result)]),
    overview,
    hostnames,
    failed,
  ];
  return sections.filter((section) => section !== undefined);
}

function failureTable(failures: RehearsalRecord["result"]["failures"], failedHandshakes: number): Html {
  const shown = failures.slice(0, mostFailures);
  const caption =
    shown.length < failedHandshakes ? `The first ${countOf(shown.length, "failed handshake")}` : "Failed handshakes";
  return table({
    id: "rehearsal-failures",
    caption: `${caption}, by the time of the rehearsal's cloud`,
    head: ["time", "hostname", "address", "why"],
    rows: shown.map(({ time, hostname, address, error }) => [time, hostname, address ?? "none", error]),
  });
}
