/** The name without its first label; undefined for a name of one label, above which nothing is of interest. */
export function parentOf(name: string): string | undefined {
  const dot = name.indexOf(".");
  return dot === -1 ? undefined : name.slice(dot + 1);
}

/** Whether a name is a zone's own or below it. Both without trailing dot. */
export function isAtOrBelow(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
