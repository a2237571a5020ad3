import { InputError } from "../../../errors";
import type { CourseOptions } from "../../../rehearsal";
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
