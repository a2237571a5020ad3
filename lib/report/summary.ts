import { listFirst } from "../text/words";
import { verifyFindings } from "./findings";
import { type HostnameState, hostnameStatesOf, latestPairs, remainingOf } from "./hostname-states";
import type { RehearsalRecord, ReportData } from "./model";
import { missingShards } from "./shards";
import { countWithSeparators, formatNumber, partOf } from "./words";

export interface ReportVerdict {
  /**
   * `good`: nothing is left and nothing failed. `bad`: something failed. `pending`: something is left, or is not known.
   */
  readonly tone: "good" | "bad" | "pending";
  /** With its period. */
  readonly sentence: string;
}

/**
 * Returns the verdict. Failures come before remaining work, and remaining work before success. Success is reported only
 * for what was actually checked.
 */
export function verdictOf(data: ReportData, hostnameStates: readonly HostnameState[]): ReportVerdict {
  const problems = problemsOf(data, hostnameStates);
  if (problems.length > 0) return { tone: "bad", sentence: `Needs a fix: ${problems.join("; ")}.` };
  const verdict = hasStatus(data) ? byHostnameStates(data, hostnameStates) : byEvidence(data, hostnameStates);
  const missing = [...missingShards(data.verifications ?? []), ...missingShards(data.watches ?? [])];
  if (missing.length === 0) return verdict;
  const parts = countWithSeparators(missing.flatMap(({ shards }) => shards).length, "part");
  return { tone: "pending", sentence: `${verdict.sentence} The results of ${parts} of the hostnames are missing.` };
}

/** Returns whether a status has the eight steps of a hostname. */
export function hasStatus({ statuses = [] }: ReportData): boolean {
  return statuses.some(({ hostnames }) => hostnames.length > 0);
}

function problemsOf(
  { watches = [], doctor, rehearsal, ...data }: ReportData,
  hostnameStates: readonly HostnameState[],
): readonly string[] {
  const failing = hostnameStates.filter(({ steps }) => steps.some(({ state }) => state === "failed"));
  const failed = failing.length;
  const lost = watches.filter(({ failures }) => failures > 0);
  const unseen = watches.filter(({ verdict, failures }) => verdict?.verdict === "failures" && failures === 0);
  const connections = sumOf(watches, ({ failures }) => failures);
  const errors = (doctor?.findings ?? []).filter(({ severity }) => severity === "error").length;
  // If a newer status overrides a failure of `verify`, no step shows that failure.
  const failingNames = new Set(failing.map(({ hostname }) => hostname));
  const notServed = new Set(
    latestPairs(data.verifications ?? []).flatMap(({ ok, hostname }) =>
      ok || failingNames.has(hostname) ? [] : [hostname],
    ),
  );
  const atAddresses = verifyFindings(data).filter(({ severity }) => severity === "error").length;
  return [
    ...(failed > 0
      ? [`${partOf(failed, hostnameStates.length, "hostname")} ${are(failed)} at a step that has failed`]
      : []),
    ...(notServed.size > 0
      ? [
          `verify found ${countWithSeparators(notServed.size, "hostname")} not served as ${notServed.size === 1 ? "it" : "they"} should be`,
        ]
      : []),
    ...(atAddresses > 0 ? [`verify found ${countWithSeparators(atAddresses, "further error")}`] : []),
    ...(lost.length > 0
      ? [
          `${partOf(
            connections,
            sumOf(watches, ({ attempts }) => attempts),
            "connection",
          )} failed while traffic moved`,
        ]
      : []),
    ...(unseen.length > 0 ? ["a watch ended with failures that its log does not show"] : []),
    ...(errors > 0 ? [`doctor found ${countWithSeparators(errors, "error")}`] : []),
    ...(rehearsal === undefined || rehearsal.result.ok ? [] : [rehearsalTrouble(rehearsal.result)]),
  ];
}

function rehearsalTrouble({ failedHandshakes, probes, stopped = false }: RehearsalRecord["result"]): string {
  if (failedHandshakes === 0) {
    return stopped ? "the rehearsal was stopped before it was over" : "the rehearsal did not end as it should";
  }
  return `${partOf(failedHandshakes, probes, "handshake")} failed in the rehearsal`;
}

function byHostnameStates(data: ReportData, hostnameStates: readonly HostnameState[]): ReportVerdict {
  const total = hostnameStates.length;
  const [next] = remainingOf(hostnameStates);
  const evidence = evidenceOf(data);
  if (next === undefined) {
    const through = `${partOf(total, total, "hostname")} ${are(total)} through the eight steps`;
    return { tone: "good", sentence: `Done: ${[through, ...evidence].join("; ")}.` };
  }
  const through = hostnameStates.filter(({ current }) => current === undefined).length;
  const how =
    next.unknown === next.count ? "is not known yet" : next.waiting === next.count ? "is in progress" : "is to do";
  const done = `${partOf(through, total, "hostname")} ${are(total === 1 ? 1 : through)} through the eight steps`;
  const open = `step ${next.step}, ${next.name}, ${how} for ${countWithSeparators(next.count, "hostname")}`;
  return { tone: "pending", sentence: `In progress: ${[done, open, ...evidence].join("; ")}.` };
}

