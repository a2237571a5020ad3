import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ReportFinding, reportFindings } from "../findings";
import { type History, historyOf } from "../history";
import { type HostnameState, hostnameStatesOf, isOpen, remainingOf } from "../hostname-states";
import { Html, type HtmlValue, html } from "../html";
import type { ReportData } from "../model";
import { hasStatus, type ReportVerdict, verdictOf } from "../summary";
import { formatNumber } from "../words";
import { renderContents, renderSection, type Section, timeElement } from "./elements";
import { findingsSection } from "./findings";
import { matrixSection, remainingSection } from "./hostnames";
import { rehearsalSections, rehearsalTimeline } from "./rehearsed";
import { sourcesSection } from "./sources";
import { statusTimeline } from "./timeline";
import { verifiedSection } from "./verified";
import { watchedSections, watchTimelines } from "./watched";

/**
 * Renders one HTML file with the state of a migration. The page loads nothing, and its content security policy forbids
 * all loading. The policy allows only the page's own style and script, by their hashes, so that injected text cannot
 * run. The page is complete without the script, which filters and shows details of marks.
 *
 * @returns the same text for the same data
 */
export function renderReport(data: ReportData): string {
  const hostnameStates = hostnameStatesOf(data);
  const history = historyOf(data.statuses ?? []);
  const findings = reportFindings(data, hostnameStates, history);
  const verdict = verdictOf(data, hostnameStates);
  const style = styles.map((name) => ownFile(`${name}.css`)).join("");
  const script = scripts.map((name) => ownFile(`${name}.js`)).join("");
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const rehearsal = data.rehearsal === undefined ? [] : rehearsalSections(data.rehearsal);
  const { statuses = [], verifications = [], watches = [] } = data;
  // A report of a rehearsal alone begins with the rehearsal: it is the page that people sign off.
  // Verify and watch know one step each: without a status, every other step would be unknown.
  const stepped = hasStatus(data) ? hostnameStates : [];
  const isSignOff = statuses.length + verifications.length + watches.length === 0;
  const sections: readonly (Section | undefined)[] = [
    ...(isSignOff ? rehearsal.filter(({ isDetail }) => isDetail !== true) : []),
    remainingSection(remainingOf(stepped), stepped),
    findingsSection(findings),
    matrixSection(stepped, history),
    verifiedSection(verifications),
    ...watchedSections(watches),
    ...rehearsal.filter(({ isDetail }) => !isSignOff || isDetail),
    sourcesSection(data),
  ];
  const shown = sections.filter((section) => section !== undefined);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${data.title}</title>
<link rel="icon" href="data:,">
<style>${Html.own(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${header(data, verdict, { hostnameStates, findings, history })}
${renderContents(shown)}
<main id="main" tabindex="-1">
${shown.map(renderSection)}
</main>
<footer><p>Made by cert-migration at ${timeElement(data.generatedAt)}. It shows what was seen at the times of its sources, not what is so now.</p></footer>
<script>${Html.own(script)}</script>
</body>
</html>
`.toString();
}

/** In their order in the page: later rules override earlier rules. */
const styles = ["base", "matrix", "plots", "chart", "print"] as const;

const scripts = ["filter", "chart", "detail", "copy"] as const;

const verdictWords: Readonly<Record<ReportVerdict["tone"], string>> = { good: "✓", pending: "…", bad: "✕" };

interface HeaderParts {
  readonly hostnameStates: readonly HostnameState[];
  readonly findings: readonly ReportFinding[];
  readonly history: History;
}

/** Renders the verdict, and below it the timeline: the first printed sheet. */
function header(
  data: ReportData,
  { tone, sentence }: ReportVerdict,
  { hostnameStates, findings, history }: HeaderParts,
): Html {
  const { watches = [], rehearsal } = data;
  const timelines = [
    ...(hasStatus(data) ? [statusTimeline(history)] : []),
    ...watchTimelines(watches),
    ...(rehearsal === undefined ? [] : [rehearsalTimeline(rehearsal)]),
  ].filter((timeline) => timeline !== undefined);
  const failedOf = (failed: number, all: number) => `${formatNumber(failed)} of ${formatNumber(all)}`;
  const through = hostnameStates.filter(({ steps }) => !steps.some(isOpen)).length;
  const attempts = watches.reduce((sum, watch) => sum + watch.attempts, 0);
  const failures = watches.reduce((sum, watch) => sum + watch.failures, 0);
  const figures: readonly (readonly [string, HtmlValue])[] = [
    ...(hostnameStates.length === 0 ? [] : [["hostnames", formatNumber(hostnameStates.length)] as const]),
    ...(hasStatus(data) ? [["through all steps", formatNumber(through)] as const] : []),
    ...(watches.length === 0 ? [] : [["watched connections failed", failedOf(failures, attempts)] as const]),
    ...(rehearsal === undefined
      ? []
      : [
          [
            "rehearsed handshakes failed",
            failedOf(rehearsal.result.failedHandshakes, rehearsal.result.probes),
          ] as const,
        ]),
    ["errors found", formatNumber(findings.filter(({ severity }) => severity === "error").length)],
  ];
  return html`<header>
<h1>${data.title}</h1>
<p class="verdict ${tone}"><span aria-hidden="true">${verdictWords[tone]}</span> ${sentence}</p>
${timelines.length === 0 ? undefined : html`<section class="timelines" aria-labelledby="course"><h2 id="course">Timeline</h2>${timelines}</section>`}
<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p class="origin">Generated at ${timeElement(data.generatedAt)}</p>
</header>`;
}

/** Reads a file of this project with `\n` as line end. A browser normalizes line ends before it computes the hash. */
function ownFile(name: string): string {
  return readFileSync(join(__dirname, "assets", name), "utf8").replaceAll("\r\n", "\n");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
