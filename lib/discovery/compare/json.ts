import type { NameMap } from "../document";

/**
 * Returns whether two JSON values are equal. The order of keys does not matter. Any depth is allowed, because the depth
 * of undeclared fields was not checked.
 */
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

/** Returns the own property of a map, never an inherited property. */
export function ownOf<Value>(map: NameMap<Value> | undefined, name: string): Value | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Returns the names of both maps, without duplicates. */
export function namesOf(a: object = {}, b: object = {}): readonly string[] {
  const names = Object.keys(a);
  for (const name of Object.keys(b)) if (!Object.hasOwn(a, name)) names.push(name);
  return names;
}

/**
 * Returns the items of the first list that are missing from the other list, without duplicates, in the order of the
 * first list.
 */
export function missingFrom(list: readonly string[], other: readonly string[]): readonly string[] {
  if (list.length === 0) return list;
  const known = new Set(other);
  return [...new Set(list)].filter((item) => !known.has(item));
}
