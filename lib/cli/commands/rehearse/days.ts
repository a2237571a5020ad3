import { InputError } from "../../../errors";
import type { CourseOptions, MigrationOptions, StackVariant } from "../../../rehearsal";
import { quote } from "../../../text/quote";
import * as load from "../../load";
import type { RehearseOptions } from "./options";

/**
 * Returns the days after the cut-over that the options ask for; undefined without `--days`.
 *
 * @throws InputError `failure-unknown`, `failure-without-days`
 */
export function readDays({ days, failure: name, unrepaired }: RehearseOptions): CourseOptions["days"] {
  if (days === undefined) {
    const given = name === undefined ? (unrepaired ? "--unrepaired" : undefined) : "--failure";
    if (given === undefined) return undefined;
    throw new InputError("failure-without-days", `${given} needs --days, for example --days 100`);
  }
  if (name === undefined) {
    if (unrepaired) throw new InputError("failure-without-days", "--unrepaired needs --failure");
    return { days };
  }
  const { daysFailures } = load.rehearsal();
  const failure = daysFailures.find((each) => each.name === name);
  if (failure === undefined) {
    const known = daysFailures.map((each) => each.name).join(", ");
    throw new InputError("failure-unknown", `--failure ${quote(name)} is unknown; known: ${known}`);
  }
  return { days, failure, repairs: !unrepaired };
}

/** The point of a migration at which the days begin. */
const cutOver: StackVariant = { phase: "serve", traffic: "loadBalancer", rotated: false, reissues: 0 };

/**
 * Refuses a failure that affects no certificate of a migration, because the days would pass as without the failure; and
 * a failure that is to be repaired in a stack without alerts, because only an alert begins the repair.
 *
 * @throws InputError `failure-without-effect`, `failure-without-alert`
 */
export async function refuseIdleFailure(
  days: CourseOptions["days"],
  { synthesize }: Pick<MigrationOptions, "synthesize">,
): Promise<void> {
  if (days?.failure === undefined) return;
  const { daysFailures, hasAlerts, lackedCertificates } = load.rehearsal();
  const stack = await synthesize(cutOver);
  const lacked = lackedCertificates(days.failure.affects, stack);
  if (lacked === undefined) {
    if (!days.repairs || hasAlerts(stack)) return;
    const what = `--failure ${quote(days.failure.name)} would never be repaired: the migration has no alert`;
    throw new InputError("failure-without-alert", `${what}; add 'alerts' to the migration, or give --unrepaired`);
  }
  const others = daysFailures.filter(({ affects }) => lackedCertificates(affects, stack) === undefined);
  const advice =
    others.length === 0 ? "leave --failure out" : `use one of ${others.map(({ name }) => name).join(", ")}`;
  const message = `--failure ${quote(days.failure.name)} would change nothing: the migration has no ${lacked}; ${advice}, or add the certificate`;
  throw new InputError("failure-without-effect", message);
}
