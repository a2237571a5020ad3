import { type Html, html } from "../html";
import type { RehearsalRecord } from "../model";
import { countOf, formatNumber, partOf } from "../words";
import { framed, legend, type Series } from "./plot";
import type { Section } from "./section";
import { table } from "./tables";

const mostFailures = 100;

/** Renders the result of a rehearsal, step by step. */
export function rehearsedSection({ source, result }: RehearsalRecord): Section {
  const {
    steps,
    stopped,
    probes,
    failedHandshakes,
    discarded = 0,
    failures,
    rotation,
    rollback,
    acts = [],
    converged,
    destroyed,
    seed,
  } = result;
  return {
    id: "rehearsal",
    short: "Rehearsal",
    heading: "Rehearsal",
    body: html`<p>${partOf(failedHandshakes, probes, "handshake")} failed (${source}${seed === undefined ? "" : `, seed ${seed}`}).</p>
${discarded === 0 ? undefined : html`<p>${countOf(discarded, "try", "tries")} timed out while the rehearsal itself stood still, as on a busy machine: no verdict on the migration, and made again.</p>`}
${stopped === true ? html`<p>It was stopped before it was over.</p>` : undefined}
<ul>
<li>A domain added to a certificate: ${wordFor(rotation)}</li>
<li>Traffic back and forth: ${wordFor(rollback)}</li>
${acts.map(({ name, ok }) => html`<li>${name}: ${ok ? "ended as it should" : "FAILED"}</li>`)}
${converged === undefined ? undefined : html`<li>A last plan was ${converged ? "" : "not "}empty</li>`}
<li>After destroying the stack ${destroyed ? "nothing" : "something"} was left behind</li>
</ul>
${steps.length === 0 ? html`<p>No step was begun.</p>` : byStep(result)}
${failures.length === 0 ? undefined : failureTable(failures, failedHandshakes)}`,
  };
}

function byStep({ steps }: RehearsalRecord["result"]): Html {
  const series: readonly Series[] = [
    { name: "failed", look: "failed", values: steps.map(({ failedHandshakes }) => failedHandshakes) },
    { name: "good", look: "good", values: steps.map(({ probes, failedHandshakes }) => probes - failedHandshakes) },
  ];
  const spans = steps.map((_, index) => ({ from: index, to: index + 0.8 }));
  return html`<figure>
<figcaption id="rehearsal-plot">Handshakes by step</figcaption>
${legend(series)}
${framed({ labelledBy: "rehearsal-plot", spans, series, scale: "count", names: steps.map(({ number }) => `step ${number}`) })}
</figure>
${table({
  id: "rehearsal-steps",
  caption: "The steps, and the handshakes that were made meanwhile; steps that one apply did share their numbers",
  head: ["step", "ended", "seconds", "handshakes", "failed"],
  rows: steps.map(({ number, name, ok, stopped, seconds, probes, failedHandshakes }) => [
    `${number} ${name}`,
    ok ? "ok" : stopped === true ? "stopped" : "FAILED",
    seconds.toFixed(1),
    formatNumber(probes),
    formatNumber(failedHandshakes),
  ]),
})}`;
}

function failureTable(failures: RehearsalRecord["result"]["failures"], failedHandshakes: number): Html {
  const shown = failures.slice(0, mostFailures);
  const caption =
    shown.length < failedHandshakes ? `The first ${countOf(shown.length, "failed handshake")}` : "Failed handshakes";
  return table({
    id: "rehearsal-failures",
    caption: `${caption}, by the time of the rehearsal's cloud`,
    head: ["time", "hostname", "address", "why"],
    rows: shown.map(({ time, hostname, address, error }) => [time, hostname, address ?? "none", error]),
  });
}

function wordFor(ok: boolean | undefined): string {
  return ok === undefined ? "not rehearsed" : ok ? "no handshake failed" : "FAILED";
}
