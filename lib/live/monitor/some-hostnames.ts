import { authorizedDomain, type SourceMigration } from "../../source";
import { hostnamesOf } from "../status";

/**
 * Returns a migration with some of its hostnames, and with their certificates and records. Certificates that no
 * hostname has, as that of a PRIMARY entry, stay with the first hostname of the migration.
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
  const entries = migration.entries.filter(({ hostname }) => kept.has(hostname));
  const named = new Set(entries.flatMap(({ certificates }) => certificates));
  const namedByAny = new Set(all.flatMap(({ certificate }) => certificate?.name ?? []));
  const isDirect = migration.entries.every(({ hostname }) => hostname === "PRIMARY");
  const certificates = migration.certificates.flatMap((certificate) => {
    if (!isDirect) {
      const isOfFirst = !namedByAny.has(certificate.name) && kept.has(first.hostname);
      return named.has(certificate.name) || isOfFirst ? certificate : [];
    }
    const own = certificate.domains.filter((domain) => kept.has(domain));
    return own.length === 0 ? [] : { ...certificate, domains: own };
  });
  // A certificate needs the records of all its domains, also of those that are no hostname of the migration.
  const ofOthers = new Set(all.map(({ hostname }) => authorizedDomain(hostname)).filter((domain) => !kept.has(domain)));
  const ofCertificates = certificates.flatMap(({ domains }) => domains.map(authorizedDomain));
  const domains = new Set([...kept].map(authorizedDomain));
  for (const domain of ofCertificates) if (!ofOthers.has(domain)) domains.add(domain);
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
