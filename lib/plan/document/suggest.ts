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
    const distance = edits(plain(word), plain(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Optimal string alignment distance. */
function edits(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
