import { parentOf } from "./names";
import type { DnsView } from "./view";

/** The name servers to which a zone is delegated. */
interface Delegation {
  /** The DNS name for which the zone is authoritative, without trailing dot. */
  readonly apex: string;
  /** Names of its servers, without trailing dots, sorted. */
  readonly nameServers: readonly string[];
  /** Source of the name servers: the parent's servers, which decide, or resolvers, which may have cached them. */
  readonly from: "parent" | "resolver";
}

export type DelegationReading =
  | ({ readonly ok: true } & Delegation)
  /** The name at which the search ended, and the answer there. */
  | { readonly ok: false; readonly at: string; readonly detail: string };

/**
 * Finds the zone of a name: goes up the tree to the first name with NS records, then queries the servers of its parent.
 *
 * @param name may be a name without records
 */
export async function findDelegation(name: string, dns: DnsView): Promise<DelegationReading> {
  let failure: { readonly at: string; readonly detail: string } | undefined;
  for (let at: string | undefined = name; at !== undefined; at = parentOf(at)) {
    const found = await dns.resolve(at, "NS");
    if (!found.ok) {
      // Resolvers fail for a zone whose servers do not answer; its parent still has the delegation.
      failure ??= { at, detail: found.detail };
      const led = await askParent(at, dns);
      if (led !== undefined) return { ok: true, apex: at, nameServers: led, from: "parent" };
      continue;
    }
    // NS records behind an alias belong to another zone.
    if (found.records.length === 0 || found.chain.length > 0) continue;
    if (failure !== undefined && at.split(".").length < 2) break;
    const apex = at;
    const led = await askParent(apex, dns);
    if (led !== undefined) return { ok: true, apex, nameServers: led, from: "parent" };
    return { ok: true, apex, nameServers: found.records.map(({ data }) => data).sort(), from: "resolver" };
  }
  return { ok: false, ...(failure ?? { at: name, detail: "no name server, and so is every name above it" }) };
}

/** Returns the name servers to which the servers of the parent zone delegate a name. */
async function askParent(apex: string, dns: DnsView): Promise<readonly string[] | undefined> {
  for (let at = parentOf(apex); at !== undefined; at = parentOf(at)) {
    const above = await dns.resolve(at, "NS");
    if (!above.ok) return undefined;
    if (above.records.length === 0 || above.chain.length > 0) continue;
    for (const { data: server } of above.records) {
      const answer = await dns.askNameServer(server, apex, "NS");
      if (answer.kind !== "answer") continue;
      const { answers, authority } = answer.message;
      const led = [...authority, ...answers].filter(({ type, name }) => type === "NS" && name === apex);
      if (led.length > 0) return [...new Set(led.map(({ data }) => data))].sort();
    }
    return undefined;
  }
  return undefined;
}
