import type { NameMap } from "../document";

/** Whether two JSON values are the same, whatever the order of keys. However deep: what nobody declared was not checked for depth. */
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

/** What a map has under a name of its own; what it inherits doesn't count. */
export function ownOf<Value>(map: NameMap<Value> | undefined, name: string): Value | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Names of one map or the other, each once. */
export function namesOf(a: object = {}, b: object = {}): readonly string[] {
  const names = Object.keys(a);
  for (const name of Object.keys(b)) if (!Object.hasOwn(a, name)) names.push(name);
  return names;
}

/** What one list has and the other has not, each once, in the list's order. */
export function missingFrom(list: readonly string[], other: readonly string[]): readonly string[] {
  if (list.length === 0) return list;
  const known = new Set(other);
  return [...new Set(list)].filter((item) => !known.has(item));
}
