import { InputError } from "../../../errors";
import type { CourseOptions } from "../../../rehearsal";
import { quote } from "../../../text/quote";
import * as load from "../../load";
import type { RehearseOptions } from "./options";

/**
 * Returns the days after the cut-over that the options ask for; undefined without `--days`.
 *
 * @throws InputError `trouble-unknown`, `trouble-without-days`
 */
export function readDays({ days, trouble: name, unrepaired }: RehearseOptions): CourseOptions["days"] {
  if (days === undefined) {
    const given = name === undefined ? (unrepaired ? "--unrepaired" : undefined) : "--trouble";
    if (given === undefined) return undefined;
    throw new InputError("trouble-without-days", `${given} needs --days, for example --days 100`);
  }
  if (name === undefined) {
    if (unrepaired) throw new InputError("trouble-without-days", "--unrepaired needs --trouble");
    return { days };
  }
  const { daysTroubles } = load.rehearsal();
  const trouble = daysTroubles.find((each) => each.name === name);
  if (trouble === undefined) {
    const known = daysTroubles.map((each) => each.name).join(", ");
    throw new InputError("trouble-unknown", `--trouble ${quote(name)} is unknown; known: ${known}`);
  }
  return { days, trouble, repairs: !unrepaired };
}
