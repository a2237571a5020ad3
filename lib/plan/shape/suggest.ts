import { editDistance } from "../../text/edit-distance";

/**
 * Returns the candidate that was most likely meant. Candidates that differ only in case, `-` and `_` come first.
 * Otherwise returns the nearest by insertions, deletions, replacements and swaps, within a third of the word's length.
 */
export function nearestCandidate(word: string, candidates: readonly string[]): string | undefined {
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
