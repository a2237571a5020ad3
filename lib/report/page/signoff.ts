import { groupBy } from "../../json/group-by";
import { type Html, html } from "../html";
import type { RehearsalRecord, RehearsalTimeline, Rehearsed, RehearsedCertificate } from "../model";
import { type PartRow, partRows, partStateLabel } from "../part-rows";
import { countWithSeparators, formatHostname, formatNumber, formatSpan, formatTime, partOf } from "../words";
import { type Section, table } from "./elements";

type Result = RehearsalRecord["result"];

const mostHostnames = 12;
const mostKinds = 10;

export function subjectSection(rehearsed: Rehearsed, { timeline, ...result }: Result): Section {
  const { input, hostnames, addedHostname, versions, provider, speed, faults, evidence, startedAt, endedAt } =
    rehearsed;
  const projects = [...new Set(input.migrations.flatMap(({ project }) => project ?? []))];
  const certificates = input.migrations.reduce((sum, migration) => sum + migration.certificates.length, 0);
  const { seed, kills = 0, imports = 0, faultCounts = [] } = result;
  const kit = Object.entries(versions.kit).map(([name, version]) => `${name} ${version}`);
  const addresses = timeline?.addresses;
  const rows: readonly (readonly [string, Html | string | undefined])[] = [
    [
      "Migration",
      `${input.migrations.map(({ name }) => name).join(", ")}, ${countWithSeparators(certificates, "certificate")}`,
    ],
    ["Project", projects.length === 0 ? "not in the input" : projects.join(", ")],
    ["Hostnames", namesOf(hostnames)],
    ["Added by the rotation", addedHostname === undefined ? undefined : formatHostname(addedHostname)],
    ["Addresses", addresses === undefined ? undefined : addressesOf(addresses)],
    ["Input", html`${inputWords[input.kind]} <code>${input.name}</code>`],
    ["SHA-256 of the input", html`<code>${input.sha256}</code>`],
    [
      "Versions",
      [
        `cdktf-google-cert-migration ${versions.package}`,
        `${versions.terraform.program} ${versions.terraform.version}`,
        ...kit,
        `Node.js ${versions.node}`,
      ].join(", "),
    ],
    ["Google provider", providerText(provider, versions.provider)],
    ["Faults", faultsText(faults, seed, { faultCounts, kills })],
    [
      productOf(rehearsed),
      `killed ${countWithSeparators(kills, "time")}, ${countWithSeparators(imports, "resource")} imported`,
    ],
    [
      "Time",
      `${formatTime(new Date(startedAt))}, ${spanBetween(startedAt, endedAt)} at ${speed} times the speed of a clock`,
    ],
    [
      "Evidence",
      evidence === undefined
        ? "not kept; rehearse with --evidence to keep it"
        : html`<code>${evidence.folder}</code>, SHA-256 of its manifest <code>${evidence.manifestSha256}</code>`,
    ],
  ];
  return {
    id: "subject",
    heading: "What was rehearsed",
    body: html`<dl class="facts">${rows.map(([name, value]) => (value === undefined ? undefined : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}</dl>
${
  evidence === undefined
    ? undefined
    : html`<p>To check the evidence, run:</p><pre>npx cert-migration rehearse --check-evidence ${evidence.folder} --manifest ${evidence.manifestSha256}</pre>`
}`,
  };
}

const inputWords: Readonly<Record<Rehearsed["input"]["kind"], string>> = {
  spec: "spec",
  certificates: "spec generated from the certificates in",
  stack: "synthesized stack",
  app: "app",
  "terraform-dir": "Terraform configuration in",
};

/** First label of the hostname that a rehearsal uses for a wildcard. */
const wildcardLabel = "covered-by-wildcard.";

function namesOf(hostnames: readonly string[]): Html {
  const more = hostnames.length - mostHostnames;
  const shown = hostnames
    .slice(0, mostHostnames)
    .map((name) =>
      name.startsWith(wildcardLabel) ? `*.${name.slice(wildcardLabel.length)} (as ${name})` : formatHostname(name),
    )
    .map((name, index) => html`${index === 0 ? "" : ", "}${name}`);
  return html`${formatNumber(hostnames.length)}: ${shown}${more > 0 ? html` and ${formatNumber(more)} more, listed below` : undefined}`;
}

