import { type Html, html } from "../html";

/** A section of the page with an entry in the table of contents. */
export interface Section {
  /** Id of the heading; unique in the page. */
  readonly id: string;
  /** Title in the table of contents. */
  readonly short: string;
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
  const links = sections.map(({ id, short }) => html`<li><a href="#${id}">${short}</a></li>`);
  return html`<nav aria-label="Contents"><ul>${links}</ul></nav>`;
}
