import { authorizedDomain, type SourceMigration } from "../../source";
import { hostnamesOf } from "../status";

/**
 * Returns a migration with some of its hostnames, and with their certificates and records. The PRIMARY
 * entry, and certificates that no entry names, stay with the first hostname of the migration.
 *
 * @returns no migration if none of its hostnames is kept
 */
export function withHostnames(
  migration: SourceMigration,
  isKept: (hostname: string) => boolean,
): readonly SourceMigration[] {
  const all = hostnamesOf(migration);
  const kept = new Set(all.map(({ hostname }) => hostname).filter(isKept));
  const [first] = all;
  if (first === undefined || kept.size === 0) return [];
  const hasFirst = kept.has(first.hostname);
  const entries = migration.entries.filter(
    ({ hostname }) => kept.has(hostname) || (hostname === "PRIMARY" && hasFirst),
  );
  const named = new Set(entries.flatMap(({ certificates }) => certificates));
  const namedByAny = new Set(migration.entries.flatMap(({ certificates }) => certificates));
  const isDirect = migration.entries.every(({ hostname }) => hostname === "PRIMARY");
  const needed = migration.certificates.filter(({ name, domains }) => {
    if (isDirect) return domains.some((domain) => kept.has(domain));
    return named.has(name) || (!namedByAny.has(name) && hasFirst);
  });
  const certificates = needed.map((certificate) =>
    isDirect ? { ...certificate, domains: certificate.domains.filter((domain) => kept.has(domain)) } : certificate,
  );
  // A certificate is renewed only if all of its domains are authorized, also the domains of other hostnames.
  const domains = new Set([...kept, ...needed.flatMap((certificate) => certificate.domains)].map(authorizedDomain));
  return [
    {
      ...migration,
      entries,
      certificates,
      records: migration.records.filter(({ domain }) => domains.has(domain)),
      authorizations: migration.authorizations.filter(({ domain }) => domains.has(domain)),
    },
  ];
}
