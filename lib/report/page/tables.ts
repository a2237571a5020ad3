import { type Html, type HtmlValue, html } from "../html";

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
