import { covers, type Hostname } from "../hostnames";
import { groupBy } from "../json/group-by";
import { pointerTo } from "../json/pointer";
import type { ReadCertificate } from "./certificates";
import { describe } from "./labels";
import type { PlannedEntry, PlannedMap } from "./model";
import { deriveResourceName } from "./names";
import {
  hostnameReader,
  type Planning,
  readPlacedHostnames,
  readResourceId,
  rejectResourceId,
  usesMap,
} from "./planning";

const maxCertificatesOfEntry = 4;

/** Plans the map that holds the entries: a new map, or an existing one. */
export function planMap(planning: Planning): PlannedMap | undefined {
  const { spec, findings } = planning;
  const owner = spec.project === undefined ? {} : { project: spec.project };
  if (spec.existingCertificateMap !== undefined) {
    const at = "/existingCertificateMap";
    if (!usesMap(planning)) {
      const what = `a ${planning.loadBalancer} load balancer can't use a certificate map`;
      findings.report("map-not-allowed", at, what);
      return undefined;
    }
    const read = readResourceId(spec.existingCertificateMap, "certificateMaps");
    if (read === undefined || (read.location !== undefined && read.location !== "global")) {
      rejectResourceId("map-id-malformed", spec.existingCertificateMap, at, findings);
    }
    return { kind: "existing", existingId: read?.id ?? spec.existingCertificateMap, ...owner };
  }
  if (!usesMap(planning)) return undefined;
  return {
    kind: "new",
    name: planning.nameOf(
      "map",
      deriveResourceName({
        prefix: spec.namePrefix,
        readable: spec.name,
        identity: [planning.identityOf(spec.name)],
      }),
    ),
    ...owner,
    ...describe(planning, `Certificates of ${spec.name}`),
  };
}

/**
 * Plans one entry per hostname, and the PRIMARY entry. Without a map the list is empty, but the served names are
 * checked as well.
 */
export function planEntries(planning: Planning, certificates: readonly ReadCertificate[]): readonly PlannedEntry[] {
  const known = new Map(certificates.map((certificate) => [certificate.id, certificate]));
  const alternatives = readAlternatives(planning, known);
  const owners = findOwners(planning, certificates, alternatives);
  if (!usesMap(planning)) {
    for (const { spec, at, id } of certificates) {
      for (const field of ["primary", "alternatives"] as const) {
        if (spec[field] !== undefined && spec[field] !== false) {
          const what = `certificate '${id}' has '${field}' and a ${planning.loadBalancer} load balancer has no map`;
          planning.findings.report("map-not-allowed", pointerTo(at, field), what);
        }
      }
    }
    return [];
  }
  const entries = [...owners].map(([hostname, owner]) => planEntry(planning, hostname, owner, alternatives, known));
  const primaries = certificates.filter((certificate) => certificate.spec.primary === true);
  if (primaries.length > 1) {
    const names = primaries.map(({ id }) => `'${id}'`).join(" and ");
    const at = pointerTo(primaries[1]?.at ?? "", "primary");
    planning.findings.report("primary-repeated", at, `${names} are both primary`);
  }
  const primary = primaries[0];
  if (primary !== undefined) entries.push(planEntry(planning, "PRIMARY", primary, alternatives, known));
  return entries.sort((a, b) => (a.hostname < b.hostname ? -1 : 1));
}

/** Returns the names that the plan serves: by entries, or by certificates on the proxy. */
export function servedNames(planning: Planning, certificates: readonly ReadCertificate[]): readonly Hostname[] {
  return [
    ...new Set(certificates.flatMap(({ hostnames, domains }) => (usesMap(planning) ? hostnames : domains))),
  ].sort();
}

/** Checks `mustServe` against the names that the plan serves. */
export function checkMustServe(planning: Planning, served: readonly Hostname[]): void {
  const { spec, findings } = planning;
  const exact = new Set<string>(served);
  const wildcards = new Set<string>(served.filter((name) => name.startsWith("*.")));
  const names = readPlacedHostnames(
    spec.mustServe ?? [],
    "/mustServe",
    "'mustServe'",
    findings,
    hostnameReader(planning),
  );
  for (const [name, at] of names) {
    if (!exact.has(name) && !wildcards.has(wildcardOver(name))) {
      findings.report("must-serve-missing", at, `no certificate of the migration serves '${name}'`);
    }
  }
}

