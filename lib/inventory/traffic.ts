import type { Hostname } from "../hostnames";
import type { PreviousRecords, TrafficSpec } from "../plan";
import { timeToLive } from "./live/names";
import type { InventoryName, NameRecords } from "./model";

/**
 * Returns the traffic of step 8 before the move: the current records, with traffic on them. Names without records get
 * none. Names whose records could not be queried are left out.
 *
 * @param served every name that the migration serves
 * @returns undefined if DNS was not queried
 */
export function trafficOfToday(
  names: readonly InventoryName[],
  served: readonly Hostname[],
  notices: string[],
): TrafficSpec | undefined {
  if (names.length === 0) return undefined;
  const known = new Map(names.map(({ name, records }) => [name, records]));
  const previous: Record<string, PreviousRecords> = {};
  const unknown: Hostname[] = [];
  let longest = { name: "", ttlSeconds: 0 };
  for (const name of served) {
    const records = known.get(name);
    if (records === undefined || records === null) unknown.push(name);
    else if (hasRecords(records)) {
      const { cname, a, aaaa } = records;
      previous[name] = cname === null ? { a: a.addresses, aaaa: aaaa.addresses } : { cname: cname.target };
      const ttlSeconds = timeToLive(records);
      if (ttlSeconds > longest.ttlSeconds) longest = { name, ttlSeconds };
    }
  }
  if (unknown.length > 0) {
    notices.push(`traffic: the DNS look-up of ${unknown.join(", ")} failed; add the records to traffic.previous`);
  }
  const hostnames = Object.keys(previous);
  if (hostnames.length === 0) return undefined;
  if (longest.ttlSeconds > 0) {
    notices.push(
      `traffic: records are kept for up to ${longest.ttlSeconds} seconds (${longest.name}); lower that to 60 so long before traffic moves`,
    );
  }
  for (const [name, records] of Object.entries(previous)) {
    const wildcard = `*${name.slice(name.indexOf("."))}`;
    if (name !== wildcard && JSON.stringify(records) === JSON.stringify(previous[wildcard])) {
      notices.push(`traffic: ${name} has what ${wildcard} has; take it out of traffic if it has no record of its own`);
    }
  }
  const all = served.every((name) => name.startsWith("*.") || name in previous);
  return { to: "previous", ...(all ? {} : { hostnames }), previous };
}

function hasRecords({ cname, a, aaaa }: NameRecords): boolean {
  return cname !== null || a.addresses.length > 0 || aaaa.addresses.length > 0;
}