function addressesOf({ previous, loadBalancer }: RehearsalTimeline["addresses"]): string {
  const listed = (addresses: readonly string[]) => (addresses.length === 0 ? "none" : addresses.join(", "));
  return `previous provider ${listed(previous)}; load balancer ${listed(loadBalancer)}`;
}

function providerText(provider: Rehearsed["provider"], version: string | undefined): string {
  const versionText = version === undefined ? "" : ` ${version}`;
  if (provider === "real") return `the real provider hashicorp/google${versionText}`;
  return `a stand-in with the schema of hashicorp/google${versionText}; the real provider was not used`;
}

function faultsText(
  faults: Rehearsed["faults"],
  seed: number | undefined,
  { faultCounts, kills }: Required<Pick<Result, "faultCounts" | "kills">>,
): string {
  // A killed apply is a fault, too, but not one of the services.
  const total = faultCounts.reduce((sum, { count }) => sum + count, kills);
  const ofSeed = seed === undefined ? "" : `, seed ${seed}`;
  if (faults === undefined) return `none injected${ofSeed}`;
  const digest = faults.sha256 === undefined ? "" : ` (SHA-256 ${faults.sha256})`;
  return `${faults.name}${digest}, took effect ${countWithSeparators(total, "time")}${ofSeed}`;
}

function spanBetween(from: string, until: string): string {
  return formatSpan(Math.max(0, Date.parse(until) - Date.parse(from)));
}

export function certificatesSection({ certificates }: RehearsalTimeline): Section {
  const rows = (["previous", "loadBalancer"] as const).flatMap((side) => {
    const when = side === "previous" ? "before" : "after";
    const kinds = kindsOf(certificates.filter((certificate) => certificate.side === side));
    const shown = kinds
      .slice(0, mostKinds)
      .map(({ all, key: [issuer, keyType, expiry] }) => [
        when,
        issuer,
        html`<span class="whole">${keyType}</span>`,
        html`<span class="whole">${expiry}</span>`,
        formatNumber(all.length),
        namesIn(all),
      ]);
    const more = kinds.length - mostKinds;
    return more > 0 ? [...shown, [when, countWithSeparators(more, "more kind")]] : shown;
  });
  return {
    id: "certificates",
    short: "Certificates",
    heading: "Certificates before and after",
    body: html`<p>The rehearsal has its own certificate authorities. The certificates after the migration have its names and key types; issuers, expiry and fingerprints differ from the certificates that Google issues. The certificates before it stand for those of the previous provider: their issuers, key types and expiry are not the real ones. <code>cert-migration inventory</code> shows the real ones.</p>
${table({
  id: "certificates-table",
  caption: "Certificates that servers of the rehearsal presented",
  head: ["when", "issuer", "key type", "expires", "certificates", "names"],
  rows,
})}`,
  };
}

/** Returns the certificates that have the same issuer, key type and expiry, together. */
function kindsOf(certificates: readonly RehearsedCertificate[]) {
  const keyOf = ({ issuer, keyType, notAfter }: RehearsedCertificate) =>
    [issuer, keyType, notAfter.slice(0, 10)] as const;
  const kinds = groupBy(certificates, (certificate) => JSON.stringify(keyOf(certificate)));
  return [...kinds.values()].flatMap((all) => all.slice(0, 1).map((first) => ({ all, key: keyOf(first) })));
}

const mostNames = 6;

