/** Published descriptions have some 2,500 patterns together. */
const mostKept = 5_000;

/**
 * The same function, with what it made kept by pattern: methods share patterns, and callers ask for them again and again.
 *
 * Once full it forgets everything: only descriptions that nobody published get there.
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
