import { severityRanks } from "../findings/codes";
import { certificateDangers, issuanceDangers, validityDangers } from "./certificate-rules";
import { clientDangers } from "./client-rules";
import { danger, listed, type PlanDanger } from "./dangers";
import { delegationDangers } from "./delegation-rules";
import { deposedDangers } from "./deposed-rules";
import { type HostnameEffect, hostnameEffects } from "./effects";
import type { PlanCompleteness, TerraformPlan } from "./plan-json";
import { caaDangers, httpsDangers, overwriteDangers, responsePolicyDangers, unplacedDangers } from "./record-rules";
import { collisionDangers, deletionDangers, scopeDangers, stateDangers } from "./refused-rules";
import { detachmentDangers, type KnownOutsidePlan, retirementDangers } from "./retirement-rules";
import { ServedNames, Zones } from "./served-names";
import { alertDangers, serviceDangers } from "./service-rules";
import { primaryDangers, servingDangers } from "./serving-rules";
import { sslPolicyDangers } from "./ssl-policy-rules";
import { trafficDangers } from "./traffic-rules";
import { uploadDangers } from "./upload-rules";
import { World } from "./world";

/** The effects of a plan on live traffic. */
export interface PlanVerdict {
  /** Whether no danger is an error. */
  readonly ok: boolean;
  /** Errors first, then warnings, each sorted by address. */
  readonly dangers: readonly PlanDanger[];
  /** What changes for clients of each hostname, sorted by hostname. */
  readonly effects: readonly HostnameEffect[];
}

/**
 * Checks the effect of a plan on certificates, DNS authorizations, maps, proxies and address records, for any stack.
 * A plan does not contain what a command of a gate waits for: the check assumes that a command before a change waits
 * for everything that the change needs. A plan does not contain the content or the time of a condition either: the
 * check reports a warning.
 *
 * @param now time at which uploaded certificates must be valid. @default - the dates are not checked
 * @param known data that the plan does not contain. @default - none
 */
export function checkPlan(plan: TerraformPlan, now?: Date, known: KnownOutsidePlan = {}): PlanVerdict {
  const { migrations = [] } = known;
  const world = new World(plan, migrations);
  const records = { world, names: new ServedNames(world), zones: new Zones(world) };
  const found = [
    ...planDangersOf(plan.completeness),
    ...servingDangers(world),
    ...primaryDangers(world),
    ...detachmentDangers(world),
    ...retirementDangers(world, known),
    ...clientDangers(world),
    ...certificateDangers(world),
    ...issuanceDangers(world),
    ...scopeDangers(world),
    ...caaDangers(world),
    ...trafficDangers(records),
    ...delegationDangers(records),
    ...httpsDangers(records),
    ...responsePolicyDangers(records),
    ...unplacedDangers(records),
    ...deposedDangers(records),
    ...stateDangers(world, migrations),
    ...overwriteDangers(world),
    ...uploadDangers(world),
    ...sslPolicyDangers(world),
    ...serviceDangers(world),
    ...deletionDangers(world),
    ...alertDangers(world),
    ...collisionDangers(world),
    ...(now === undefined ? [] : validityDangers(world, now)),
  ];
  const rank = ({ severity, subject, code }: PlanDanger) => `${severityRanks[severity]} ${subject} ${code}`;
  const dangers = found.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  const ok = dangers.every(({ severity }) => severity !== "error");
  return { ok, dangers, effects: hostnameEffects(world, records.names) };
}

/** Checks whether the plan is complete. */
function planDangersOf({ errored, strange, complete, deferred }: PlanCompleteness): readonly PlanDanger[] {
  const found = strange.map(({ address, words }) => {
    return danger("plan-unknown-action", address, `'${words}' is not an action that this version knows`);
  });
  if (errored)
    return [...found, danger("plan-incomplete", "", "Terraform stopped with an error before the end of the plan")];
  if (deferred.length > 0) {
    const message = `Terraform defers ${listed(deferred)} to a later plan`;
    return [...found, danger("plan-partial", "", message)];
  }
  if (complete) return found;
  return [...found, danger("plan-partial", "", "the plan contains only a part of the configuration, as with -target")];
}
