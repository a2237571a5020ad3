/** Returns the name without its first label; undefined for a name of one label. */
export function parentOf(name: string): string | undefined {
  const dot = name.indexOf(".");
  return dot === -1 ? undefined : name.slice(dot + 1);
}

/** Returns whether a name equals a zone or is below it. Both without trailing dot. */
export function isAtOrBelow(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
