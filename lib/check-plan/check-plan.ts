import { severityRanks } from "../findings/codes";
import { caaDangers } from "./caa-rules";
import { certificateDangers } from "./certificate-rules";
import { clientDangers } from "./client-rules";
import { collisionDangers } from "./collision-rules";
import { danger, listed, type PlanDanger } from "./dangers";
import { deletionDangers } from "./deletion-rules";
import { detachmentDangers } from "./detachment-rules";
import { issuanceDangers } from "./issuance-rules";
import { overwriteDangers } from "./overwrite-rules";
import type { TerraformPlan } from "./plan-json";
import { type KnownOutsidePlan, retirementDangers } from "./retirement-rules";
import { scopeDangers } from "./scope-rules";
import { servingDangers } from "./serving-rules";
import { trafficDangers } from "./traffic-rules";
import { validityDangers } from "./validity-rules";
import { World } from "./world";

/** What a plan would do to those who are served. */
export interface PlanVerdict {
  /** Whether nothing is refused; warnings may be there. */
  readonly ok: boolean;
  /** Errors first, then warnings; each sorted by address. */
  readonly dangers: readonly PlanDanger[];
}

/**
 * Checks the effect of a plan on certificates, DNS authorizations, maps, proxies and address records, for any stack.
 * A plan does not contain what a command of a gate waits for: the check assumes that a command before a change waits for
 * everything that the change needs. A plan does not contain the content or the time of a condition either: the check
 * reports a warning.
 *
 * @param now at which uploaded certificates have to be valid. @default - the dates are not checked
 * @param known what other sources than the plan show. @default - nothing
 */
export function checkPlan(plan: TerraformPlan, now?: Date, known: KnownOutsidePlan = {}): PlanVerdict {
  const { migrations = [] } = known;
  const world = new World(plan, migrations);
  const found = [
    ...planDangersOf(plan),
    ...servingDangers(world),
    ...detachmentDangers(world),
    ...retirementDangers(world, known),
    ...clientDangers(world),
    ...certificateDangers(world),
    ...issuanceDangers(world),
    ...scopeDangers(world),
    ...caaDangers(world),
    ...trafficDangers(world),
    ...overwriteDangers(world),
    ...deletionDangers(world),
    ...collisionDangers(world),
    ...(now === undefined ? [] : validityDangers(world, now)),
  ];
  const rank = ({ severity, subject, code }: PlanDanger) => `${severityRanks[severity]} ${subject} ${code}`;
  const dangers = found.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  return { ok: dangers.every(({ severity }) => severity !== "error"), dangers };
}

/** What is said of the plan itself. */
function planDangersOf({ errored, strange, complete, deferred }: TerraformPlan): readonly PlanDanger[] {
  const found = strange.map(({ address, words }) => {
    return danger("plan-unknown-action", address, `what '${words}' does is not known`);
  });
  if (errored) return [...found, danger("plan-incomplete", "", "Terraform could not plan to the end")];
  if (deferred.length > 0) {
    const message = `Terraform puts off ${listed(deferred)} to a later plan`;
    return [...found, danger("plan-partial", "", message)];
  }
  if (complete) return found;
  return [...found, danger("plan-partial", "", "what the configuration asks for is planned in part only")];
}
