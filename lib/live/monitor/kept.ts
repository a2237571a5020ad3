import type { LiveCertificate, LiveEntry } from "../../google";
import type { SourceMigration } from "../../source";
import { interner } from "../../text/interner";

/** What the monitor keeps of each item of a list, so that 20,000 hostnames fit into little memory. */
export interface Kept {
  readonly certificate: (listed: LiveCertificate) => LiveCertificate;
  readonly entry: (listed: LiveEntry) => LiveEntry;
}

/**
 * Certificates in one page of a list. The client makes several copies of a page, in which each certificate has several
 * kilobytes.
 */
export const certificatesPerPage = 200;

/**
 * Returns functions that keep one string for each name that the migrations and the service both have, and of a chain
 * only the leaf, whose validity is assessed.
 */
export function keptOf(migrations: readonly SourceMigration[]): Kept {
  const intern = interner(migrations.flatMap(namesOf));
  return {
    certificate: ({ name, domains, attempts, certificatePem, ...certificate }) => ({
      ...certificate,
      name: intern(name),
      domains: domains.map(intern),
      attempts: attempts.map((attempt) => ({ ...attempt, domain: intern(attempt.domain) })),
      ...(certificatePem === undefined ? {} : { certificatePem: leafOf(certificatePem) }),
    }),
    entry: ({ name, hostname, certificates, ...entry }) => ({
      ...entry,
      name: intern(name),
      hostname: intern(hostname),
      certificates: certificates.map(intern),
    }),
  };
}

function namesOf({ entries, certificates }: SourceMigration): readonly string[] {
  return [
    ...entries.flatMap(({ id = "", hostname }) => [id, hostname]),
    ...certificates.flatMap(({ id = "", domains }) => [id, ...domains]),
  ];
}

const endOfCertificate = "-----END CERTIFICATE-----";

function leafOf(pem: string): string {
  const leaf = pem.slice(0, pem.indexOf(endOfCertificate) + endOfCertificate.length);
  // A slice would keep the whole chain in memory.
  return Buffer.from(leaf).toString();
}
