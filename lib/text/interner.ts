/**
 * Returns a function that returns the same string for equal ones. Lists of a service repeat the names that the caller
 * has, and copies of 20,000 of them need several megabytes.
 *
 * @param known strings that equal ones are replaced by
 */
export function interner(known: Iterable<string> = []): (text: string) => string {
  const strings = new Map<string, string>();
  const intern = (text: string) => {
    const same = strings.get(text);
    if (same !== undefined) return same;
    strings.set(text, text);
    return text;
  };
  for (const text of known) intern(text);
  return intern;
}
