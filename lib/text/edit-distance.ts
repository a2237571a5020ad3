/**
 * Returns the optimal string alignment distance: how many insertions, deletions, substitutions and swaps of adjacent
 * characters turn one text into the other. The running time is proportional to the product of the lengths.
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  let distance = b.length;
  for (let i = 0; i < a.length; i++) {
    let diagonal = i;
    distance = i + 1;
    const row = [distance];
    for (const [j, above] of last.slice(1).entries()) {
      distance = Math.min(diagonal + (a[i] === b[j] ? 0 : 1), above + 1, distance + 1);
      const swapped = a[i] === b[j - 1] && a[i - 1] === b[j] ? before[j - 1] : undefined;
      if (swapped !== undefined) distance = Math.min(distance, swapped + 1);
      row.push(distance);
      diagonal = above;
    }
    [before, last] = [last, row];
  }
  return distance;
}
