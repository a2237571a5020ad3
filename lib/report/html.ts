import { escapeUnsafe } from "../text/quote";

/** Text that is markup already. Nothing but {@link html} makes it, and it escapes whatever else it is given. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  static of(literals: readonly string[], values: readonly HtmlValue[]): Html {
    let markup = literals[0] ?? "";
    values.forEach((value, index) => {
      markup += Html.#render(value) + (literals[index + 1] ?? "");
    });
    return new Html(markup);
  }

  /** Markup of this project's own files; a text from anywhere else must not come here. */
  static own(markup: string): Html {
    return new Html(markup);
  }

  static #render(value: HtmlValue): string {
    if (value instanceof Html) return value.#markup;
    if (typeof value === "string") return escapeHtml(value);
    if (typeof value === "number") return String(value);
    if (value === undefined) return "";
    return value.map(Html.#render).join("");
  }

  toString(): string {
    return this.#markup;
  }
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/** Markup with values in it. Texts are escaped, so that they stay text, in an element as in an attribute in double quotes; `undefined` is nothing. */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.of(literals, values);
}

/** Longest text that is shown; what goes beyond is cut, and its length is told. */
const longestText = 2_000;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that hide, or turn the direction of what follows, are written as numbers too: what is seen is what is there. */
function escapeHtml(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;
  return escapeUnsafe(cut).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
