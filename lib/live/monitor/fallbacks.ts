import type { Finding } from "../../findings/finding";
import type { ResourceLister } from "../../google";
import { defined } from "../../json/defined";
import { withoutProject } from "../../resource-names";
import type { SourceMigration } from "../../source";
import { leafOf } from "../renewal";
import { balancerAddresses, type ObservedMigration, type StatusVerification } from "../status";
import { type FallbackOptions, type PrimaryTarget, plannedNames, primariesOf, probeFallbacks } from "../verify";

interface FallbackSources extends Pick<FallbackOptions, "shakeHands" | "random"> {
  readonly lister: Pick<ResourceLister, "certificates">;
  readonly signal: AbortSignal;
}

/** Checks of the clients that match no entry: they send no SNI, or a name that no migration has. */
export interface FallbackChecks {
  /** Notes the addresses of a part of the hostnames, and which of them serve hostnames. */
  readonly note: (observed: readonly ObservedMigration[], verification: StatusVerification) => void;
  /**
   * Connects to each noted address that serves a hostname. Another certificate than the PRIMARY entry names is a
   * warning, because front ends serve the former one for some minutes after a renewal.
   */
  readonly findings: (sources: FallbackSources) => Promise<readonly Finding[]>;
}

/**
 * Prepares the checks of a pass.
 *
 * @param migrations all migrations, also without a hostname in the shard: several may share an address, and the PRIMARY
 * entry of one of them is enough
 */
export function fallbackChecks(migrations: readonly SourceMigration[]): () => FallbackChecks {
  const plans = migrations.map(planOf);
  return () => {
    const addressesOf = new Map<string, readonly string[]>();
    const serving = new Set<string>();
    const withPrimary = new Set<string>();
    return {
      note: (observed, { results }) => {
        for (const [migration, found] of observed) {
          const addresses = balancerAddresses(migration, found);
          addressesOf.set(migration.path, addresses);
          if (found.entries.some(isPrimary)) for (const address of addresses) withPrimary.add(address);
        }
        for (const { ok, address } of results) if (ok) serving.add(address);
      },
      findings: async ({ lister, signal, ...probing }) => {
        const placed = plans.map((plan) => {
          const ipv4 = addressesOf.get(plan.path);
          return ipv4 === undefined ? plan : { ...plan, addresses: { ipv4, ipv6: [] } };
        });
        // Somebody else may plan the PRIMARY entry of a map that several teams use.
        const isForeign = ({ address, hasPrimary }: PrimaryTarget) => hasPrimary === false && withPrimary.has(address);
        const targets = primariesOf(placed).filter((target) => serving.has(target.address) && !isForeign(target));
        const fingerprints = await readFingerprints(plannedNames(targets), lister, signal);
        const planned = {
          of: (names: readonly string[]) => names.map((name) => ({ facts: fingerprints.get(withoutProject(name)) })),
        };
        const { findings } = await probeFallbacks({ ...probing, targets, planned });
        return findings.map((finding) =>
          finding.code === "primary-other-certificate" ? { ...finding, severity: "warning" } : finding,
        );
      },
    };
  };
}

function isPrimary({ hostname }: { readonly hostname: string }): boolean {
  return hostname === "PRIMARY";
}

/** Keeps what {@link primariesOf} needs: there may be 20,000 hostnames. */
function planOf({ path, phase, map, entries, certificates, addresses }: SourceMigration) {
  const primary = entries.filter(isPrimary);
  const named = new Set(primary.flatMap((entry) => entry.certificates));
  return {
    ...{ path, phase, addresses },
    ...defined({ map }),
    entries: primary,
    certificates: certificates.filter(({ name }) => named.has(name)),
  };
}

async function readFingerprints(
  names: readonly string[],
  lister: Pick<ResourceLister, "certificates">,
  signal: AbortSignal,
) {
  const found = new Map<string, ReturnType<typeof leafOf>>();
  for (const parent of new Set(names.map((name) => name.slice(0, name.lastIndexOf("/certificates/"))))) {
    for (const live of await lister.certificates(parent, signal)) {
      found.set(withoutProject(live.name), leafOf(live));
    }
  }
  return found;
}
