import { quote } from "../../text/quote";
import type { NameMap, SchemaDocument } from "../document";
import { changeOf, type Report } from "./changes";
import { isNoise, type Say } from "./differences";
import { isSameJson, namesOf, ownOf } from "./json";

/**
 * Reports the differences of fields that do not affect calls, and of undeclared fields.
 *
 * @param compared names of the fields that are compared elsewhere
 * @param subject owner of the fields
 *
 * @default - each field is its own subject
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
    const happened = before === undefined ? "is new" : after === undefined ? "was removed" : "is different";
    const text = subject === undefined ? happened : `has a field ${quote(name)} that ${happened}`;
    report(changeOf({ kind: "field-changed", class: "noise", subject: subject ?? name, text, before, after }));
  }
}

const schemaFields: ReadonlySet<string> = new Set(
  (
    "id type $ref description default required deprecated format pattern minimum maximum enum enumDescriptions enumDeprecated repeated location " +
    "properties additionalProperties items annotations readOnly"
  ).split(" "),
);

/**
 * Reports the differences of undeclared fields of a schema. This function runs for every schema, so it builds no list
 * of names first.
 */
export function compareUndeclaredFields(old: SchemaDocument, now: SchemaDocument, say: Say): void {
  for (const from of [old, now]) {
    for (const name in from) {
      if (schemaFields.has(name) || (from === now && Object.hasOwn(old, name))) continue;
      const [before, after] = [ownOf(old as NameMap<unknown>, name), ownOf(now as NameMap<unknown>, name)];
      if (isSameJson(before, after)) continue;
      const text = `has another value of the field ${quote(name)}`;
      say({ kind: "field-changed", effect: isNoise, text, before, after });
    }
  }
}
