/** What a client would ask for: a wildcard serves any one label. */
export function probeName(hostname: string, random: () => number): string {
  return hostname.startsWith("*.") ? `${randomLabel(random)}${hostname.slice(1)}` : hostname;
}

/** A label that nobody has. */
export function randomLabel(random: () => number): string {
  const label = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, "0");
  return `probe-${label}`;
}
