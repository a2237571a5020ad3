import { coverageOf } from "../hostnames";
import { hostnamesOf } from "../live/status";
import type { SourceMigration } from "../source";

/**
 * Returns a function that finds the addresses at which a hostname is served: of the migrations that serve it, as far as
 * a load balancer listens there; all addresses if its own ones are not known.
 *
 * @param listening addresses at which a load balancer listens
 */
export function ownAddresses(migrations: readonly SourceMigration[], listening: readonly string[]) {
  const known = migrations.map((migration) => ({
    names: new Set(hostnamesOf(migration).map(({ hostname }) => hostname)),
    addresses: Object.values(migration.addresses)
      .flat()
      .filter((address) => listening.includes(address)),
  }));
  return (hostname: string): readonly string[] => {
    // One migration is served wherever something listens, also at proxies whose addresses it does not state.
    if (known.length < 2) return listening;
    const own = known.filter(({ names }) => coverageOf(names, hostname) !== "none");
    const isKnown = own.length > 0 && own.every(({ addresses }) => addresses.length > 0);
    return isKnown ? [...new Set(own.flatMap(({ addresses }) => addresses))] : listening;
  };
}
