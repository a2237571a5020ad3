import { quote } from "../../text/quote";
import type { NameMap, SchemaDocument } from "../document";
import { ownOf } from "../own-of";
import { changeOf, isNoise, type ReportChange, type Say } from "./changes";

/**
 * Reports the differences of fields that do not affect calls, and of undeclared fields.
 *
 * @param compared names of fields that are compared elsewhere
 * @param subject owner of the fields; undefined: each field is its own subject
 */
export function reportOtherFields(
  old: object,
  now: object,
  compared: ReadonlySet<string>,
  subject: string | undefined,
  report: ReportChange,
): void {
  for (const name of namesOfBoth(old, now)) {
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

/** Reports differences of undeclared fields. It runs for every schema, so it builds no list of names first. */
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

/** Compares JSON values without recursion: the depth of undeclared fields was not checked. */
export function isSameJson(left: unknown, right: unknown): boolean {
  const waiting: (readonly [unknown, unknown])[] = [[left, right]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [a, b] = next;
    if (Object.is(a, b)) continue;
    if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      waiting.push([a[key], b[key]]);
    }
  }
  return true;
}

function isContainer(value: unknown): value is NameMap<unknown> {
  return typeof value === "object" && value !== null;
}

export function namesOfBoth(a: object = {}, b: object = {}): readonly string[] {
  const names = Object.keys(a);
  for (const name of Object.keys(b)) if (!Object.hasOwn(a, name)) names.push(name);
  return names;
}

/** Returns the distinct items of the first list that are missing from the other list. */
export function missingFrom(list: readonly string[], others: readonly string[]): readonly string[] {
  if (list.length === 0) return list;
  const known = new Set(others);
  return [...new Set(list)].filter((item) => !known.has(item));
}
