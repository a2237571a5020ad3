import { mostSubjects, type ReportFinding } from "../findings";
import { type Html, html } from "../html";
import { countOf, formatNumber } from "../words";
import type { Section } from "./section";

const mostFindings = 500;
/** Hostnames that are shown at once; the others are in a collapsed section. */
const shownSubjects = 3;

export function findingsSection(findings: readonly ReportFinding[]): Section {
  const list =
    findings.length === 0
      ? html`<p>Nothing was found that needs mending or a look.</p>`
      : html`<ul class="findings">${findings.slice(0, mostFindings).map(item)}</ul>`;
  const more = findings.length - mostFindings;
  return {
    id: "findings",
    short: "Findings",
    heading: "Findings",
    body: html`${list}
${more > 0 ? html`<p>${countOf(more, "further finding")}, none severer than these, ${more === 1 ? "is" : "are"} left out.</p>` : undefined}`,
  };
}

function item(finding: ReportFinding): Html {
  const { severity, code, by, message, meaning, remedy, command, example } = finding;
  return html`<li class="${severity}">
<h3><span class="badge">${severity}</span> ${message}</h3>
<p class="origin"><code>${code}</code>, found by ${by}</p>
${subjects(finding)}
${example === undefined ? undefined : html`<p>As in: ${example}</p>`}
${meaning === undefined ? undefined : html`<p>Why: ${meaning}</p>`}
${remedy === "" ? undefined : html`<p>Remedy: ${remedy}</p>`}
${command === undefined ? undefined : html`<pre>${command}</pre>`}
</li>
`;
}

function subjects({ subjects: named, subjectCount }: ReportFinding): Html | undefined {
  if (subjectCount === 0) return undefined;
  const first = html`${named.slice(0, shownSubjects).map((name, index) => html`${index === 0 ? "" : ", "}${name}`)}`;
  if (subjectCount <= shownSubjects) return html`<p>On ${first}</p>`;
  const left = subjectCount - mostSubjects;
  return html`<details><summary>On ${first} and ${formatNumber(subjectCount - shownSubjects)} more</summary>
<ul class="subjects">${named.slice(shownSubjects).map((name) => html`<li>${name}</li>`)}</ul>
${left > 0 ? html`<p>and ${countOf(left, "further hostname")}</p>` : undefined}</details>`;
}
