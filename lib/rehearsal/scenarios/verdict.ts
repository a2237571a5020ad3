import type { LoggedRequest } from "../../cloud";
import type { Probe } from "../prober";
import type { RehearsalResult } from "../rehearsal";
import type { Scenario } from "./scenario";

/** What was seen of a rehearsal, beside its result. */
export interface Evidence {
  /** What the operator was told, line by line. */
  readonly said: readonly string[];
  /** What the cloud was asked, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Each fault, and how often it struck. */
  readonly struck: readonly { readonly list: string; readonly fault: object; readonly count: number }[];
}

/** What a result lacks of what a scenario expects. */
export function problemsOf(
  { kills = [], expect, proof }: Scenario,
  result: RehearsalResult,
  { said, requests, struck }: Evidence,
): readonly string[] {
  const missed = struck.filter(({ count }) => count === 0).length;
  const { failedHandshakes, probes, left } = result;
  const shown = proof === undefined ? 0 : requests.filter(proof.shows).length;
  const failedAct = result.acts.find(({ ok }) => !ok)?.name;
  const untold = (expect.told ?? []).filter((part) => !said.some((line) => line.includes(part)));
  const { destroyed = true, converges = true } = expect;
  return [
    ...(missed > 0 ? [`${missed} of ${struck.length} faults never struck`] : []),
    ...(result.kills < kills.length ? [`killed ${result.kills} times, not ${kills.length}`] : []),
    ...(proof !== undefined && shown < (proof.atLeast ?? 1) ? [`the log shows ${shown} requests: ${proof.what}`] : []),
    ...(expect.failedHandshakes === "none" && failedHandshakes > 0
      ? [`${failedHandshakes} of ${probes} handshakes failed`, ...result.failures.slice(0, 3).map(describeProbe)]
      : []),
    ...(expect.failedHandshakes === "some" && failedHandshakes === 0
      ? ["no handshake failed, and some had to: the measurement is wrong"]
      : []),
    ...untold.map((part) => `nobody was told: ${part}`),
    ...(expect.completes && !result.completed && failedHandshakes === 0 ? ["the migration did not complete"] : []),
    ...(failedAct === undefined || !expect.completes ? [] : [`did not end as it should: ${failedAct}`]),
    ...(!expect.completes && result.completed ? ["the migration completed, and should not have"] : []),
    ...(converges && !result.converged ? ["a last plan is not empty"] : []),
    ...(!converges && result.converged ? ["a last plan is empty, and should not be"] : []),
    ...(destroyed && !result.destroyed ? [`a destroy left ${left.length === 0 ? "its state" : left.join(", ")}`] : []),
    ...(!destroyed && result.destroyed ? ["a destroy went through, and should not have"] : []),
  ];
}

/** What the cloud's log shows of what a scenario is about, one line for each fault, kill and proof. */
export function proofOf({ proof }: Pick<Scenario, "proof">, { said, requests, struck }: Evidence): readonly string[] {
  return [
    ...struck.map(({ list, fault, count }) => `${list} ${describe(fault)}: ${count}`),
    ...said.filter((line) => line.startsWith("killed ")),
    ...(proof === undefined ? [] : [`${proof.what}: ${requests.filter(proof.shows).length}`]),
  ];
}

function describeProbe({ time, hostname, address = "no address", error = "" }: Probe): string {
  return `${time} ${hostname} at ${address}: ${error}`;
}

/** A fault without how often it may strike. */
function describe(fault: object): string {
  const { times: _, probability: __, ...what } = fault as Readonly<Record<string, unknown>>;
  return Object.entries(what)
    .map(([name, value]) =>
      name === "method" || name === "name" || name === "domain" ? value : `${name} ${JSON.stringify(value)}`,
    )
    .join(" ");
}
