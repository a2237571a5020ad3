import type { StepState } from "../../live/status";
import { type Html, type HtmlValue, html } from "../html";
import { formatTime } from "../words";

/** A section of the page with an entry in the table of contents. */
export interface Section {
  /** Id of the heading; unique in the page. */
  readonly id: string;
  /** Title in the table of contents. @default - the heading */
  readonly short?: string;
  readonly heading: string;
  readonly body: Html;
  /** Whether the section comes after the summary; the first of them begins a new sheet when printed. @default false */
  readonly isDetail?: boolean;
}

export function renderSection({ id, heading, body, isDetail = false }: Section): Html {
  const look = isDetail ? "detail" : "summary";
  return html`<section class="${look}" aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${body}
</section>
`;
}

export function renderContents(sections: readonly Section[]): Html {
  const links = sections.map(({ id, heading, short = heading }) => html`<li><a href="#${id}">${short}</a></li>`);
  return html`<nav aria-label="Contents"><ul>${links}</ul></nav>`;
}

interface TableOptions {
  /** Unique in the page. */
  readonly id: string;
  readonly caption: HtmlValue;
  readonly head: readonly string[];
  /** The first cell of each row is its heading. */
  readonly rows: readonly (readonly HtmlValue[])[];
}

/**
 * Renders a table of data. A table wider than the page scrolls horizontally, also with the keyboard. In a narrow window
 * each row becomes a list of its cells. Roles are explicit, because some browsers then drop the table semantics.
 */
export function table({ id, caption, head, rows }: TableOptions): Html {
  return html`<div class="scroll" role="group" aria-labelledby="${id}" tabindex="0"><table class="data" role="table">
<caption id="${id}">${caption}</caption>
<thead role="rowgroup"><tr role="row">${head.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(([first, ...cells]) => html`<tr role="row"><th role="rowheader" scope="row">${first}</th>${cells.map((cell, index) => html`<td role="cell" data-label="${head[index + 1] ?? ""}">${cell}</td>`)}</tr>`)}</tbody>
</table></div>
`;
}

/** Renders the same table in a collapsed section: the numbers of a plot. */
export function foldedTable(summary: string, options: TableOptions): Html {
  return html`<details class="numbers"><summary>${summary}</summary>${table(options)}</details>`;
}

/**
 * Returns the fragment of the permalink to a hostname in a part of the page: the same in each report.
 *
 * @param otherwise the fragment of a name with characters that a hostname can't have
 */
export function fragmentOf(part: string, hostname: string, otherwise: string): string {
  return /^[\w.*-]+$/.test(hostname) ? `${part}-${hostname}` : otherwise;
}

export const stateWords: Readonly<Record<StepState, string>> = {
  done: "done",
  waiting: "waiting",
  todo: "to do",
  failed: "failed",
  unknown: "unknown",
  none: "not applicable",
};

/** The order in which states are stacked. The first stays visible, however few hostnames it has. */
export const stateOrder = [
  "failed",
  "done",
  "none",
  "waiting",
  "todo",
  "unknown",
] as const satisfies readonly StepState[];

export function timeElement(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${formatTime(at)}</time>`;
}
