import { groupBy } from "../../json/group-by";
import { mostSubjects, type ReportFinding } from "../findings";
import { type Html, html } from "../html";
import { countWithSeparators, formatHostname, formatNumber } from "../words";
import type { Section } from "./elements";

const mostFindings = 500;
/** Hostnames that are shown at once; the others are in a collapsed section. */
const shownSubjects = 3;

export function findingsSection(findings: readonly ReportFinding[]): Section {
  const kinds = [...groupBy(findings.slice(0, mostFindings), kindOf).values()];
  const list = findings.length === 0 ? html`<p>No findings.</p>` : html`<ul class="findings">${kinds.map(group)}</ul>`;
  const more = findings.length - mostFindings;
  return {
    id: "findings",
    heading: "Findings",
    body: html`${list}
${more > 0 ? html`<p>${countWithSeparators(more, "further finding")}, none severer than these, ${more === 1 ? "is" : "are"} left out.</p>` : undefined}`,
  };
}

function kindOf({ severity, code, by }: ReportFinding): string {
  return JSON.stringify([severity, code, by]);
}

/** Number of findings of a kind that are shown at once; the others are in a collapsed section. */
const shownFindings = 3;

/** Renders findings of one kind. What all of them have in common is shown once. */
function group(findings: readonly ReportFinding[]): Html | undefined {
  const [first] = findings;
  if (first === undefined) return undefined;
  if (findings.length === 1) return item(first);
  const { severity, code, by, meaning, remedy } = first;
  const common = {
    meaning: findings.every((finding) => finding.meaning === meaning),
    remedy: findings.every((finding) => finding.remedy === remedy),
  };
  const part = (finding: ReportFinding) => html`<li>${finding.message}
${details(finding, common)}</li>
`;
  const more = findings.length - shownFindings;
  return html`<li class="${severity}">
<h3><span class="badge">${severity}</span> <code>${code}</code>: ${countWithSeparators(findings.length, "finding")}</h3>
<p class="origin">found by ${by}</p>
${common.meaning && meaning !== undefined ? html`<p>Why: ${meaning}</p>` : undefined}
${common.remedy && remedy !== "" ? html`<p>Remedy: ${remedy}</p>` : undefined}
<ul>${findings.slice(0, shownFindings).map(part)}</ul>
${more > 0 ? html`<details><summary>${countWithSeparators(more, "more finding")}</summary><ul>${findings.slice(shownFindings).map(part)}</ul></details>` : undefined}
</li>
`;
}

function item(finding: ReportFinding): Html {
  const { severity, code, by, message } = finding;
  return html`<li class="${severity}">
<h3><span class="badge">${severity}</span> ${message}</h3>
<p class="origin"><code>${code}</code>, found by ${by}</p>
${details(finding, { meaning: false, remedy: false })}
</li>
`;
}

/** @param common texts that are shown for the whole group */
function details(finding: ReportFinding, common: { readonly meaning: boolean; readonly remedy: boolean }): Html {
  const { example, meaning, remedy, command } = finding;
  return html`${subjects(finding)}
${example === undefined ? undefined : html`<p>As in: ${example}</p>`}
${meaning === undefined || common.meaning ? undefined : html`<p>Why: ${meaning}</p>`}
${remedy === "" || common.remedy ? undefined : html`<p>Remedy: ${remedy}</p>`}
${command === undefined ? undefined : html`<pre>${command}</pre>`}`;
}

function subjects({ subjects: named, subjectCount }: ReportFinding): Html | undefined {
  if (subjectCount === 0) return undefined;
  const names = named.map(formatHostname);
  const first = html`${names.slice(0, shownSubjects).map((name, index) => html`${index === 0 ? "" : ", "}${name}`)}`;
  if (subjectCount <= shownSubjects) return html`<p>On ${first}</p>`;
  const left = subjectCount - mostSubjects;
  return html`<details><summary>On ${first} and ${formatNumber(subjectCount - shownSubjects)} more</summary>
<ul class="subjects">${names.slice(shownSubjects).map((name) => html`<li>${name}</li>`)}</ul>
${left > 0 ? html`<p>and ${countWithSeparators(left, "further hostname")}</p>` : undefined}</details>`;
}
