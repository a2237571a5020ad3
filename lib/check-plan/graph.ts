/** Returns everything that is reachable from a node, breadth first; the node itself only through a cycle. */
export function reachableFrom(start: string, nextOf: (node: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(nextOf(start));
  // The loop also visits the nodes that it adds.
  for (const node of found) for (const next of nextOf(node)) found.add(next);
  return found;
}

/** Returns a function that computes the value of a key only once. */
export function memoize<Value extends object>(compute: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
}
