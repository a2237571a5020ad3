import { type Html, html } from "../html";

/** A section of the page with an entry in the table of contents. */
export interface Section {
  /** Id of the heading; unique in the page. */
  readonly id: string;
  /** Title in the table of contents. */
  readonly short: string;
  readonly heading: string;
  readonly body: Html;
}

export function renderSection({ id, heading, body }: Section): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${body}
</section>
`;
}

export function renderContents(sections: readonly Section[]): Html {
  const links = sections.map(({ id, short }) => html`<li><a href="#${id}">${short}</a></li>`);
  return html`<nav aria-label="Contents"><ul>${links}</ul></nav>`;
}
