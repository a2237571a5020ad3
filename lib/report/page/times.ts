import { type Html, html } from "../html";
import { formatTime } from "../words";

/** A time that programs can read too. */
export function time(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${formatTime(at)}</time>`;
}