/** Returns a verdict without any status. The total is unknown, so that the verdict names only what was checked. */
function byEvidence(data: ReportData, hostnameStates: readonly HostnameState[]): ReportVerdict {
  const pairs = latestPairs(data.verifications ?? []);
  const hostnames = new Set(pairs.map(({ hostname }) => hostname)).size;
  const served =
    hostnames === 0
      ? []
      : [
          `${partOf(hostnames, hostnames, "hostname")} ${are(hostnames)} served as ${hostnames === 1 ? "it" : "they"} should be`,
        ];
  const open = hostnameStates.filter(({ steps }) => steps[7]?.state === "todo" || steps[7]?.state === "waiting").length;
  const moving = open === 0 ? [] : [`traffic of ${countWithSeparators(open, "hostname")} has not moved whole`];
  const sentences = [...moving, ...served, ...evidenceOf(data)];
  if (sentences.length === 0) {
    const watched = new Set((data.watches ?? []).flatMap((watch) => watch.hostnames.map(({ hostname }) => hostname)))
      .size;
    const why =
      watched === 0
        ? "no input contains a hostname"
        : `no connection was made to the ${countWithSeparators(watched, "hostname")} that ${watched === 1 ? "was" : "were"} watched`;
    return { tone: "pending", sentence: `Nothing is known yet: ${why}.` };
  }
  const isPending = open > 0 || (data.watches ?? []).some(endedBlind);
  return { tone: isPending ? "pending" : "good", sentence: `${capitalized(sentences.join("; "))}.` };
}

/** Returns the evidence that supports the migration. The caller passes only data without failures. */
function evidenceOf({ watches = [], doctor, rehearsal }: ReportData): readonly string[] {
  const attempts = sumOf(watches, (watch) => watch.attempts);
  const killed = watches.some(({ verdict }) => verdict === undefined);
  const blind = watches.filter(endedBlind).length;
  return [
    ...(attempts > 0 ? [`none of ${countWithSeparators(attempts, "connection")} failed while it was watched`] : []),
    ...(killed ? ["a watch has not ended"] : []),
    ...(blind > 0 ? [`${countWithSeparators(blind, "watch", "watches")} ended because no server answered`] : []),
    ...(doctor === undefined
      ? []
      : [`doctor found no error${doctor.stopped === true ? " before it was stopped" : ""}`]),
    ...(rehearsal === undefined
      ? []
      : [`the rehearsal went through with 0 of ${formatNumber(rehearsal.result.probes)} handshakes failed`]),
  ];
}

/** Whether a watch ended without data: it shows nothing about the time after the last answer. */
function endedBlind({ verdict }: NonNullable<ReportData["watches"]>[number]): boolean {
  return verdict?.verdict === "blind";
}

function sumOf<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}

function are(count: number): string {
  return count === 1 ? "is" : "are";
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Returns the verdict of the report; the text is untrusted. */
export function judgeReport(data: ReportData): ReportVerdict {
  return verdictOf(data, hostnameStatesOf(data));
}

/** Returns the verdict of the report in one sentence; the text is untrusted. */
export function summarizeReport(data: ReportData): string {
  return judgeReport(data).sentence;
}

const mostNames = 3;

/** Returns the title of a report: migrations, project and addresses, as far as the inputs contain them. */
export function titleOf({ statuses = [], verifications = [], watches = [], rehearsal }: Partial<ReportData>): string {
  const isRehearsal = statuses.length + verifications.length + watches.length === 0;
  if (isRehearsal && rehearsal !== undefined) return rehearsalTitle(rehearsal);
  const checked = [...verifications, ...watches].flatMap(({ migrations = [] }) => migrations);
  const names = distinct([
    ...statuses.flatMap(({ hostnames }) => hostnames.flatMap(({ migration }) => migration ?? [])),
    ...checked.map(({ name }) => name),
  ]);
  const projects = distinct(checked.flatMap(({ project }) => project ?? []));
  const addresses = distinct([
    ...verifications.flatMap(({ results }) => results.map(({ address }) => address)),
    ...watches.flatMap(({ loadBalancerAddresses = [] }) => loadBalancerAddresses),
  ]);
  const of = names.length === 0 ? "" : ` of ${listed(names)}`;
  const within = projects.length === 0 ? "" : ` in ${listed(projects)}`;
  return `Certificate migration${of}${within}${addresses.length === 0 ? "" : ` at ${listed(addresses)}`}`;
}

function rehearsalTitle({ result: { rehearsed, timeline } }: RehearsalRecord): string {
  const migrations = rehearsed?.input.migrations ?? [];
  const names = distinct(migrations.map(({ name }) => name));
  const projects = distinct(migrations.flatMap(({ project }) => project ?? []));
  const { previous = [], loadBalancer = [] } = timeline?.addresses ?? {};
  const of = names.length === 0 ? "a certificate migration" : listed(names);
  const within = projects.length === 0 ? "" : ` in ${listed(projects)}`;
  const moved =
    previous.length === 0 || loadBalancer.length === 0 ? "" : `: ${listed(previous)} to ${listed(loadBalancer)}`;
  return `Rehearsal of ${of}${within}${moved}`;
}

function listed(names: readonly string[]): string {
  return listFirst(names, mostNames);
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
