import { escapeUnsafe } from "../text/quote";

/** Text that is already markup. Only {@link html} creates it, and escapes every other value. */
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

  /** Wraps markup from this project's own files. Never pass text from any other source: it is not escaped. */
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

/**
 * Builds markup from a template literal. Text values are escaped for element content and for attributes in double
 * quotes; `undefined` becomes an empty string.
 */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.of(literals, values);
}

/** Longest text that is shown, in characters. Longer text is cut, and its full length is shown. */
const longestText = 2_000;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Escapes text for HTML. Invisible characters and characters that change the text direction are also shown as numbers,
 * so that they cannot hide or reorder text.
 */
function escapeHtml(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;
  return escapeUnsafe(cut).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
