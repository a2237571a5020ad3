import { parseLocatedName } from "../resource-names";
import type { SourceMigration } from "./model";

type Certificates = Pick<SourceMigration, "certificates" | "entries">;

/** Returns the ids of certificates that entries name, although they are not in the list of the migration. */
export function otherCertificateIds({ certificates, entries }: Certificates): readonly string[] {
  const names = new Set(certificates.map(({ name }) => name));
  const ids = new Set(certificates.map(({ id }) => id));
  const named = new Set(entries.flatMap((entry) => entry.certificates));
  return [...named].filter((name) => !names.has(name) && !ids.has(name) && isCertificateId(name));
}

/** Returns the ids of all certificates that a migration serves, each once; ids that are not known are left out. */
export function servedCertificateIds(migration: Certificates): readonly string[] {
  const own = migration.certificates.flatMap(({ id }) => id ?? []);
  return [...new Set([...own, ...otherCertificateIds(migration)])];
}

/** Returns whether a text of an entry is the id of a certificate, and not the name of one in the migration. */
export function isCertificateId(text: string): boolean {
  return parseLocatedName(text)?.collection === "certificates";
}
