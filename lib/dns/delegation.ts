import { parentOf } from "./names";
import type { DnsView } from "./view";

/** To whom the world is sent for a name. */
interface Delegation {
  /** What the zone is authoritative for, without trailing dot. */
  readonly apex: string;
  /** Names of its servers, without trailing dots, sorted. */
  readonly nameServers: readonly string[];
  /** Who said so: the parent's servers, which decide, or resolvers, which repeat what they have heard. */
  readonly from: "parent" | "resolver";
}

export type DelegationReading =
  | ({ readonly ok: true } & Delegation)
  /** Where the walk ended, and what was answered there. */
  | { readonly ok: false; readonly at: string; readonly detail: string };

/**
 * Finds the zone of a name: up the tree to the first name with NS records, then down again from its parent's servers.
 *
 * @param name may itself be no name of any record yet
 */
export async function findDelegation(name: string, dns: DnsView): Promise<DelegationReading> {
  let failure: { readonly at: string; readonly detail: string } | undefined;
  for (let at: string | undefined = name; at !== undefined; at = parentOf(at)) {
    const found = await dns.resolve(at, "NS");
    if (!found.ok) {
      // Resolvers fail at a zone whose servers are dead; its parent still knows where it leads.
      failure ??= { at, detail: found.detail };
      const led = await askParent(at, dns);
      if (led !== undefined) return { ok: true, apex: at, nameServers: led, from: "parent" };
      continue;
    }
    // NS records behind an alias are those of another zone.
    if (found.records.length === 0 || found.chain.length > 0) continue;
    if (failure !== undefined && at.split(".").length < 2) break;
    const apex = at;
    const led = await askParent(apex, dns);
    if (led !== undefined) return { ok: true, apex, nameServers: led, from: "parent" };
    return { ok: true, apex, nameServers: found.records.map(({ data }) => data).sort(), from: "resolver" };
  }
  return { ok: false, ...(failure ?? { at: name, detail: "no name server, and so is every name above it" }) };
}

/** What the servers of the zone above say of a name: the servers that they send others to. */
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
