/** The load balancers of a stack with several migrations, of which each serves the hostnames of its own migration. */
import { InputError } from "../errors";
import { coverageOf } from "../hostnames";
import { hostnamesOf } from "../live/status";
import { type SourceMigration, sourceFromStack } from "../source";
import type { StackJson } from "./stack";

/**
 * Returns a function that finds the addresses at which a hostname is served: of the migrations that serve it, as far as
 * something listens there. Returns all listening addresses if the stack does not tell the migrations apart.
 *
 * @param listening addresses at which a load balancer listens
 */
export function ownAddresses(stack: StackJson | undefined, listening: readonly string[]) {
  const migrations = migrationsIn(stack).map((migration) => ({
    names: new Set(hostnamesOf(migration).map(({ hostname }) => hostname)),
    addresses: Object.values(migration.addresses)
      .flat()
      .filter((address) => listening.includes(address)),
  }));
  return (hostname: string): readonly string[] => {
    // One migration is served wherever something listens, also at proxies whose addresses it does not state.
    if (migrations.length < 2) return listening;
    const own = migrations.filter(({ names }) => coverageOf(names, hostname) !== "none");
    const isKnown = own.length > 0 && own.every(({ addresses }) => addresses.length > 0);
    return isKnown ? [...new Set(own.flatMap(({ addresses }) => addresses))] : listening;
  };
}

function migrationsIn(stack: StackJson | undefined): readonly SourceMigration[] {
  if (stack === undefined) return [];
  try {
    return sourceFromStack(JSON.stringify(stack), "the stack").migrations;
  } catch (error) {
    // A stack without the output of its migrations can also be rehearsed.
    if (error instanceof InputError) return [];
    throw error;
  }
}
