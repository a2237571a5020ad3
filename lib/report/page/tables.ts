import { type Html, type HtmlValue, html } from "../html";

interface TableOptions {
  /** Unique in the page. */
  readonly id: string;
  readonly caption: HtmlValue;
  readonly head: readonly string[];
  /** The first cell of each row is its heading. */
  readonly rows: readonly (readonly HtmlValue[])[];
}

/** Renders a table of data. A table wider than the page scrolls horizontally, also with the keyboard. */
export function table({ id, caption, head, rows }: TableOptions): Html {
  return html`<div class="scroll" role="group" aria-labelledby="${id}" tabindex="0"><table class="data">
<caption id="${id}">${caption}</caption>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...cells]) => html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>
`;
}

/** Renders the same table in a collapsed section: the numbers of a plot. */
export function foldedTable(summary: string, options: TableOptions): Html {
  return html`<details class="numbers"><summary>${summary}</summary>${table(options)}</details>`;
}
