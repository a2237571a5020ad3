import { type Html, html } from "../html";

/** A part of the page that the contents lead to. */
export interface Section {
  /** Of its heading; unique in the page. */
  readonly id: string;
  /** As in the contents. */
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
