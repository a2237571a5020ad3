/**
 * Returns the candidate that shares the most pairs of adjacent characters with a word (Dice's coefficient). The
 * coefficient must be greater than 0.6.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0.6;
  for (const candidate of candidates) {
    const share = likeness(word, candidate);
    if (share > most) [best, most] = [candidate, share];
  }
  return best;
}

/**
 * Returns the similarity of two words, from 0 (nothing in common) to 1 (equal). Upper and lower case are equal. Only
 * the first 128 characters are compared.
 */
export function likeness(left: string, right: string): number {
  const [a, b] = [pairs(left), pairs(right)];
  const total = sum(a) + sum(b);
  if (total === 0) return left === right ? 1 : 0;
  let shared = 0;
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0);
  return (2 * shared) / total;
}

function pairs(word: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const text = word.slice(0, 128).toUpperCase();
  for (let at = 0; at + 1 < text.length; at++)
    counts.set(text.slice(at, at + 2), (counts.get(text.slice(at, at + 2)) ?? 0) + 1);
  return counts;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
