/** The rows of hostnames that the boards of a watch and of a rehearsal have in common. */

export const hostnameHead = "HOSTNAME";
/** Minimum width of a hostname, in columns; it takes precedence over other columns. */
export const leastName = 14;
/** Maximum number of hostnames with their own row; the others are counted. */
export const mostRows = 12;

/** Returns all rows in their order if they fit, otherwise the most urgent rows, with room for a line about the rest. */
export function chooseRows<Row>(
  all: readonly Row[],
  most: number,
  byUrgency: (before: Row, after: Row) => number,
): { readonly shown: readonly Row[]; readonly rest: readonly Row[] } {
  if (all.length <= most) return { shown: all, rest: [] };
  const shown = [...all].sort(byUrgency).slice(0, Math.max(1, most - 1));
  return { shown, rest: all.filter((row) => !shown.includes(row)) };
}
