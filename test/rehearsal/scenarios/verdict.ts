import type { Probe } from "../../../lib/rehearsal/probe";
import type { RehearsalResult } from "../../../lib/rehearsal/rehearsal";
import type { Scenario } from "./scenario";
import { type Evidence, evidenceUntil, type Proof } from "./seen";
import { killedAt } from "./shown";

/** Returns the expectations of a scenario that a result does not meet. */
export function problemsOf(
  { kills = [], expect, proofs = [] }: Scenario,
  result: RehearsalResult,
  evidence: Evidence,
): readonly string[] {
  const { said, faultCounts } = evidence;
  const ofMigration = evidenceUntil(evidence, result.partsEndedAt);
  const missed = faultCounts.filter(({ count }) => count === 0).length;
  const { failedHandshakes, probes, left } = result;
  const failedAct = result.acts.find(({ ok }) => !ok)?.name;
  const missing = (expect.messages ?? []).filter((part) => !said.some((line) => line.includes(part)));
  const { destroyed = true, converges = true } = expect;
  return [
    ...(missed > 0 ? [`${missed} of ${faultCounts.length} faults never took effect`] : []),
    ...(result.kills < kills.length ? [`killed ${result.kills} times, not ${kills.length}`] : []),
    ...killProofs(kills).flatMap((proof) => lackOf(proof, evidence)),
    ...proofs.flatMap((proof) => lackOf(proof, ofMigration)),
    ...(expect.failedHandshakes === "none" && failedHandshakes > 0
      ? [`${failedHandshakes} of ${probes} handshakes failed`, ...result.failures.slice(0, 3).map(describeProbe)]
      : []),
    ...(expect.failedHandshakes === "some" && failedHandshakes === 0
      ? ["no handshake failed, and some had to: the measurement is wrong"]
      : []),
    ...missing.map((part) => `no message contains: ${part}`),
    ...(expect.completes && !result.completed && failedHandshakes === 0 ? ["the migration did not complete"] : []),
    ...(failedAct === undefined || !expect.completes ? [] : [`did not end as it should: ${failedAct}`]),
    ...(!expect.completes && result.completed ? ["the migration completed, and should not have"] : []),
    ...(converges && !result.converged ? ["a last plan is not empty"] : []),
    ...(!converges && result.converged ? ["a last plan is empty, and should not be"] : []),
    ...(destroyed && !result.destroyed ? [`a destroy left ${left.length === 0 ? "its state" : left.join(", ")}`] : []),
    ...(!destroyed && result.destroyed ? ["a destroy went through, and should not have"] : []),
  ];
}

/** Returns the evidence of a scenario, one line for each fault, kill and required event. */
export function proofOf(
  { kills = [], proofs = [] }: Pick<Scenario, "kills" | "proofs">,
  evidence: Evidence,
  partsEndedAt: string,
): readonly string[] {
  const ofMigration = evidenceUntil(evidence, partsEndedAt);
  return [
    ...evidence.faultCounts.map(({ list, fault, count }) => `${list} ${describe(fault)}: ${count}`),
    ...killProofs(kills).map(({ what, count }) => `${what}: ${count(evidence)}`),
    ...proofs.map(({ what, count }) => `${what}: ${count(ofMigration)}`),
  ];
}

/** Returns the evidence that each kill requires; a kill during the last destroy counts, too. */
function killProofs(kills: readonly string[]): readonly Proof[] {
  return [...new Set(kills)].map((method) => ({
    ...killedAt(method),
    atLeast: kills.filter((each) => each === method).length,
  }));
}

function lackOf(
  { what, count, atMost, atLeast = atMost === undefined ? 1 : 0 }: Proof,
  evidence: Evidence,
): readonly string[] {
  const found = count(evidence);
  if (found < atLeast) return [`not proven: ${found} ${what}, and not ${atLeast}`];
  return atMost !== undefined && found > atMost ? [`disproven: ${found} ${what}, and not ${atMost}`] : [];
}

function describeProbe({ time, hostname, address = "no address", error = "" }: Probe): string {
  return `${time} ${hostname} at ${address}: ${error}`;
}

/** Describes a fault without its maximum number of times. */
function describe(fault: object): string {
  const { times: _, probability: __, ...what } = fault as Readonly<Record<string, unknown>>;
  return Object.entries(what)
    .map(([name, value]) =>
      name === "method" || name === "name" || name === "domain" ? value : `${name} ${JSON.stringify(value)}`,
    )
    .join(" ");
}
