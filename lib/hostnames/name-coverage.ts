/**
 * Returns how the names of a certificate cover a host (RFC 9525, section 6.3): by its exact name, by a wildcard for its
 * first label, or not.
 *
 * @param names lower-case A-labels
 * @param host lower-case A-labels
 */
export function coverageOf(names: ReadonlySet<string>, host: string): "exact" | "wildcard" | "none" {
  if (names.has(host)) return "exact";
  const parent = host.indexOf(".");
  return parent > 0 && names.has(`*${host.slice(parent)}`) ? "wildcard" : "none";
}
