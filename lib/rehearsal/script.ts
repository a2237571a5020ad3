import type { MigrationSpec } from "../plan";
import {
  type RehearsalVariant,
  rehearsalHostnames,
  rehearsalNewAddress,
  rehearsalOldAddress,
  rehearsedSpec,
} from "../rehearsed";

/** What a pipeline deploys, one after the other. */
export type StackVariant = RehearsalVariant;

/** A migration, made complete so that all of it can be rehearsed. */
export interface Script {
  /** Every name that is probed, {@link Script.addedHostname} among them; sorted. */
  readonly hostnames: readonly string[];
  /** The name that is added to the first managed certificate; undefined where there is none. */
  readonly addedHostname: string | undefined;
  /** The migration as it is at one point. */
  readonly specOf: (variant: StackVariant) => MigrationSpec;
}

/** Where the old provider is met, by what DNS says. */
export const oldAddress = rehearsalOldAddress;
/** Where the load balancer of a spec that has none is met. */
export const newAddress = rehearsalNewAddress;

/** Where the load balancers after the first of those are met. @param index from 0, for the first */
export function newAddressAt(index: number): string {
  return newAddress.replace(/\d+$/, (last) => String(Number(last) + index));
}

/**
 * The script of a migration that is given as data.
 *
 * @throws InputError for a name that is none
 * @param gateCommand how the `wait` gate calls `cert-migration`
 */
export function scriptOf(spec: MigrationSpec, gateCommand: string): Script {
  const { all, added } = rehearsalHostnames(spec);
  return {
    hostnames: all,
    addedHostname: added,
    specOf: (variant) => rehearsedSpec(spec, variant, gateCommand),
  };
}
