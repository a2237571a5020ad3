/** Maximum number of cached results. All published descriptions together have about 2,500 patterns. */
const mostKept = 5_000;

/**
 * Returns the function with a cache by pattern, because methods share patterns and callers request them repeatedly.
 *
 * A full cache is emptied. Published descriptions never fill it.
 */
export function keptByPattern<Made extends object>(make: (pattern: string) => Made): (pattern: string) => Made {
  const kept = new Map<string, Made>();
  return (pattern) => {
    const known = kept.get(pattern);
    if (known !== undefined) return known;
    const made = make(pattern);
    if (kept.size >= mostKept) kept.clear();
    kept.set(pattern, made);
    return made;
  };
}
