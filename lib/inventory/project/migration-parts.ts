/** The parts of a project's migration that all kinds of load balancers share: names, certificates and zones. */
import { baseDomain, compareHostnames, coverageOf, type Hostname, registrableDomain } from "../../hostnames";
import { groupBy } from "../../json/group-by";
import { type CertificateSpec, formOf, type MigrationSpec } from "../../plan";
import type { ProjectCertificate, ProjectInventory } from "../../project-inventory";
import {
  divideNames,
  inParts,
  issuedByPool,
  issuedCertificate,
  leftOutName,
  readMigratableName,
} from "../private-names";

/** Options of `projectToMigration`. */
export interface ProjectMigrationOptions {
  /** Identity of the migration. */
  readonly name: string;
  /**
   * Managed certificates: one for each certificate of today, or one for each registered domain.
   *
   * @default "certificate"
   */
  readonly group?: "certificate" | "domain";
  /** Names or ids of proxies that Terraform imports. @default - none: only a map is created */
  readonly adopt?: readonly string[];
  /**
   * Whether the migration contains target SSL proxies. The configuration that owns them needs google 7.19 or later.
   *
   * @default false
   */
  readonly sslProxies?: boolean;
  /**
   * CA pool that issues certificates for names that no public CA certifies: `projects/P/locations/L/caPools/POOL`.
   *
   * @default - these names are left out with a notice
   */
  readonly caPool?: string;
  /** Time with which the validity of certificates is compared. */
  readonly now: Date;
}

/** The result of `projectToMigration`. */
export interface ProjectMigration {
  readonly spec: MigrationSpec;
  /** What was left out or needs attention, one sentence each. */
  readonly notices: readonly string[];
}

/** Minimum days of validity of an uploaded certificate: 30 for the migration, and 30 in which its end is reported. */
const leastUploadedDays = 60;
const dayMs = 86_400_000;
const mostLetters = 63;

/** Where a load balancer takes certificates of Certificate Manager from. */
export interface CertificatePlace {
  /** @default - global */
  readonly region?: string;
  readonly scope: "DEFAULT" | "ALL_REGIONS";
}

/** Returns the names in groups: one group for each managed certificate of the migration. */
export function groupNames(
  served: ReadonlyMap<string, readonly Hostname[]>,
  group: "certificate" | "domain",
): ReadonlyMap<string, readonly Hostname[]> {
  const names = [...served.values()].flat().sort(compareHostnames);
  return group === "domain" ? groupBy(names, (name) => registrableDomain(name) ?? baseDomain(name)) : served;
}

export function isIssued({ kind, notAfter }: ProjectCertificate): boolean {
  return kind !== "computeManaged" || notAfter !== undefined;
}

/** Returns the names that are served today, by the name of the certificate that keeps them in the migration. */
export function servedDomains(
  certificates: readonly ProjectCertificate[],
  caPool: string | undefined,
  now: Date,
  notices: string[],
): ReadonlyMap<string, readonly Hostname[]> {
  const taken = new Set<Hostname>();
  const newestFirst = [...certificates].sort((a, b) => {
    const [left = "", right = ""] = [a.notAfter, b.notAfter];
    return left === right ? compareHostnames(a.id, b.id) : left > right ? -1 : 1;
  });
  return new Map(
    newestFirst.map((certificate) => {
      const { id, name, domains, notAfter } = certificate;
      if (!isIssued(certificate)) {
        notices.push(
          `${id} was never issued; the migration leaves it out, with its names: ${domains.join(", ")}; to serve these names, add them to 'certificates' and 'mustServe', otherwise detach the certificate`,
        );
        return [name, []];
      }
      if (notAfter !== undefined && Date.parse(notAfter) < now.getTime()) {
        notices.push(`${id} expired on ${notAfter.slice(0, 10)}; its names are in the migration`);
      }
      const names = domains.flatMap((domain) => {
        const read = readMigratableName(domain, caPool);
        if (!("hostname" in read)) notices.push(`${id}: ${leftOutName(domain, read.problem)}`);
        return "hostname" in read && !taken.has(read.hostname) ? [read.hostname] : [];
      });
      for (const domain of names) taken.add(domain);
      return [name, names];
    }),
  );
}

