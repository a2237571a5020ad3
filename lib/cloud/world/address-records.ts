import type { ProjectInventory, ProjectZone } from "../../inventory";

/** An address record set. */
export interface AddressRecords {
  readonly zone: ProjectZone;
  /** Without trailing dot; wildcards begin with `*.`. */
  readonly name: string;
  readonly type: "A" | "AAAA";
  readonly addresses: readonly string[];
}

/**
 * Returns the address records of the names that proxies serve: the addresses of the forwarding rules of the proxy, in
 * the public zone with the longest matching suffix. The inventory contains no records, so that names lead where their
 * certificates are. A name of several proxies has the addresses of the first.
 *
 * @param namesOf returns the names of a proxy
 */
export function addressRecords(
  { zones, proxies, forwardingRules }: ProjectInventory,
  namesOf: (proxy: ProjectInventory["proxies"][number]) => readonly string[],
): readonly AddressRecords[] {
  const zoneOf = new Map(zones.filter(({ visibility }) => visibility === "public").map((zone) => [zone.dnsName, zone]));
  const addressesOf = new Map<string, string[]>();
  for (const { proxyId, ipAddress, scheme } of forwardingRules) {
    if (scheme.startsWith("INTERNAL")) continue;
    addressesOf.set(proxyId, [...(addressesOf.get(proxyId) ?? []), ipAddress]);
  }
  const taken = new Set<string>();
  return proxies.flatMap((proxy) => {
    const addresses = [...new Set(addressesOf.get(proxy.id) ?? [])];
    if (addresses.length === 0) return [];
    return namesOf(proxy).flatMap((name): readonly AddressRecords[] => {
      const zone = zoneFor(name, zoneOf);
      if (zone === undefined || taken.has(name)) return [];
      taken.add(name);
      const ipv4 = addresses.filter((address) => !address.includes(":"));
      const ipv6 = addresses.filter((address) => address.includes(":"));
      return [
        ...(ipv4.length === 0 ? [] : [{ zone, name, type: "A" as const, addresses: ipv4 }]),
        ...(ipv6.length === 0 ? [] : [{ zone, name, type: "AAAA" as const, addresses: ipv6 }]),
      ];
    });
  });
}

function zoneFor(name: string, zones: ReadonlyMap<string, ProjectZone>): ProjectZone | undefined {
  for (let at = name.replace(/^\*\./, ""); at !== ""; at = at.includes(".") ? at.slice(at.indexOf(".") + 1) : "") {
    const zone = zones.get(at);
    if (zone !== undefined) return zone;
  }
  return undefined;
}
