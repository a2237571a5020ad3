import { baseDomain, type Hostname, isWildcard } from "../hostnames";
import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import type { AuthorizationForName, ReadCertificate } from "./certificates";
import { describe } from "./labels";
import type { PlannedAuthorization, PlannedRecord } from "./model";
import { deriveResourceName } from "./names";
import { type Planning, readHostnameKeys, readResourceId, rejectResourceId } from "./planning";
import type { AuthorizationTypeName } from "./spec";
import type { ZonesOfPlan } from "./zones";

const defaultTtlSeconds = 300;

export interface PlannedAuthorizations {
  readonly authorizations: readonly PlannedAuthorization[];
  readonly records: readonly PlannedRecord[];
  readonly authorizationOf: (domain: Hostname) => AuthorizationForName;
}

/**
 * Plans one authorization for each project and domain of a managed certificate, with its record. Existing
 * authorizations are only referenced.
 */
export function planAuthorizations(
  planning: Planning,
  certificates: readonly ReadCertificate[],
  zones: ZonesOfPlan,
): PlannedAuthorizations {
  const { spec, location, identityOf } = planning;
  const type = authorizationType(planning);
  const nameOf = (domain: Hostname) => planning.nameOf("authorization", authorizationName(domain, type, location));
  const existing = readExistingAuthorizations(planning);
  const usedExisting = new Set<string>();
  const byKey = new Map<string, { authorization: PlannedAuthorization; record: PlannedRecord }>();

  for (const certificate of certificates) {
    const { selfManaged, existingId, issuance } = certificate;
    if (selfManaged !== undefined || existingId !== undefined || issuance !== undefined) continue;
    const project = certificate.spec.project ?? spec.project;
    for (const domain of new Set(certificate.domains.map(baseDomain))) {
      if (existing.has(domain)) {
        usedExisting.add(domain);
        continue;
      }
      const key = JSON.stringify([domain, identityOf(project)]);
      if (byKey.has(key)) continue;
      const zone = zones.zoneOf(domain, pointerTo(certificate.at, "domains"), "its authorization");
      const owner = defined({ project });
      byKey.set(key, {
        authorization: {
          domain,
          name: nameOf(domain),
          type,
          location,
          ...owner,
          ...describe(planning, `Authorizes certificates for ${domain}`),
        },
        record: {
          domain,
          location,
          ...owner,
          ...defined({ zone }),
          published: spec.dns.kind,
          ttlSeconds: (spec.dns.kind === "cloudDns" ? spec.dns.ttlSeconds : undefined) ?? defaultTtlSeconds,
        },
      });
    }
  }
  const unused = [...existing.keys()].filter((domain) => !usedExisting.has(domain));
  reportUnused(unused, planning);
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, planned]) => planned);
  return {
    authorizations: sorted.map(({ authorization }) => authorization),
    records: sorted.map(({ record }) => record),
    authorizationOf: (domain) => {
      const existingId = existing.get(domain);
      if (existingId !== undefined) {
        return { authorization: { domain, existingId }, identity: identityOf(existingId) ?? existingId };
      }
      return { authorization: { domain }, identity: nameOf(domain) };
    },
  };
}

function reportUnused(domains: readonly Hostname[], { findings }: Planning): void {
  for (const domain of domains) {
    const at = pointerTo("/existingAuthorizations", domain);
    const what = `no managed certificate has a name under the authorization '${domain}'`;
    findings.report("authorization-unused", at, what);
  }
}

/**
 * Returns the name of an authorization. The name depends only on immutable fields: the service allows one authorization
 * per project, location, domain and type, so that a second one could not be created before the first is deleted.
 */
function authorizationName(domain: Hostname, type: AuthorizationTypeName, location: string): string {
  return deriveResourceName({ readable: domain, identity: [domain, type, location] });
}

function authorizationType({ spec, findings, location }: Planning): AuthorizationTypeName {
  if (spec.authorizationType === "FIXED_RECORD" && location !== "global") {
    findings.report("fixed-record-in-region", "/authorizationType", `FIXED_RECORD does not exist in '${location}'`);
  }
  return spec.authorizationType ?? (location === "global" ? "FIXED_RECORD" : "PER_PROJECT_RECORD");
}

function readExistingAuthorizations(planning: Planning): ReadonlyMap<Hostname, string> {
  const { spec, findings, location } = planning;
  const existing = new Map<Hostname, string>();
  const given = spec.existingAuthorizations ?? {};
  const keys = readHostnameKeys(given, "/existingAuthorizations", "existing authorization", findings);
  for (const [domain, { value: id, at }] of keys) {
    if (isWildcard(domain)) {
      findings.report("authorization-domain-wildcard", at, `'${domain}' is a wildcard`);
      continue;
    }
    const read = readResourceId(id, "dnsAuthorizations");
    if (read === undefined) {
      rejectResourceId("authorization-id-malformed", id, at, findings);
    } else if (read.location !== undefined && read.location !== location) {
      const what = `authorization '${read.id}' is in '${read.location}' and the certificates are in '${location}'`;
      const remedy = "use an authorization in the certificates' location";
      findings.report("certificate-location-mismatch", at, what, remedy);
    }
    existing.set(domain, read?.id ?? id);
  }
  return existing;
}
