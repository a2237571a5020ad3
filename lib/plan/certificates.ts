import { baseDomain, coverageOf, type Hostname, isWildcard, readHostname, readPrivateHostname } from "../hostnames";
import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import { listFirst } from "../text/words";
import { type CertificateForm, existingIdPointer, formOf, kindPointer } from "./certificate-form";
import type { Findings } from "./findings";
import { checkPrivateNames, type ReadIssuance, readIssuedBy } from "./issuance";
import { describe } from "./labels";
import { traitsOf } from "./load-balancer-kinds";
import type { CertificateAuthorization, PlannedCertificate, PlannedIssuanceConfig } from "./model";
import { deriveResourceName } from "./names";
import { type Planning, readHostnames, readResourceId, rejectResourceId, usesMap } from "./planning";
import { readSelfManaged, type SelfManagedMaterial } from "./self-managed";
import type { CertificateSpec } from "./spec";

const namePattern = /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/;
const maxCommonNameLength = 64;
const defaultMaxDomains = 100;

/** A certificate as read from the spec, before names are derived. */
export interface ReadCertificate {
  readonly spec: CertificateForm;
  readonly at: string;
  /** Index in `certificates` of the spec. */
  readonly specIndex: number;
  readonly id: string;
  readonly domains: readonly Hostname[];
  /** Hostnames that get entries. */
  readonly hostnames: readonly Hostname[];
  readonly selfManaged?: SelfManagedMaterial;
  readonly existingId?: string;
  readonly issuance?: ReadIssuance;
}

/** Reads every certificate. A certificate that cannot be identified is reported and left out. */
export function readCertificates(planning: Planning): readonly ReadCertificate[] {
  const { spec, findings } = planning;
  const read = spec.certificates.flatMap((certificate, index) => {
    const result = readCertificate(planning, certificate, pointerTo("/certificates", index));
    return result === undefined ? [] : [{ ...result, specIndex: index }];
  });
  const byId = new Map<string, ReadCertificate>();
  for (const certificate of read) {
    if (byId.has(certificate.id)) {
      const what = `two certificates have the name '${certificate.id}'`;
      findings.report("certificate-name-repeated", certificate.at, what);
    } else {
      byId.set(certificate.id, certificate);
    }
  }
  checkParents([...byId.values()], findings);
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Warns about wildcards of managed certificates whose parent domain no certificate covers. */
function checkParents(certificates: readonly ReadCertificate[], findings: Findings): void {
  const known = new Set(certificates.flatMap(({ domains, hostnames }) => [...domains, ...hostnames]));
  for (const { spec, domains, at, selfManaged, existingId } of certificates) {
    if (selfManaged !== undefined || existingId !== undefined) continue;
    for (const domain of domains.filter(
      (hostname) => isWildcard(hostname) && coverageOf(known, baseDomain(hostname)) === "none",
    )) {
      const what = `${ownerOf(spec)}: no certificate of this migration has '${baseDomain(domain)}', the parent domain of '${domain}'`;
      findings.report("wildcard-without-parent", at, what);
    }
  }
}

/** Kinds in messages. */
const kindWords = {
  managed: "managed",
  selfManaged: "self-managed",
  existing: "existing",
  privateCa: "issued by a private CA",
} as const;

function readCertificate(
  planning: Planning,
  given: CertificateSpec,
  at: string,
): Omit<ReadCertificate, "specIndex"> | undefined {
  const { findings } = planning;
  const spec = formOf(given);
  const owner = ownerOf(spec);
  if (spec.kinds.length > 1) {
    const kinds = spec.kinds.map((kind) => kindWords[kind]).join(" and ");
    findings.report("certificate-kind-ambiguous", at, `${owner} is ${kinds} at once`);
  }
  const readName = spec.issuedBy === undefined ? readHostname : readPrivateHostname;
  const listed = readHostnames(spec.domains ?? [], pointerTo(at, "domains"), owner, findings, readName);
  const selfManaged =
    spec.selfManaged &&
    readSelfManaged(planning, spec.selfManaged, listed, owner, kindPointer(given, "selfManaged", at));
  const domains = listed.length > 0 ? listed : (selfManaged?.domains ?? []);
  const existingId =
    spec.existingId === undefined ? undefined : readExistingId(planning, spec.existingId, existingIdPointer(given, at));
  const needsDomains = existingId === undefined || usesMap(planning) || spec.name === undefined;
  if (domains.length === 0 && needsDomains) {
    // Without a readable PEM, the missing domains are only a consequence.
    if ((spec.domains ?? []).length === 0 && selfManaged?.isUnreadable !== true)
      findings.report("certificate-domains-missing", at, `${owner} has no domains`);
    return undefined;
  }
  const id = spec.name ?? principalDomain(domains);
  const nameAt = pointerTo(at, "name");
  if (spec.name !== undefined && !namePattern.test(spec.name)) {
    findings.report("name-invalid", nameAt, `'${spec.name}' is not a valid certificate name`);
  }
  checkFit(planning, spec, at, owner);
  if (selfManaged === undefined && existingId === undefined) checkDomains(planning, domains, at, owner);
  const hostnames =
    spec.hostnames && readHostnames(spec.hostnames, pointerTo(at, "hostnames"), owner, findings, readName);
  const project = spec.project ?? planning.spec.project;
  const issuance =
    spec.issuedBy && readIssuedBy(planning, spec.issuedBy, project, owner, kindPointer(given, "privateCa", at));
  if (issuance !== undefined) checkPrivateNames(planning, domains, owner, at);
  return { spec, at, id, domains, hostnames: hostnames ?? domains, ...defined({ selfManaged, existingId, issuance }) };
}

/** Returns the name of a certificate in messages, which does not depend on its position in the list. */
function ownerOf({ name, domains = [], selfManaged }: CertificateForm): string {
  if (name !== undefined) return `certificate '${name}'`;
  const [first] = [...domains].sort();
  if (first !== undefined) return `certificate of '${first}'`;
  return selfManaged === undefined ? "a certificate without name and domains" : "a self-managed certificate";
}

/**
 * Returns the domain that identifies a certificate: exact names before wildcards, then fewer labels, then shorter
 * names.
 */
function principalDomain(domains: readonly Hostname[]): Hostname {
  const rank = (domain: Hostname): readonly [number, number, number] => [
    isWildcard(domain) ? 1 : 0,
    domain.split(".").length,
    domain.length,
  ];
  return domains.reduce((best, domain) => {
    const [a, b] = [rank(domain), rank(best)];
    const first = a.findIndex((value, index) => value !== b[index]);
    return first !== -1 && (a[first] as number) < (b[first] as number) ? domain : best;
  });
}

function readExistingId(planning: Planning, id: string, at: string): string {
  const read = readResourceId(id, "certificates");
  if (read === undefined) {
    rejectResourceId("certificate-id-malformed", id, at, planning.findings);
    return id;
  }
  if (read.location !== undefined && read.location !== planning.location) {
    const what = `'${read.id}' is in '${read.location}' and the load balancer needs '${planning.location}'`;
    planning.findings.report("certificate-location-mismatch", at, what);
  }
  const gate = planning.spec.gate ?? "wait";
  if (gate === "precondition" || gate === "check") {
    planning.findings.report("certificate-not-gated", at, `the gate '${gate}' does not check '${read.id}'`);
  }
  return read.id;
}

function checkFit(planning: Planning, spec: CertificateForm, at: string, owner: string): void {
  const { findings, location } = planning;
  if (spec.location !== undefined && spec.location !== location) {
    const what = `${owner} is in '${spec.location}' and a ${planning.loadBalancer} load balancer needs '${location}'`;
    findings.report("certificate-location-mismatch", pointerTo(at, "location"), what);
  }
  const scope = traitsOf(planning.loadBalancer).certificateScope;
  if (spec.scope !== undefined && spec.scope !== scope) {
    const what = `${owner} has scope '${spec.scope}' and a ${planning.loadBalancer} load balancer needs '${scope}'`;
    findings.report("certificate-scope-mismatch", pointerTo(at, "scope"), what);
  }
}

function checkDomains({ spec, findings }: Planning, domains: readonly Hostname[], at: string, owner: string): void {
  const limit = spec.maxDomainsPerCertificate ?? defaultMaxDomains;
  if (domains.length > limit) {
    const what = `${owner} lists ${domains.length} domains, the limit is ${limit}`;
    findings.report("certificate-too-many-domains", at, what);
  }
  if (domains.every((domain) => domain.length > maxCommonNameLength)) {
    const what = `${owner}: '${domains[0]}' has ${domains[0]?.length} characters and is the shortest name of the certificate`;
    findings.report("certificate-domain-long", at, what);
  }
}

/** Returns the issuance configs to create, each once. */
export function planIssuanceConfigs(certificates: readonly ReadCertificate[]): readonly PlannedIssuanceConfig[] {
  const configs = certificates.flatMap(({ issuance }) => issuance?.config ?? []);
  const keyOf = ({ name, project, caPool, lifetimeSeconds, ...more }: PlannedIssuanceConfig) =>
    JSON.stringify([name, project ?? "", caPool, lifetimeSeconds, more.rotationWindowPercentage, more.keyAlgorithm]);
  const byKey = new Map(configs.map((config) => [keyOf(config), config]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, config]) => config);
}

