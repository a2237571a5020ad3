/** Formats a number with its noun, as in `1 failure` and `2 failures`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
