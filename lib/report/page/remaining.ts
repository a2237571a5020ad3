import { type Html, html } from "../html";
import type { RemainingCause, RemainingStep } from "../remaining";
import type { Standing } from "../standing";
import { countOf, formatNumber } from "../words";
import type { Section } from "./section";
import { stateWords } from "./states";

export function remainingSection(steps: readonly RemainingStep[], standings: readonly Standing[]): Section | undefined {
  if (standings.length === 0) return undefined;
  const list =
    steps.length === 0
      ? html`<p>Nothing: ${standings.length === 1 ? "the hostname is" : "all hostnames are"} through the eight steps.</p>`
      : html`<ul class="remaining">${steps.map(item)}</ul>`;
  return {
    id: "remaining",
    short: "What remains",
    heading: "What remains",
    body: html`${list}`,
  };
}

function item({ step, name, count, failed, waiting, todo, unknown, causes }: RemainingStep): Html {
  const parts = [
    [failed, "failed"],
    [waiting, "waiting"],
    [todo, "to do"],
    [unknown, "unknown"],
  ] as const;
  const phrases = parts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => `${formatNumber(amount)} ${word}`)
    .join(", ");
  return html`<li>
<h3>Step ${step}, ${name}: ${countOf(count, "hostname")}</h3>
<p>${phrases}. <a href="#hostnames" data-stands-at="${step}">Show ${count === 1 ? "it" : "them"} in the matrix</a></p>
<dl>${causes.map(cause)}</dl>
</li>
`;
}

/** Renders a cause with its next action. The matrix lists the hostnames. */
function cause({ count, state, example: { hostname, current } }: RemainingCause): Html {
  const reason = current?.reason ?? current?.code ?? stateWords[state];
  const next = current?.next === undefined ? undefined : nextAction(current.next);
  const of = count === 1 ? hostname : `${countOf(count, "hostname")}, for example ${hostname}`;
  return html`<div><dt>${of}</dt><dd>${reason}${next}</dd></div>`;
}

/** Renders a next action; a command gets a copy button. */
function nextAction(next: string): Html {
  const isCommand = /^(?:cert-migration|terraform|gcloud) [^;]*$/.test(next);
  return isCommand ? html`<code class="command next">${next}</code>` : html`<span class="next">${next}</span>`;
}
