/** Formats a number with its noun, as in `1 failure` and `2 failures`. */
export function countOf(count: number, singular: string, many = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : many}`;
}

/**
 * Lists the first texts and the number of the others, as in `a, b and 3 more`.
 * @param most number of texts that are listed
 */
export function listFirst(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
