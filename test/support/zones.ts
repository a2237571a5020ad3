import {
  canonicalName,
  parentName,
  type ServedRecordSet,
  type Zone,
  type ZoneSource,
} from "../../lib/cloud/name-server";

/**
 * Creates a zone of the given record sets; names are case-insensitive.
 *
 * The zone reads the record sets once: create another zone after a change.
 */
export function createZone(dnsName: string, recordSets: Iterable<ServedRecordSet>): Zone {
  const apex = canonicalName(dnsName);
  const names = new Map<string, ServedRecordSet[]>([[apex, []]]);
  for (const recordSet of recordSets) {
    const name = canonicalName(recordSet.name);
    const there = names.get(name);
    if (there !== undefined) {
      there.push(recordSet);
      continue;
    }
    names.set(name, [recordSet]);
    let above = parentName(name);
    while (above !== undefined && !names.has(above)) {
      names.set(above, []);
      above = parentName(above);
    }
  }
  return {
    dnsName: apex,
    recordSets: (name) => names.get(name) ?? [],
    hasName: (name) => names.has(name),
  };
}

/** Creates a source of the given zones. If two have the same name, the first answers queries. */
export function createZoneSource(zones: Iterable<Zone>): ZoneSource {
  const byName = new Map<string, Zone>();
  for (const zone of zones) if (!byName.has(zone.dnsName)) byName.set(zone.dnsName, zone);
  return {
    findZone: (name) => {
      for (let suffix: string | undefined = name; suffix !== undefined; suffix = parentName(suffix)) {
        const zone = byName.get(suffix);
        if (zone !== undefined) return zone;
      }
      return undefined;
    },
  };
}
