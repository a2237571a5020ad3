import { editDistance } from "../../text/edit-distance";

/**
 * The candidate that someone most likely meant: the same but for case, `-` and `_`, else the nearest by insertions, deletions, replacements
 * and swaps, a third of the word's length at most.
 */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_ ]/g, "");
  const same = candidates.find((candidate) => plain(candidate) === plain(word));
  if (same !== undefined || word.length > 64) return same;
  let best: string | undefined;
  let least = Math.floor(word.length / 3) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(plain(word), plain(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}
