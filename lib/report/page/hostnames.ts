import { stepNames } from "../../live/status";
import type { History } from "../history";
import type { HostnameState, RemainingCause, RemainingStep } from "../hostname-states";
import { type Html, html } from "../html";
import { countWithSeparators, formatHostname, formatNumber } from "../words";
import { fragmentOf, type Section, stateOrder, stateWords } from "./elements";

export function remainingSection(
  steps: readonly RemainingStep[],
  hostnameStates: readonly HostnameState[],
): Section | undefined {
  if (hostnameStates.length === 0) return undefined;
  const list =
    steps.length === 0
      ? html`<p>Nothing: ${hostnameStates.length === 1 ? "the hostname is" : "all hostnames are"} through the eight steps.</p>`
      : html`<ul class="remaining">${steps.map(item)}</ul>`;
  return { id: "remaining", heading: "What remains", body: html`${list}` };
}

function item({ step, name, count, failed, waiting, todo, unknown, causes }: RemainingStep): Html {
  const parts = [
    [failed, "failed"],
    [waiting, "waiting"],
    [todo, "to do"],
    [unknown, "unknown"],
  ] as const;
  const phrases = parts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => `${formatNumber(amount)} ${word}`)
    .join(", ");
  return html`<li>
<h3>Step ${step}, ${name}: ${countWithSeparators(count, "hostname")}</h3>
<p>${phrases}. <a href="#hostnames" data-stands-at="${step}">Show ${count === 1 ? "it" : "them"} in the matrix</a></p>
<dl>${causes.map(cause)}</dl>
</li>
`;
}

function cause({ count, state, example: { hostname, current } }: RemainingCause): Html {
  const reason = current?.reason ?? current?.code ?? stateWords[state];
  const next = current?.next === undefined ? undefined : nextAction(current.next);
  const name = formatHostname(hostname);
  const of = count === 1 ? name : `${countWithSeparators(count, "hostname")}, for example ${name}`;
  return html`<div><dt>${of}</dt><dd>${reason}${next}</dd></div>`;
}

/** Renders a next action; a command gets a copy button. */
function nextAction(next: string): Html {
  const isCommand = /^(?:cert-migration|terraform|gcloud) [^;]*$/.test(next);
  return isCommand ? html`<code class="command next">${next}</code>` : html`<span class="next">${next}</span>`;
}

/**
 * Rows that are laid out together when they scroll into view. For the other rows, the browser keeps only the height.
 */
const rowsOfBlock = 50;

/** Maximum number of rows with a link to themselves: with more of them, the keyboard would stop too often. */
const mostLinks = 200;

/**
 * Renders every hostname with its eight steps. ARIA roles are explicit because the rows use a grid layout, and some
 * browsers then drop the table semantics.
 */
export function matrixSection(hostnameStates: readonly HostnameState[], { sinceOf }: History): Section | undefined {
  if (hostnameStates.length === 0) return undefined;
  const migrations = new Set(hostnameStates.flatMap(({ migration }) => migration ?? []));
  const fragments = fragmentsOf(hostnameStates);
  const rows = hostnameStates.map((hostnameState, index) =>
    row(hostnameState, {
      showsMigration: migrations.size > 1,
      since: sinceOf(hostnameState),
      fragment: fragments[index] ?? "",
      isLinked: hostnameStates.length <= mostLinks,
    }),
  );
  const blocks = Array.from({ length: Math.ceil(hostnameStates.length / rowsOfBlock) }, (_, index) =>
    rows.slice(index * rowsOfBlock, (index + 1) * rowsOfBlock),
  );
  return {
    id: "hostnames",
    short: "Hostnames",
    heading: "Hostnames by step",
    body: html`<p>The state of ${countWithSeparators(hostnameStates.length, "hostname")} in the eight steps, and the next step. Step 7 comes from verify, step 8 from watch if the watch is newer than the status.</p>
${filterForm()}
<ol class="key">${stepNames.map((name) => html`<li>${name}</li>`)}</ol>
<p id="shown" role="status">${countWithSeparators(hostnameStates.length, "hostname")}</p>
<table id="matrix" class="matrix" role="table" aria-labelledby="hostnames">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">hostname</th>${stepNames.map(
      (name, index) => html`<th role="columnheader" scope="col">${index + 1}<span class="name"> ${name}</span></th>`,
    )}<th role="columnheader" scope="col">open step</th></tr></thead>
${blocks.map((block) => html`<tbody role="rowgroup">${block}</tbody>\n`)}</table>`,
  };
}

/** Returns a fragment for each row. A hostname of several migrations has the readable fragment once. */
function fragmentsOf(hostnameStates: readonly HostnameState[]): readonly string[] {
  const used = new Set<string>();
  return hostnameStates.map(({ hostname }, index) => {
    const otherwise = `hostname-row-${index}`;
    const fragment = fragmentOf("hostname", hostname, otherwise);
    if (used.has(fragment)) return otherwise;
    used.add(fragment);
    return fragment;
  });
}

interface RowOptions {
  readonly showsMigration: boolean;
  readonly since: string | undefined;
  readonly fragment: string;
  readonly isLinked: boolean;
}

function row(
  { hostname, migration, steps, current }: HostnameState,
  { showsMigration, since, fragment, isLinked }: RowOptions,
): Html {
  const name = formatHostname(hostname);
  const cells = steps.map(({ state }) => html`<td role="cell" class="${state}">${stateWords[state]}</td>`);
  const where =
    current === undefined
      ? html`through all steps`
      : html`${current.step} ${current.name}${current.reason === undefined ? undefined : `: ${current.reason}`}${since === undefined ? undefined : html` <small>${since}</small>`}${
          current.next === undefined ? undefined : html`<span class="next">${current.next}</span>`
        }`;
  const of = showsMigration && migration !== undefined ? html`<small>${migration}</small>` : undefined;
  const heading = isLinked ? html`<a href="#${fragment}">${name}</a>` : name;
  return html`<tr role="row" id="${fragment}"><th role="rowheader" scope="row">${heading}${of}</th>${cells}<td role="cell" class="where">${where}</td></tr>
`;
}

/** Renders the filter. It is hidden until the script shows it, because it does nothing without the script. */
function filterForm(): Html {
  const steps = stepNames.map((name, index) => html`<option value="${index + 1}">${index + 1} ${name}</option>`);
  const states = stateOrder.map((state) => html`<option value="${state}">${stateWords[state]}</option>`);
  return html`<form id="filter" role="search" aria-label="Filter hostnames" hidden>
<p><label for="filter-hostname">Hostname contains</label><input id="filter-hostname" type="search" autocomplete="off" spellcheck="false"></p>
<p><label for="filter-step">Step</label><select id="filter-step"><option value="">any step</option>${steps}<option value="through">through all steps</option></select></p>
<p><label for="filter-state">Has a step that is</label><select id="filter-state"><option value="">in any state</option>${states}</select></p>
<p><button type="reset">Show all</button></p>
</form>`;
}
