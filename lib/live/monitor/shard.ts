import { createHash } from "node:crypto";
import type { SourceMigration } from "../../source";
import { withHostnames } from "./some-hostnames";

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
  return migrations.flatMap((migration) => withHostnames(migration, (hostname) => isInShard(hostname, shard)));
}

/** Reports whether a hostname is in a shard. */
export function isInShard(hostname: string, { index, count }: Shard): boolean {
  return createHash("sha256").update(hostname).digest().readUInt32BE(0) % count === index - 1;
}