function namesIn(certificates: readonly RehearsedCertificate[]): string {
  const names = [...new Set(certificates.flatMap((certificate) => certificate.names))];
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).map(formatHostname).join(", ")}${more > 0 ? ` and ${formatNumber(more)} more` : ""}`;
}

/** Returns the name of the program that the rehearsal ran. */
function productOf(rehearsed: Rehearsed | undefined): string {
  return /tofu/i.test(rehearsed?.versions.terraform.program ?? "") ? "OpenTofu" : "Terraform";
}

export function happenedSection(result: Result): Section {
  const {
    probes,
    failedHandshakes,
    discarded = 0,
    clients,
    rehearsed,
    stopped,
    rotation,
    rollback,
    acts = [],
    converged,
    destroyed,
    kills = 0,
    imports = 0,
  } = result;
  const facts = [
    `${partOf(failedHandshakes, probes, "handshake")} failed.`,
    ...(clients === undefined ? [] : clientFacts(clients)),
    ...(kills === 0
      ? []
      : [
          `${productOf(rehearsed)} was killed ${countWithSeparators(kills, "time")}; ${countWithSeparators(imports, "resource")} had to be imported afterwards.`,
        ]),
    ...(discarded === 0
      ? []
      : [
          `${countWithSeparators(discarded, "handshake")} timed out while the rehearsal's own process did not run; each was repeated.`,
        ]),
    ...(stopped === true ? ["The rehearsal was stopped before its end."] : []),
    `A domain was added to a certificate (rotation): ${wordFor(rotation)}.`,
    `Traffic was moved back and forth (rollback): ${wordFor(rollback)}.`,
    ...acts.map(({ name, ok }) => `${name}: ${ok ? "succeeded" : "FAILED"}.`),
    ...(converged === undefined ? [] : [`A last plan was ${converged ? "" : "NOT "}empty.`]),
    `After the stack was destroyed, ${destroyed ? "nothing" : "SOMETHING"} was left.`,
  ];
  return {
    id: "happened",
    heading: "What happened",
    body: html`<ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
${result.steps.length === 0 ? html`<p>No step was started.</p>` : partsTable(result)}`,
  };
}

function partsTable(result: Result): Html {
  const { rehearsed, probes, failedHandshakes } = result;
  const seconds =
    rehearsed === undefined ? Number.NaN : (Date.parse(rehearsed.endedAt) - Date.parse(rehearsed.startedAt)) / 1_000;
  const total = { seconds, handshakes: probes, failed: failedHandshakes };
  const cellsOf = (counts: PartRow["counts"]) => [
    counts === undefined || Number.isNaN(counts.seconds) ? "-" : counts.seconds.toFixed(1),
    counts === undefined ? "-" : formatNumber(counts.handshakes),
    counts === undefined ? "-" : formatNumber(counts.failed),
  ];
  return table({
    id: "rehearsal-parts",
    caption: "Parts of the rehearsal and their handshakes; the steps of an apply are one part",
    head: ["part", "result", "seconds", "handshakes", "failed"],
    rows: [
      ...partRows(result, seconds).map(({ steps, state, counts, what }) => [
        steps === "" ? what : `${steps}: ${what}`,
        partStateLabel(state),
        ...cellsOf(counts),
      ]),
      ["total", undefined, ...cellsOf(total)],
    ],
  });
}

function clientFacts({ refusesOthers, withCertificate, withoutCertificate }: NonNullable<Result["clients"]>) {
  const { probes, failed, refused } = withoutCertificate;
  const others = refusesOthers
    ? `${partOf(refused, probes, "handshake")} had to be refused, and were refused`
    : `${partOf(failed, probes, "handshake")} failed`;
  return [
    `Clients with a certificate: ${partOf(withCertificate.failed, withCertificate.probes, "handshake")} failed.`,
    `Clients without a certificate: ${others}.`,
  ];
}

function wordFor(ok: boolean | undefined): string {
  return ok === undefined ? "not rehearsed" : ok ? "no handshake failed" : "FAILED";
}

/** Renders the limits of a rehearsal, so that a sign-off covers only what was tested. */
export function limitsSection({ provider, faults }: Rehearsed, { rotation, rollback, days, stopped }: Result): Section {
  const limits = [
    "How long Google takes to issue certificates and to update its front ends, and Google's quotas.",
    "Your DNS zones, CAA records, permissions and quotas: 'cert-migration doctor' checks them.",
    "The certificates, backends and clients of the real hostnames: 'cert-migration verify' checks every hostname before traffic moves.",
    ...(provider === "real"
      ? []
      : ["The real google provider: a stand-in replaced it. Use --provider real to rehearse with it."]),
    ...(faults === undefined
      ? ["Faults: none were injected. Use --faults to rehearse with killed applies and failing services."]
      : []),
    ...(rotation === undefined ? ["A rotation of certificates."] : []),
    ...(rollback === undefined ? ["A rollback of traffic."] : []),
    ...(days === undefined ? ["The time after the cut-over: renewals and alerts. Use --days to rehearse it."] : []),
    ...(stopped === true ? ["Everything after the interruption."] : []),
  ];
  return {
    id: "limits",
    short: "Not shown",
    heading: "What this rehearsal does not show",
    body: html`<ul>${limits.map((limit) => html`<li>${limit}</li>`)}</ul>`,
  };
}
