import { InputError } from "../../errors";
import { baseDomain, compareHostnames, coverageOf, type Hostname, registrableDomain } from "../../hostnames";
import { defined } from "../../json/defined";
import { groupBy } from "../../json/group-by";
import type { AdoptedTargetHttpsProxySpec, CertificateSpec, MigrationSpec, ServingProxySpec } from "../../plan";
import { projectIn } from "../../resource-names";
import { quote } from "../../text/quote";
import { divideNames, inParts, issuedByPool, leftOutName, readMigratableName } from "../private-names";
import type { ProjectCertificate, ProjectForwardingRule, ProjectInventory, ProjectProxy } from "./model";
import { withPrimary } from "./primary";
import { wereRead } from "./unread";

/** Options of {@link projectToMigration}. */
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

/** The result of {@link projectToMigration}. */
export interface ProjectMigration {
  readonly spec: MigrationSpec;
  /** What was left out or needs attention, one sentence each. */
  readonly notices: readonly string[];
}

interface Member {
  readonly proxy: ProjectProxy;
  readonly addresses: readonly string[];
}

/** Minimum days of validity of an uploaded certificate: 30 for the migration, and 30 in which its end is reported. */
const leastUploadedDays = 60;
const dayMs = 86_400_000;
const mostLetters = 63;

/**
 * Returns the migration that attaches a certificate map in place to the global target proxies of a project that
 * present certificates of Compute Engine. Proxies that already have a map, regional proxies, proxies of the network
 * tier
 * STANDARD and proxies of GKE are left out with a notice, as are target SSL proxies without `sslProxies`.
 *
 * @returns undefined if no proxy can be migrated
 * @throws InputError `adopt-unknown` for a proxy that is not part of the migration
 */
export function projectToMigration(
  inventory: ProjectInventory,
  { name, group = "certificate", adopt = [], sslProxies = false, caPool, now }: ProjectMigrationOptions,
): ProjectMigration | undefined {
  const { notices, members, today, served } = servingToday(inventory, { sslProxies, now, ...defined({ caPool }) });
  const names = [...served.values()].flat().sort(compareHostnames);
  if (names.length === 0) return undefined;
  const groups = group === "domain" ? groupBy(names, (name) => registrableDomain(name) ?? baseDomain(name)) : served;
  const proxies = members.map(({ proxy }) => proxy);
  const { certificates, notices: ofPrimary } = withPrimary(
    certificatesOf(groups, caPool, inventory, now, notices),
    proxies,
    today,
  );
  notices.push(...ofPrimary);
  const adopted = adoptedOf(members, adopt, notices);
  return {
    spec: {
      name,
      project: inventory.project,
      certificates,
      dns: dnsOf(certificates, inventory, notices),
      loadBalancer: {
        kind: "globalExternal",
        servingProxies: members.map((member) => servingOf(member, inventory, caPool)),
        ...defined({ adoptTargetHttpsProxies: adopted.length === 0 ? undefined : adopted }),
      },
      mustServe: names,
    },
    notices,
  };
}

/**
 * Returns why a project gives no migration: the reason for which each proxy, certificate or name is left out, one
 * sentence each.
 */
export function whyWithoutMigration(
  inventory: ProjectInventory,
  options: Pick<ProjectMigrationOptions, "sslProxies" | "caPool" | "now">,
): readonly string[] {
  return servingToday(inventory, options).notices;
}

/** Returns the proxies of a migration with their certificates and names, and notices about what is left out. */
function servingToday(
  inventory: ProjectInventory,
  { sslProxies = false, caPool, now }: Pick<ProjectMigrationOptions, "sslProxies" | "caPool" | "now">,
) {
  const notices = inventory.unread.map(
    ({ what, project }) => `the ${what} of the project ${project} could not be read`,
  );
  const members = membersOf(inventory, sslProxies, notices);
  const presented = new Set(members.flatMap(({ proxy }) => proxy.certificateIds));
  const today = inventory.certificates.filter(({ id }) => presented.has(id));
  return { notices, members, today, served: servedDomains(today, caPool, now, notices) };
}

