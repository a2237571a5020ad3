/** Method ids that create each part of a migration, by part. */
export const beginnings = {
  authorization: "certificatemanager.projects.locations.dnsAuthorizations.create",
  record: "dns.changes.create",
  certificate: "certificatemanager.projects.locations.certificates.create",
  map: "certificatemanager.projects.locations.certificateMaps.create",
  entry: "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.create",
  proxy: "compute.targetHttpsProxies.insert",
  "forwarding-rule": "compute.globalForwardingRules.insert",
} as const;

/** Returns the name of a part with its article, as in "an entry". */
export function withArticle(part: string): string {
  return `${/^[aeiou]/.test(part) ? "an" : "a"} ${part.replace("-", " ")}`;
}
