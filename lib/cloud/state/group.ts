import type { Collection } from "./store";

/**
 * Returns a function that finds the values of a collection by group, without a scan of all values. The groups are
 * updated with the collection.
 *
 * @param groupsOf returns the groups of a value
 * @returns a function that returns the values of a group, in the order in which they joined it
 */
export function groupBy<Value>(
  collection: Collection<Value>,
  groupsOf: (value: Value, key: string) => readonly string[],
): (group: string) => readonly Value[] {
  const keys = new Map<string, Set<string>>();
  const add = (group: string, key: string) => {
    const members = keys.get(group) ?? new Set();
    keys.set(group, members.add(key));
  };
  const remove = (group: string, key: string) => {
    const members = keys.get(group);
    members?.delete(key);
    if (members?.size === 0) keys.delete(group);
  };
  for (const [key, value] of collection.entries()) for (const group of groupsOf(value, key)) add(group, key);
  collection.watch((key, before, after) => {
    const left = before === undefined ? [] : groupsOf(before, key);
    const joined = after === undefined ? [] : groupsOf(after, key);
    for (const group of left) if (!joined.includes(group)) remove(group, key);
    for (const group of joined) add(group, key);
  });
  return (group) => [...(keys.get(group) ?? [])].map((key) => collection.get(key) as Value);
}
