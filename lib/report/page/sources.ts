import { groupBy } from "../../json/group-by";
import { sortByTime } from "../hostname-states";
import { type Html, html } from "../html";
import type { ReportData, StatusSnapshot } from "../model";
import { countWithSeparators } from "../words";
import { type Section, timeElement } from "./elements";

export function sourcesSection(data: ReportData): Section {
  const { statuses = [], verifications = [], watches = [], doctor, rehearsal } = data;
  const items = [
    ...bySource(statuses).map(({ source, notes, first, last, count }) => {
      const of = countWithSeparators(last.hostnames.length, "hostname");
      const description = html`of ${timeElement(last.time)}, ${of}`;
      const several = html`${countWithSeparators(count, "status", "statuses")} from ${timeElement(first.time)} to ${timeElement(last.time)}, ${of} in the last`;
      return item("status", { source, notes }, count === 1 ? description : several);
    }),
    ...sortByTime(verifications).map((verification) =>
      item(
        "verify",
        verification,
        html`of ${timeElement(verification.time)}, ${countWithSeparators(verification.results.length, "result")}`,
      ),
    ),
    ...watches.map((watch) =>
      item("watch", watch, html`from ${timeElement(watch.from)} to ${timeElement(watch.until)}`),
    ),
    ...(doctor === undefined
      ? []
      : [item("doctor", doctor, html`${countWithSeparators(doctor.findings.length, "finding")}`)]),
    ...(rehearsal === undefined
      ? []
      : [item("rehearse", rehearsal, html`${countWithSeparators(rehearsal.result.probes, "handshake")}`)]),
  ];
  const [status, verify, watch] = [statuses[0], verifications[0], watches[0]];
  const missing = Object.entries({ status, verify, watch, doctor, rehearse: rehearsal }).flatMap(([command, part]) =>
    part === undefined ? [command] : [],
  );
  return {
    id: "sources",
    heading: "Sources",
    body: html`<ul>${items}</ul>
${missing.length === 0 ? undefined : html`<p>Not given: ${missing.join(", ")}. The report has no data from these commands.</p>`}`,
  };
}

function item(
  kind: string,
  { source, notes = [] }: { readonly source: string; readonly notes?: readonly string[] },
  description: Html,
): Html {
  return html`<li>${kind}: ${source}, ${description}${notes.map((note) => html`<br>${note}`)}</li>`;
}

/** Groups statuses by source. A file may contain thousands of statuses, but is listed once. */
function bySource(statuses: readonly StatusSnapshot[]) {
  return [...groupBy(sortByTime(statuses), ({ source }) => source)].flatMap(([source, of]) => {
    const [first, last] = [of[0], of.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ source, first, last, count: of.length, notes: [...new Set(of.flatMap(({ notes = [] }) => notes))] }];
  });
}