/** Returns the only wildcard that covers a name. */
export function wildcardOver(name: string): string {
  return `*${name.slice(name.indexOf("."))}`;
}

/** Returns, for each certificate, the ids of the other certificates in its entries. */
function readAlternatives(
  { findings }: Planning,
  known: ReadonlyMap<string, ReadCertificate>,
): ReadonlyMap<string, readonly string[]> {
  const alternatives = new Map<string, readonly string[]>();
  for (const { id, at, spec } of known.values()) {
    const read = (spec.alternatives ?? []).flatMap((alternative, index) => {
      if (known.has(alternative) && alternative !== id) return [alternative];
      const resource = readResourceId(alternative, "certificates");
      if (resource !== undefined) return [resource.id];
      const what = `'${alternative}', an alternative of '${id}', is unknown`;
      findings.report("alternative-unknown", pointerTo(at, "alternatives", index), what);
      return [];
    });
    alternatives.set(id, [...new Set(read)]);
  }
  for (const { id, at } of known.values()) {
    for (const alternativeId of alternatives.get(id) ?? []) {
      if (id < alternativeId && alternatives.get(alternativeId)?.includes(id)) {
        findings.report(
          "alternatives-mutual",
          pointerTo(at, "alternatives"),
          `'${id}' and '${alternativeId}' name each other`,
        );
      }
    }
  }
  return alternatives;
}

/**
 * Returns which certificate has the entry of a hostname: the certificate that claims it and is not an alternative of
 * another claimant.
 */
function findOwners(
  planning: Planning,
  certificates: readonly ReadCertificate[],
  alternatives: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<Hostname, ReadCertificate> {
  const claims = certificates.flatMap((owner) => owner.hostnames.map((hostname) => ({ hostname, owner })));
  const owners = new Map<Hostname, ReadCertificate>();
  for (const [hostname, claimsOf] of groupBy(claims, (claim) => claim.hostname)) {
    const claimants = claimsOf.map((claim) => claim.owner);
    const independent = claimants.filter(
      ({ id }) => !claimants.some((claimant) => alternatives.get(claimant.id)?.includes(id)),
    );
    const [owner, second] = independent.length === 0 ? claimants : independent;
    if (owner === undefined) continue;
    if (second !== undefined && usesMap(planning) && independent.length > 1) {
      const what = `'${hostname}' is in certificates '${owner.id}' and '${second.id}'`;
      planning.findings.report("hostname-in-two-certificates", second.at, what);
    }
    owners.set(hostname, owner);
    if (!owner.domains.some((domain) => covers(domain, hostname))) {
      const has = owner.domains.length === 0 ? "no known domain" : owner.domains.join(", ");
      const what = `'${hostname}' is not covered by certificate '${owner.id}', which has ${has}`;
      planning.findings.report("entry-not-covered", pointerTo(owner.at, "hostnames"), what);
    }
  }
  return owners;
}

function planEntry(
  planning: Planning,
  hostname: Hostname | "PRIMARY",
  owner: ReadCertificate,
  alternatives: ReadonlyMap<string, readonly string[]>,
  known: ReadonlyMap<string, ReadCertificate>,
): PlannedEntry {
  const { findings } = planning;
  const certificates = [owner.id, ...(alternatives.get(owner.id) ?? [])];
  if (certificates.length > maxCertificatesOfEntry) {
    const what = `the entry of '${hostname}' would list ${certificates.length} certificates`;
    findings.report("entry-too-many-certificates", pointerTo(owner.at, "alternatives"), what);
  }
  for (const id of certificates.slice(1)) {
    const domains = known.get(id)?.domains ?? [];
    if (hostname !== "PRIMARY" && domains.length > 0 && !domains.some((domain) => covers(domain, hostname))) {
      const what = `'${hostname}' is not covered by certificate '${id}', an alternative of '${owner.id}'`;
      planning.findings.report("entry-not-covered", pointerTo(owner.at, "alternatives"), what);
    }
  }
  return {
    hostname,
    // Names of entries are unique within their map, and entries are never renamed. The name therefore contains neither
    // prefix nor migration.
    name: planning.nameOf("entry", deriveResourceName({ readable: hostname, identity: [hostname] })),
    certificates,
    ...describe(planning, hostname === "PRIMARY" ? "Serves clients that name no known host" : `Serves ${hostname}`),
  };
}