function membersOf(inventory: ProjectInventory, sslProxies: boolean, notices: string[]): readonly Member[] {
  const { proxies, forwardingRules } = inventory;
  return proxies.flatMap((proxy) => {
    const rules = forwardingRules.filter(({ proxyId }) => proxyId === proxy.id);
    const reason = whyLeftOut(proxy, rules, { sslProxies, knowsRules: wereRead(inventory, "forwardingRules") });
    if (reason !== undefined) {
      notices.push(`${proxy.id} is left out: ${reason}`);
      return [];
    }
    if (proxy.kind === "ssl") {
      notices.push(`${proxy.id} is a target SSL proxy: the configuration that owns it needs google 7.19 or later`);
    }
    const addresses = rules.filter(({ port }) => port === 443).map(({ ipAddress }) => ipAddress.replace(/\/\d+$/, ""));
    return [{ proxy, addresses: [...new Set(addresses)].sort() }];
  });
}

function whyLeftOut(
  proxy: ProjectProxy,
  rules: readonly ProjectForwardingRule[],
  { sslProxies, knowsRules }: { readonly sslProxies: boolean; readonly knowsRules: boolean },
): string | undefined {
  if (proxy.owner === "gke") return "GKE manages it; name the certificate map in its Gateway or Ingress";
  if (proxy.region !== undefined) return "a regional load balancer takes no certificate map";
  if (proxy.mapId !== undefined) return `it has the certificate map ${proxy.mapId}, whose entries are kept`;
  if (proxy.kind === "ssl" && !sslProxies)
    return "a target SSL proxy needs google 7.19 or later to hold a map beside certificates; --ssl-proxies includes it";
  if (proxy.presents !== "computeCertificates") return "it presents no certificates of Compute Engine";
  if (!knowsRules) return "its addresses could not be checked: forwarding rules not readable";
  if (rules.some(({ networkTier }) => networkTier === "STANDARD"))
    return "a forwarding rule of the network tier STANDARD leads to it, and a certificate map needs PREMIUM";
  if (!rules.some(({ port }) => port === 443)) return "no forwarding rule on port 443 leads to it";
  return rules.some(({ scheme }) => !scheme.startsWith("EXTERNAL"))
    ? "an internal load balancer takes no certificate map"
    : undefined;
}

function isIssued({ kind, notAfter }: ProjectCertificate): boolean {
  return kind !== "computeManaged" || notAfter !== undefined;
}

/** Returns the names that are served today, by the name of the certificate that keeps them in the migration. */
function servedDomains(
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
        notices.push(`${id} was never issued; the migration leaves it out, with its names: ${domains.join(", ")}`);
        return [name, []];
      }
      if (notAfter !== undefined && Date.parse(notAfter) < now.getTime()) {
        notices.push(`${id} expired on ${notAfter.slice(0, 10)}; its names are in the migration`);
      }
      const own = domains.flatMap((domain) => {
        const read = readMigratableName(domain, caPool);
        if (!("hostname" in read)) notices.push(`${id}: ${leftOutName(domain, read.problem)}`);
        return "hostname" in read && !taken.has(read.hostname) ? [read.hostname] : [];
      });
      for (const domain of own) taken.add(domain);
      return [name, own];
    }),
  );
}

