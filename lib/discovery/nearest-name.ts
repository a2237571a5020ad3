import { editDistance } from "../text/edit-distance";

/** Longer names are no typing mistakes, and would take time. */
const longestName = 300;
/** More mistakes than this in one name are another name. */
const mostMistakes = 3;

/**
 * Counts the typing mistakes that make one name of another, whatever their case: letters that are missing, added, changed or swapped.
 *
 * @returns undefined where there are so many that the names are different ones: more than 3, or more than one in three letters
 */
export function mistakesBetween(typed: string, known: string): number | undefined {
  if (typed.length > longestName) return undefined;
  const allowed = Math.min(mostMistakes, Math.floor(Math.min(typed.length, known.length) / 3));
  if (Math.abs(typed.length - known.length) > allowed) return undefined;
  const mistakes = editDistance(typed.toLowerCase(), known.toLowerCase());
  return mistakes <= allowed ? mistakes : undefined;
}

/** The known name with the fewest typing mistakes, the first of several; undefined where no name is near. */
export function nearestName(typed: string, known: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly mistakes: number } | undefined;
  for (const name of known) {
    const mistakes = mistakesBetween(typed, name);
    if (mistakes !== undefined && mistakes < (best?.mistakes ?? Number.POSITIVE_INFINITY)) best = { name, mistakes };
  }
  return best?.name;
}
