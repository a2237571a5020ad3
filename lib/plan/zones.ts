import type { Hostname } from "../hostnames";
import { defined } from "../json/defined";
import { lastPart } from "../resource-names";
import type { Findings } from "./findings";
import type { PlannedZone } from "./model";
import { hostnameReader, type Planning, readHostnameKeys } from "./planning";
import { isReference } from "./shape/reference";

/** The zones of the migration, with a record of which zones were used. */
export interface ZonesOfPlan {
  /** Returns the zone with the longest matching suffix of a name. A missing zone is reported once for each name. */
  readonly zoneOf: (name: Hostname, at: string, use: string) => PlannedZone | undefined;
  /** Warns about zones that no record uses. */
  readonly reportUnused: () => void;
}

/** Reads the zones. Without Cloud DNS the list is empty, and no zone is reported as missing. */
export function readZones(planning: Planning): ZonesOfPlan {
  const { dns } = planning.spec;
  const { findings } = planning;
  if (dns.kind !== "cloudDns") return { zoneOf: () => undefined, reportUnused: () => {} };
  const given = readHostnameKeys(dns.zones, "/dns/zones", "zone", findings, hostnameReader(planning));
  const zones = new Map<string, PlannedZone>();
  for (const [domain, { value, at }] of given) {
    const zone = typeof value === "string" ? { name: value } : value;
    checkZoneName(zone.name, domain, at, findings);
    const project = zone.project ?? dns.project ?? planning.spec.project;
    zones.set(domain, { domain, name: zone.name, ...defined({ project }) });
  }
  const used = new Set<string>();
  const missed = new Set<string>();
  return {
    zoneOf: (name, at, use) => {
      const zone = closestTo(name, zones);
      if (zone !== undefined) {
        used.add(zone.domain);
        return zone;
      }
      if (!missed.has(name)) {
        const known = zones.size === 0 ? "no zone is given" : `known zones: ${[...zones.keys()].sort().join(", ")}`;
        findings.report("zone-missing", at, `no zone is authoritative for '${name}' (${use}): ${known}`);
        missed.add(name);
      }
      return undefined;
    },
    reportUnused: () => {
      for (const [domain, { at }] of given) {
        if (!used.has(domain)) findings.report("zone-unused", at, `zone '${domain}' is used by no domain`);
      }
    },
  };
}

/**
 * Refuses the name of a zone that Cloud DNS would refuse, for example a DNS name. Terraform also accepts the path of a
 * zone, which ends with its name.
 */
function checkZoneName(name: string, domain: string, at: string, findings: Findings): void {
  const bare = lastPart(name);
  if (isReference(name) || /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(bare)) return;
  findings.report("zone-name-invalid", at, `zone '${domain}': '${name}' is not the name of a managed zone`);
}

/**
 * Returns the zone of a name or of its nearest parent. Searching all zones would take time in proportion to names times
 * zones.
 */
function closestTo(name: string, zones: ReadonlyMap<string, PlannedZone>): PlannedZone | undefined {
  for (let domain = name; ; domain = domain.slice(domain.indexOf(".") + 1)) {
    const zone = zones.get(domain);
    if (zone !== undefined || !domain.includes(".")) return zone;
  }
}