/** Returns the certificates of the migration. An existing certificate that covers a whole group replaces a new one. */
function certificatesOf(
  groups: ReadonlyMap<string, readonly Hostname[]>,
  caPool: string | undefined,
  inventory: ProjectInventory,
  now: Date,
  notices: string[],
): readonly CertificateSpec[] {
  const existing = new Map<string, { readonly certificate: ProjectCertificate; readonly hostnames: Hostname[] }>();
  const managed: CertificateSpec[] = [];
  for (const [group, all] of groups) {
    const { public: domains, private: privateNames } = divideNames(all);
    if (caPool !== undefined && privateNames.length > 0) {
      const own = domains.length === 0 ? group : `${group}-private`;
      inParts(privateNames).forEach((part, index) => {
        managed.push({ name: nameOf(own, index), domains: part, issuedBy: { caPool } });
      });
      notices.push(issuedByPool(own, privateNames, caPool));
    }
    if (domains.length === 0) continue;
    const found = existingFor(domains, inventory, now, notices);
    if (found === undefined) {
      inParts(domains).forEach((part, index) => {
        managed.push({ name: nameOf(group, index), domains: part });
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
    const own = taken.has(name) ? nameOf(`${name}-existing`, 0) : name;
    return {
      name: own,
      existingCertificateId: id,
      domains: namesIn(domains),
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
): ProjectCertificate | undefined {
  const covering = certificates.filter(({ kind, region, scope, status, notAfter = "", domains }) => {
    if (!kind.startsWith("manager") || region !== undefined || (scope ?? "DEFAULT") !== "DEFAULT") return false;
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

function dnsOf(
  certificates: readonly CertificateSpec[],
  inventory: ProjectInventory,
  notices: string[],
): MigrationSpec["dns"] {
  const { zones, project } = inventory;
  const own = zones
    .filter(({ visibility }) => visibility === "public")
    .sort((a, b) => Number(b.project === project) - Number(a.project === project));
  const domains = certificates
    .filter(({ existingCertificateId, issuedBy }) => existingCertificateId === undefined && issuedBy === undefined)
    .flatMap(({ domains: listed = [] }) => listed.map((domain) => domain.replace(/^\*\./, "")));
  const used = new Map<string, string | { readonly name: string; readonly project: string }>();
  const missing = new Set<string>();
  const ambiguous = new Map<string, readonly string[]>();
  for (const domain of domains) {
    const above = own.filter(({ dnsName }) => domain === dnsName || domain.endsWith(`.${dnsName}`));
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

function namesIn(domains: readonly string[], caPool?: string): readonly Hostname[] {
  return domains.flatMap((domain) => {
    const read = readMigratableName(domain, caPool);
    return "hostname" in read ? [read.hostname] : [];
  });
}

function servingOf(
  { proxy, addresses }: Member,
  { certificates }: ProjectInventory,
  caPool: string | undefined,
): ServingProxySpec {
  const listed = new Map(certificates.filter(isIssued).map(({ id, domains }) => [id, namesIn(domains, caPool)]));
  const direct = proxy.certificateIds.flatMap((id) => {
    const domains = listed.get(id) ?? [];
    return domains.length === 0 ? [] : [{ id, domains }];
  });
  return { proxy: proxy.id, addresses, certificates: direct };
}

function adoptedOf(
  members: readonly Member[],
  adopt: readonly string[],
  notices: string[],
): readonly AdoptedTargetHttpsProxySpec[] {
  const adoptable = members.filter(({ proxy }) => proxy.kind === "https");
  return [...new Set(adopt)].map((wanted) => {
    const member = adoptable.find(({ proxy }) => proxy.id === wanted || proxy.name === wanted);
    if (member === undefined) {
      const known = adoptable.map(({ proxy }) => proxy.name).join(", ");
      const expected = known === "" ? "it has none" : `expected one of ${known}`;
      const what = `--adopt ${quote(wanted)} is not a target HTTPS proxy of the migration`;
      throw new InputError("adopt-unknown", `${what}; ${expected}`);
    }
    const { proxy } = member;
    notices.push(`${proxy.id} is imported: no other Terraform configuration or tool may manage it any more`);
    return {
      name: proxy.name,
      ...defined({ project: projectIn(proxy.id) }),
      urlMap: proxy.urlMapId ?? "",
      sslCertificates: proxy.certificateIds,
      sslPolicy: proxy.sslPolicyId ?? null,
      quicOverride: (proxy.quicOverride ?? null) as NonNullable<AdoptedTargetHttpsProxySpec["quicOverride"]> | null,
      tlsEarlyData: (proxy.tlsEarlyData ?? null) as NonNullable<AdoptedTargetHttpsProxySpec["tlsEarlyData"]> | null,
      httpKeepAliveTimeoutSeconds: proxy.httpKeepAliveTimeoutSeconds ?? null,
      serverTlsPolicy: proxy.serverTlsPolicyId ?? null,
      description: proxy.description ?? null,
    };
  });
}
