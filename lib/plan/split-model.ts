import type { PlanOptions } from "./planning";
import type { LoadBalancerSpec, MigrationSpec } from "./spec";

/** How a migration is split. */
export interface SplitOptions extends PlanOptions {
  /** Most entries that one map gets, 1 or more; below the project's quota, with room to grow. PRIMARY counts as one. */
  readonly maxEntriesPerMap: number;

  /** Most certificates of one stack, 1 or more: how much one failed apply may touch. @default - no limit besides the entries */
  readonly maxCertificatesPerStack?: number;

  /**
   * What the split before gave as `assigned`: every hostname in it stays in its stack, whatever else comes or goes, also where its certificate gets another
   * name or other domains. Keep it in the repository.
   *
   * @default - nothing has been deployed yet
   */
  readonly assigned?: Readonly<Record<string, string>>;

  /**
   * The load balancer of each stack, by the stack's name: a proxy takes one map, so that stacks can't share one, nor an address.
   *
   * @default - that of the spec, which then must neither make nor adopt proxies
   */
  readonly loadBalancerOf?: (stack: string) => LoadBalancerSpec;
}

/** The migrations that one was split into. */
export interface SplitMigration {
  /** One each for a stack of its own, in order of name. */
  readonly stacks: readonly SplitStack[];
  /** The stack of each hostname, wildcards included, in order of these; of a certificate that is known by no hostname, by its name. */
  readonly assigned: Readonly<Record<string, string>>;
}

/** A migration that is a part of another one. */
export interface SplitStack {
  /** The migration's name, a hyphen and a number. */
  readonly name: string;
  /** What of the whole belongs to it. */
  readonly spec: MigrationSpec;
  /** How many entries its map gets. */
  readonly entries: number;
}
