import { type Html, html } from "../html";
import type { RemainingStep } from "../remaining";
import type { Standing } from "../standing";
import { countOf, formatNumber } from "../words";
import type { Section } from "./section";

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

function item({ step, name, count, failed, waiting, todo, unknown, examples }: RemainingStep): Html {
  const parts = [
    [failed, "failed"],
    [waiting, "waiting"],
    [todo, "to do"],
    [unknown, "unknown"],
  ] as const;
  const told = parts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => `${formatNumber(amount)} ${word}`)
    .join(", ");
  return html`<li>
<h3>Step ${step}, ${name}: ${countOf(count, "hostname")}</h3>
<p>${told}. <a href="#hostnames" data-stands-at="${step}">Show ${count === 1 ? "it" : "them"} in the matrix</a></p>
<dl>${examples.map(example)}</dl>
${count > examples.length ? html`<p>and ${countOf(count - examples.length, "further hostname")}</p>` : undefined}
</li>
`;
}

function example({ hostname, current }: Standing): Html {
  const reason = current?.reason ?? current?.state ?? "";
  const next = current?.next === undefined ? undefined : html`<span class="next">${current.next}</span>`;
  return html`<div><dt>${hostname}</dt><dd>${reason}${next}</dd></div>`;
}
