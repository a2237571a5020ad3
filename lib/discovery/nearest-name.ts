import { editDistance } from "../text/edit-distance";

/** Maximum length of a compared name. A longer name is not a typing mistake, and the comparison would take too long. */
const longestName = 300;
/** Maximum number of mistakes. With more mistakes, the names are different. */
const mostMistakes = 3;

/**
 * Counts the typing mistakes between two names: missing, added, changed or swapped letters. Upper and lower case are
 * equal.
 *
 * @returns undefined if the names are different: more than 3 mistakes, or more than one in three letters
 */
export function mistakesBetween(typed: string, known: string): number | undefined {
  if (typed.length > longestName) return undefined;
  const allowed = Math.min(mostMistakes, Math.floor(Math.min(typed.length, known.length) / 3));
  if (Math.abs(typed.length - known.length) > allowed) return undefined;
  const mistakes = editDistance(typed.toLowerCase(), known.toLowerCase());
  return mistakes <= allowed ? mistakes : undefined;
}

/** Returns the known name with the fewest typing mistakes, the first of several; undefined if no name is similar. */
export function nearestName(typed: string, known: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly mistakes: number } | undefined;
  for (const name of known) {
    const mistakes = mistakesBetween(typed, name);
    if (mistakes !== undefined && mistakes < (best?.mistakes ?? Number.POSITIVE_INFINITY)) best = { name, mistakes };
  }
  return best?.name;
}