/** An authorization, and its identity in the hash of a certificate's name. */
export interface AuthorizationForName {
  readonly authorization: CertificateAuthorization;
  readonly identity: string;
}

/** Plans the resource of a certificate. */
export function planCertificate(
  planning: Planning,
  certificate: ReadCertificate,
  authorizationOf: (domain: Hostname) => AuthorizationForName,
): PlannedCertificate {
  const { spec, location } = planning;
  const { id, domains, at, specIndex } = certificate;
  const project = certificate.spec.project ?? spec.project;
  const scope = traitsOf(planning.loadBalancer).certificateScope;
  const base = { id, domains, location, scope, at, specIndex, ...defined({ project }) };
  if (certificate.existingId !== undefined) return { ...base, kind: "existing", existingId: certificate.existingId };

  const described = describe(planning, `Serves ${listFirst(domains, 5)}`, {
    description: certificate.spec.description,
    labels: certificate.spec.labels,
    at,
  });
  const nameOf = (identity: readonly unknown[]) => {
    const suggested = deriveResourceName({
      prefix: spec.namePrefix,
      readable: id,
      identity: [planning.identityOf(spec.name), id, location, scope, certificate.spec.generation ?? 0, ...identity],
    });
    return planning.nameOf("certificate", suggested);
  };
  if (certificate.selfManaged !== undefined) {
    const { certificatePem, identity } = certificate.selfManaged;
    return { ...base, ...described, kind: "selfManaged", certificatePem, name: nameOf(identity) };
  }
  const { issuance } = certificate;
  if (issuance !== undefined) {
    const { config, existingId, identity } = issuance;
    return {
      ...base,
      ...described,
      kind: "managed",
      authorizations: [],
      issuance: config === undefined ? { existingId: existingId ?? "" } : { config: config.name },
      name: nameOf([domains, "issuance", identity]),
    };
  }
  const authorizations = [...new Set(domains.map(baseDomain))].sort().map(authorizationOf);
  return {
    ...base,
    ...described,
    kind: "managed",
    authorizations: authorizations.map(({ authorization }) => authorization),
    name: nameOf([domains, authorizations.map(({ identity }) => identity)]),
  };
}
