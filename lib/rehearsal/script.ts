import type { MigrationSpec } from "../plan";
import { type RehearsalVariant, rehearsalHostnames, rehearsalLoadBalancerAddress, rehearsedSpec } from "../rehearsed";

/** A variant of the stack; a pipeline deploys the variants in sequence. */
export type StackVariant = RehearsalVariant;

/** Order of the deploys of a rehearsal. */
export type RehearsalOrder =
  | "phases"
  | "one deploy"
  | "traffic at once"
  | "without traffic"
  | "certificates alone"
  | "map attached at once"
  | "certificates removed first";

/** Which steps a rehearsal runs. */
export interface Extent {
  /** @default "phases" */
  readonly order?: RehearsalOrder;
  /** Whether proxies serve the hostnames already, so that traffic does not move. @default false */
  readonly isInPlace?: boolean;
}

/** Returns the number of the last step that a rehearsal runs. */
export function lastStepOf({ order, isInPlace = false }: Extent): number {
  if (isInPlace || order === "without traffic") return 7;
  return order === "certificates alone" ? 3 : 8;
}

/** The hostnames of a migration, without wildcards. */
export interface RehearsedHostnames {
  /** All hostnames that are served today, and the one that is added; sorted. */
  readonly all: readonly string[];
  /**
   * Hostnames whose traffic the migration moves. The others stay with the previous provider, for example names below a
   * wildcard without a record.
   *
   * @default - all hostnames
   */
  readonly moved?: readonly string[];
  /** Hostname that no certificate has before the rotation adds it; undefined if the rotation adds nothing. */
  readonly added: string | undefined;
}

/** A migration, completed so that all of its steps can be rehearsed. */
export interface Script {
  /** All probed hostnames; one is added to the first managed certificate, if there is one. */
  readonly hostnames: Pick<RehearsedHostnames, "all" | "added">;
  /** Returns the migration at one point. */
  readonly specOf: (variant: StackVariant) => MigrationSpec;
}

/** Returns the IP addresses of further load balancers. @param index 0 for the first load balancer */
export function loadBalancerAddressAt(index: number): string {
  return rehearsalLoadBalancerAddress.replace(/\d+$/, (last) => String(Number(last) + index));
}

/**
 * Returns the script of a migration that is given as data.
 *
 * @throws InputError for an invalid hostname
 * @param gateCommand command by which the `wait` gate calls `cert-migration`
 */
export function scriptOf(spec: MigrationSpec, gateCommand: string): Script {
  return { hostnames: rehearsalHostnames(spec), specOf: (variant) => rehearsedSpec(spec, variant, gateCommand) };
}