/** Returns the certificates of the migration. An existing certificate that covers a whole group replaces a new one. */
export function certificatesOf(
  groups: ReadonlyMap<string, readonly Hostname[]>,
  caPool: string | undefined,
  inventory: ProjectInventory,
  now: Date,
  notices: string[],
  place: CertificatePlace,
): readonly CertificateSpec[] {
  const existing = new Map<string, { readonly certificate: ProjectCertificate; readonly hostnames: Hostname[] }>();
  const managed: CertificateSpec[] = [];
  for (const [group, all] of groups) {
    const { public: domains, private: privateNames } = divideNames(all);
    if (caPool !== undefined && privateNames.length > 0) {
      const groupName = domains.length === 0 ? group : `${group}-private`;
      inParts(privateNames).forEach((part, index) => {
        managed.push(issuedCertificate(nameOf(groupName, index), part, caPool));
      });
      notices.push(issuedByPool(groupName, privateNames, caPool));
    }
    if (domains.length === 0) continue;
    const found = existingFor(domains, inventory, now, notices, place);
    if (found === undefined) {
      inParts(domains).forEach((part, index) => {
        managed.push(issuedCertificate(nameOf(group, index), part, caPool));
      });
      continue;
    }
    const until = found.renewedBy === "you" ? `; replace it before ${found.notAfter?.slice(0, 10)}` : "";
    notices.push(`${found.id} covers ${domains.join(", ")} and is used instead of a new certificate${until}`);
    const known = existing.get(found.id);
    if (known === undefined) existing.set(found.id, { certificate: found, hostnames: [...domains] });
    else known.hostnames.push(...domains);
  }
  const taken = new Set(managed.map(({ name }) => name));
  const reused = [...existing.values()].map(({ certificate, hostnames }): CertificateSpec => {
    const { id, name, domains } = certificate;
    const freeName = taken.has(name) ? nameOf(`${name}-existing`, 0) : name;
    return {
      kind: "existing",
      name: freeName,
      id,
      domains: namesOfProxy(domains),
      hostnames: hostnames.sort(compareHostnames),
    };
  });
  return [...managed, ...reused].sort((a, b) => compareHostnames(a.name ?? "", b.name ?? ""));
}

/** Returns an active certificate of Certificate Manager that covers all names, a managed one if there is one. */
function existingFor(
  names: readonly Hostname[],
  { certificates }: ProjectInventory,
  now: Date,
  notices: string[],
  place: CertificatePlace,
): ProjectCertificate | undefined {
  const covering = certificates.filter(({ kind, region, scope, status, notAfter = "", domains }) => {
    if (!kind.startsWith("manager") || region !== place.region) return false;
    if ((scope ?? "DEFAULT") !== place.scope) return false;
    if (status !== "ACTIVE" || Date.parse(notAfter) <= now.getTime() || notAfter === "") return false;
    const covered = new Set(domains);
    return names.every((name) => covered.has(name) || (!name.startsWith("*.") && coverageOf(covered, name) !== "none"));
  });
  const isLasting = ({ notAfter = "" }: ProjectCertificate) =>
    Date.parse(notAfter) - now.getTime() >= leastUploadedDays * dayMs;
  const found = covering.find(({ renewedBy }) => renewedBy === "google") ?? covering.find(isLasting);
  const [ending] = covering;
  if (found === undefined && ending !== undefined) {
    const end = `it expires on ${ending.notAfter?.slice(0, 10)}, in less than ${leastUploadedDays} days, and nothing renews it`;
    notices.push(`${ending.id} covers ${names.join(", ")} and is not used: ${end}; a managed certificate is created`);
  }
  return found;
}

function nameOf(group: string, index: number): string {
  const suffix = index === 0 ? "" : `-${index + 1}`;
  return `${group.slice(0, mostLetters - suffix.length).replace(/[^a-z0-9]+$/, "")}${suffix}`;
}

export function dnsOf(
  certificates: readonly CertificateSpec[],
  inventory: ProjectInventory,
  notices: string[],
): MigrationSpec["dns"] {
  const { zones, project } = inventory;
  const usable = zones
    .filter(({ visibility }) => visibility === "public")
    .sort((a, b) => Number(b.project === project) - Number(a.project === project));
  const domains = certificates
    .filter((certificate) => formOf(certificate).kinds.includes("managed"))
    .flatMap(({ domains: listed = [] }) => listed.map((domain) => domain.replace(/^\*\./, "")));
  const used = new Map<string, string | { readonly name: string; readonly project: string }>();
  const missing = new Set<string>();
  const ambiguous = new Map<string, readonly string[]>();
  for (const domain of domains) {
    const above = usable.filter(({ dnsName }) => domain === dnsName || domain.endsWith(`.${dnsName}`));
    const [zone] = above.sort((a, b) => b.dnsName.length - a.dnsName.length);
    const same = above.filter(({ dnsName }) => dnsName === zone?.dnsName).map(({ id }) => id);
    if (same.length > 1) ambiguous.set(zone?.dnsName ?? "", same);
    if (zone === undefined) missing.add(domain);
    else used.set(zone.dnsName, zone.project === project ? zone.name : { name: zone.name, project: zone.project });
  }
  for (const [domain, [first, ...others]] of ambiguous) {
    notices.push(
      `${domain} has several public zones: ${first} is used, and ${others.join(", ")} is not; keep the zone that the parent domain delegates to ('doctor' checks it)`,
    );
  }
  if (used.size === 0) {
    const remedy = "publish the CNAME records manually (dns: external), or add the zones";
    if (missing.size > 0) notices.push(`no zone of the names was read: ${remedy}`);
    return { kind: "external" };
  }
  if (missing.size > 0) notices.push(`add the zones of these names to 'dns.zones': ${[...missing].sort().join(", ")}`);
  return { kind: "cloudDns", zones: Object.fromEntries(used) };
}

export function namesOfProxy(domains: readonly string[], caPool?: string): readonly Hostname[] {
  return domains.flatMap((domain) => {
    const read = readMigratableName(domain, caPool);
    return "hostname" in read ? [read.hostname] : [];
  });
}
