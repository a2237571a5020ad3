import { type Html, html } from "../html";
import { formatTime } from "../words";

/** Renders a time in a machine-readable element. */
export function time(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${formatTime(at)}</time>`;
}
