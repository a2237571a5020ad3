import type { PlanOptions } from "./planning";
import type { LoadBalancerSpec, MigrationSpec } from "./spec";

/** Options of {@link splitMigration}. */
export interface SplitOptions extends PlanOptions {
  /** Maximum number of entries of a map, 1 or more; use a value below the project's quota. The PRIMARY entry counts. */
  readonly maxEntriesPerMap: number;

  /**
   * Maximum number of certificates of a stack, 1 or more, which limits the effect of a failed apply.
   *
   * @default - no limit besides the entries
   */
  readonly maxCertificatesPerStack?: number;

  /**
   * `assigned` of the previous split. Every hostname in it stays in its stack, even if certificates change their
   * names or domains. Commit it to the repository.
   *
   * @default - no previous deployment
   */
  readonly assigned?: Readonly<Record<string, string>>;

  /**
   * Returns the load balancer of each stack, by the stack's name. A proxy accepts one map, so that stacks can share
   * neither a proxy nor an address.
   *
   * @default - the load balancer of the spec, which then must neither create nor adopt proxies
   */
  readonly loadBalancerOf?: (stack: string) => LoadBalancerSpec;
}

/** Result of {@link splitMigration}. */
export interface SplitMigration {
  /** Migrations, one per stack, ordered by name. */
  readonly stacks: readonly SplitStack[];
  /**
   * Stack of each hostname, including wildcards, ordered by hostname; for a certificate without hostnames, its name.
   */
  readonly assigned: Readonly<Record<string, string>>;
}

/** A part of a split migration. */
export interface SplitStack {
  /** Name of the migration, a hyphen and a number. */
  readonly name: string;
  /** The migration of this stack. */
  readonly spec: MigrationSpec;
  /** Number of entries of its map. */
  readonly entries: number;
}
