/** Returns the name to query for a hostname. For a wildcard, the name has a random label. */
export function probeName(hostname: string, random: () => number): string {
  return hostname.startsWith("*.") ? `${randomLabel(random)}${hostname.slice(1)}` : hostname;
}

/** Returns a label that is very unlikely to exist. */
export function randomLabel(random: () => number): string {
  const label = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, "0");
  return `probe-${label}`;
}
