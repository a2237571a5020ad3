import { createHash } from "node:crypto";
import { authorizedDomain, type SourceMigration } from "../../source";
import { hostnamesOf } from "../status";

/** A part of all hostnames, for one of several processes that monitor the same migrations. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  /** Number of parts, at least 1. */
  readonly count: number;
}

/**
 * Returns the migrations with the hostnames of a shard, and with their certificates and records. Each hostname is in
 * exactly one shard, which depends only on the hostname and the number of shards.
 */
export function migrationsOfShard(migrations: readonly SourceMigration[], shard: Shard): readonly SourceMigration[] {
  return migrations.flatMap((migration) => {
    const all = hostnamesOf(migration);
    const kept = new Set(all.map(({ hostname }) => hostname).filter((hostname) => isInShard(hostname, shard)));
    return kept.size === 0 ? [] : [reduced(migration, kept)];
  });
}

function reduced(migration: SourceMigration, kept: ReadonlySet<string>): SourceMigration {
  const entries = migration.entries.filter(({ hostname }) => kept.has(hostname));
  const named = new Set(entries.flatMap(({ certificates }) => certificates));
  const domains = new Set([...kept].map(authorizedDomain));
  const isDirect = migration.entries.length === 0;
  return {
    ...migration,
    entries,
    certificates: migration.certificates.flatMap((certificate) => {
      if (!isDirect) return named.has(certificate.name) ? certificate : [];
      const own = certificate.domains.filter((domain) => kept.has(domain));
      return own.length === 0 ? [] : { ...certificate, domains: own };
    }),
    records: migration.records.filter(({ domain }) => domains.has(domain)),
    authorizations: migration.authorizations.filter(({ domain }) => domains.has(domain)),
  };
}

/** Reports whether a hostname is in a shard. */
export function isInShard(hostname: string, { index, count }: Shard): boolean {
  return createHash("sha256").update(hostname).digest().readUInt32BE(0) % count === index - 1;
}
