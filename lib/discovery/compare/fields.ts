import { quote } from "../../quote";
import type { NameMap } from "../document";
import { changeOf, type Report } from "./changes";
import { isSameJson, namesOf, ownOf } from "./json";

/**
 * Reports fields that say nothing about calls, or that nobody declared.
 *
 * @param compared names of the fields that are looked at elsewhere
 * @param subject what the fields belong to @default - each field is its own subject
 */
export function reportOtherFields(
  old: object,
  now: object,
  compared: ReadonlySet<string>,
  subject: string | undefined,
  report: Report,
): void {
  for (const name of namesOf(old, now)) {
    if (compared.has(name)) continue;
    const [before, after] = [ownOf(old as NameMap<unknown>, name), ownOf(now as NameMap<unknown>, name)];
    if (isSameJson(before, after)) continue;
    const happened = before === undefined ? "is new" : after === undefined ? "is gone" : "is different";
    const text = subject === undefined ? happened : `has a field ${quote(name)} that ${happened}`;
    report(changeOf({ kind: "field-changed", class: "noise", subject: subject ?? name, text, before, after }));
  }
}
