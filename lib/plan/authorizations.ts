import { baseDomain, type Hostname, isWildcard } from "../hostnames";
import { pointerTo } from "../json-pointer";
import type { AuthorizationForName, ReadCertificate } from "./certificates";
import { describe } from "./labels";
import type { PlannedAuthorization, PlannedRecord, PlannedZone } from "./model";
import { resourceName } from "./names";
import { checkInteger, type Planning, readHostnameKeys, readResourceId, rejectResourceId } from "./planning";
import type { AuthorizationType } from "./spec";

const defaultTtlSeconds = 300;

/** The zones of the migration, and which of them were asked for. */
export interface Zones {
  /** The zone with the longest suffix of a name; what is missing is reported once for each name. */
  readonly zoneOf: (name: Hostname, at: string, use: string) => PlannedZone | undefined;
  /** Warns of zones that nothing asked for. */
  readonly reportUnused: () => void;
}

/** Reads the zones; with DNS elsewhere there are none and nothing is missed. */
export function readZones(planning: Planning): Zones {
  const { dns } = planning.spec;
  const { findings } = planning;
  if (dns.kind === "external") return { zoneOf: () => undefined, reportUnused: () => {} };
  checkInteger(dns.ttlSeconds, { min: 1, max: 86_400 }, "/dns/ttlSeconds", findings);
  const given = readHostnameKeys(dns.zones, "/dns/zones", "zone", findings);
  const zones = new Map<string, PlannedZone>();
  for (const [domain, { value }] of given) {
    const zone = typeof value === "string" ? { name: value } : value;
    const project = zone.project ?? dns.project ?? planning.spec.project;
    zones.set(domain, { domain, name: zone.name, ...(project === undefined ? {} : { project }) });
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
        const known = zones.size === 0 ? "there are none" : `there are ${[...zones.keys()].sort().join(", ")}`;
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

/** The zone of a name or of its nearest parent: looking through all zones would take time by the product of names and zones. */
function closestTo(name: string, zones: ReadonlyMap<string, PlannedZone>): PlannedZone | undefined {
  for (let domain = name; ; domain = domain.slice(domain.indexOf(".") + 1)) {
    const zone = zones.get(domain);
    if (zone !== undefined || !domain.includes(".")) return zone;
  }
}

export interface PlannedAuthorizations {
  readonly authorizations: readonly PlannedAuthorization[];
  readonly records: readonly PlannedRecord[];
  readonly authorizationOf: (domain: Hostname) => AuthorizationForName;
}

/** One authorization for each project and domain of a managed certificate, and its record; existing ones are referred to. */
export function planAuthorizations(
  planning: Planning,
  certificates: readonly ReadCertificate[],
  zones: Zones,
): PlannedAuthorizations {
  const { spec, findings, location, identityOf } = planning;
  const type = authorizationType(planning);
  const existing = readExistingAuthorizations(planning);
  const usedExisting = new Set<string>();
  const byKey = new Map<string, { authorization: PlannedAuthorization; record: PlannedRecord }>();

  for (const certificate of certificates) {
    if (certificate.selfManaged !== undefined || certificate.existingId !== undefined) continue;
    const project = certificate.spec.project ?? spec.project;
    for (const domain of new Set(certificate.domains.map(baseDomain))) {
      if (existing.has(domain)) {
        usedExisting.add(domain);
        continue;
      }
      const key = JSON.stringify([domain, identityOf(project)]);
      if (byKey.has(key)) continue;
      const zone = zones.zoneOf(domain, pointerTo(certificate.at, "domains"), "its authorization");
      const owner = project === undefined ? {} : { project };
      byKey.set(key, {
        authorization: {
          domain,
          name: authorizationName(domain, type, location),
          type,
          location,
          ...owner,
          ...describe(planning, `Authorizes certificates for ${domain}`),
        },
        record: {
          domain,
          location,
          ...owner,
          ...(zone === undefined ? {} : { zone }),
          ttlSeconds: (spec.dns.kind === "cloudDns" ? spec.dns.ttlSeconds : undefined) ?? defaultTtlSeconds,
        },
      });
    }
  }
  for (const domain of existing.keys()) {
    if (!usedExisting.has(domain)) {
      const at = pointerTo("/existingAuthorizations", domain);
      findings.report(
        "authorization-unused",
        at,
        `no managed certificate has a name under the authorization '${domain}'`,
      );
    }
  }
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, planned]) => planned);
  return {
    authorizations: sorted.map(({ authorization }) => authorization),
    records: sorted.map(({ record }) => record),
    authorizationOf: (domain) => {
      const existingId = existing.get(domain);
      if (existingId !== undefined) {
        return { authorization: { domain, existingId }, identity: identityOf(existingId) ?? existingId };
      }
      return { authorization: { domain }, identity: authorizationName(domain, type, location) };
    },
  };
}

/**
 * The name depends on what can't be changed and on nothing else: the service allows one authorization per project, location, domain and
 * type, so a second one could not be made before the first goes.
 */
function authorizationName(domain: Hostname, type: AuthorizationType, location: string): string {
  return resourceName({ readable: domain, identity: [domain, type, location] });
}

function authorizationType({ spec, findings, location }: Planning): AuthorizationType {
  if (spec.authorizationType === "FIXED_RECORD" && location !== "global") {
    findings.report("fixed-record-in-region", "/authorizationType", `FIXED_RECORD does not exist in '${location}'`);
  }
  return spec.authorizationType ?? (location === "global" ? "FIXED_RECORD" : "PER_PROJECT_RECORD");
}

function readExistingAuthorizations(planning: Planning): ReadonlyMap<Hostname, string> {
  const { spec, findings, location } = planning;
  const existing = new Map<Hostname, string>();
  const given = spec.existingAuthorizations ?? {};
  for (const [domain, { value: id, at }] of readHostnameKeys(
    given,
    "/existingAuthorizations",
    "existing authorization",
    findings,
  )) {
    if (isWildcard(domain)) {
      findings.report("authorization-domain-wildcard", at, `'${domain}' is a wildcard`);
      continue;
    }
    const read = readResourceId(id, "dnsAuthorizations");
    if (read === undefined) {
      rejectResourceId("authorization-id-malformed", id, at, findings);
    } else if (read.location !== undefined && read.location !== location) {
      findings.report(
        "certificate-location-mismatch",
        at,
        `authorization '${read.id}' is in '${read.location}' and the certificates are in '${location}'`,
        "use an authorization in the certificates' location",
      );
    }
    existing.set(domain, read?.id ?? id);
  }
  return existing;
}
