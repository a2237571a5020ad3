import { severityRanks } from "../../findings/codes";
import { baseDomain, groupByRegistrableDomain, type Hostname, readHostname } from "../../hostnames";
import { defined } from "../../json/defined";
import { groupBy } from "../../json/group-by";
import {
  namesServedByProxy,
  type ProjectCertificate,
  type ProjectDomainStatus,
  type ProjectFinding,
  type ProjectFindingCode,
  type ProjectForwardingRule,
  type ProjectProbe,
  type ProjectProxy,
  type ProjectUnread,
  projectFinding,
} from "../../project-inventory";
import { assessRenewal, type RenewalObstacle } from "../../renewal";
import { writeProject } from "../../resource-names";
import { countOf, listFirst } from "../../text/words";
import type { AssembledProject } from "./assemble";
import { endpointLabel } from "./describe-balancers";
import { uncheckedBecauseOf, unreadNouns, wereRead } from "./unread";

/** What would stop the renewal of certificates, by their id. */
export type RenewalObstacles = ReadonlyMap<string, readonly RenewalObstacle[]>;

/** With what the renewals of certificates are judged. */
interface RenewalView {
  readonly now: Date;
  readonly obstacles: RenewalObstacles;
}

const mostComputeCertificates = 15;
const mostManagerCertificates = 100;
/** Users of certificates that no load balancer serves to clients, by scope. */
const usersOfScope: Readonly<Record<string, string>> = {
  EDGE_CACHE: "edge cache services of Media CDN",
  CLIENT_AUTH: "backend authentication configs",
};
const mostListed = 5;

/**
 * Returns what blocks the migration of a project or is worth knowing, the most severe first.
 *
 * @param probes what the addresses served; empty if they were not probed
 * @param now time with which the validity of certificates is compared
 * @param obstacles what would stop renewals. @default - not known
 */
export function judgeProject(
  inventory: AssembledProject,
  probes: readonly ProjectProbe[],
  now: Date,
  obstacles: RenewalObstacles = new Map(),
): readonly ProjectFinding[] {
  const order = new Map<string, number>();
  const found = [
    ...inventory.unread.map(judgeUnread),
    ...judgeCertificates(inventory, { now, obstacles }),
    ...judgeProxies(inventory),
    ...judgeZones(inventory),
    ...judgeProbes(probes, inventory),
  ];
  for (const { code } of found) if (!order.has(code)) order.set(code, order.size);
  const rank = ({ code }: ProjectFinding) => order.get(code) ?? 0;
  return found.sort((a, b) => severityRanks[a.severity] - severityRanks[b.severity] || rank(a) - rank(b));
}

function judgeUnread(list: ProjectUnread): ProjectFinding {
  const { what, project, permission, reason } = list;
  const need = permission === undefined ? "" : `, which needs ${permission}`;
  const unchecked = uncheckedBecauseOf(list);
  const missing = unchecked === undefined ? "" : `; could not be checked: ${unchecked}`;
  const message = `the ${what} could not be read${need}: ${reason}${missing}`;
  return projectFinding("project-unread", writeProject(project), message);
}

function judgeCertificates(inventory: AssembledProject, view: RenewalView): readonly ProjectFinding[] {
  const { certificates, proxies, maps } = inventory;
  const attached = new Set(proxies.flatMap(({ certificateIds }) => certificateIds));
  const inMap = new Set(maps.flatMap(({ entries }) => entries.flatMap(({ certificateIds }) => certificateIds)));
  // Without the proxies and the entries of all maps, no certificate is known to be unused.
  const knowsUsers = wereRead(inventory, "targetHttpsProxies", "targetSslProxies", "certificateMaps", "mapEntries");
  return certificates.flatMap((certificate) => {
    const { id, kind, scope = "", domains, proxyIds } = certificate;
    const user = usersOfScope[scope];
    if (user !== undefined) {
      const message = `its scope is ${scope}, for ${user}; it has ${listed(domains)}`;
      return [...judgeRenewal(certificate, view), projectFinding("certificate-other-scope", id, message)];
    }
    if (proxyIds.length > 0) return judgePresented(certificate, view);
    if (attached.has(id)) return [];
    // A proxy that was not read may use the certificate, and a map may get its proxy later.
    const mayServe = kind.startsWith("manager") && (!knowsUsers || inMap.has(id));
    const renewal = mayServe ? judgeRenewal(certificate, view) : [];
    const message = `no proxy presents it, for ${listed(domains)}`;
    return knowsUsers ? [...renewal, projectFinding("certificate-unused", id, message)] : renewal;
  });
}

function judgePresented(certificate: ProjectCertificate, view: RenewalView): readonly ProjectFinding[] {
  const { id, domains, status, validation, domainStatuses, issuanceConfigId } = certificate;
  const findings = [...judgeRenewal(certificate, view)];
  const add = (code: ProjectFindingCode, message: string) =>
    findings.push(projectFinding(code, id, message, { hostnames: domains }));
  // The renewal of an issued certificate has failed, which is a finding with the days left.
  const isRenewalFailure = isIssued(certificate) && /FAILED/.test(status);
  if (status !== "ACTIVE" && !isRenewalFailure) {
    const failed = domainStatuses.filter((domainStatus) => /FAILED/.test(domainStatus.status));
    const why =
      failed.length === 0 ? "" : ` (${failed.map((status) => `${status.domain}: ${status.status}`).join(", ")})`;
    add(/FAILED/.test(status) ? "certificate-failed" : "certificate-not-active", `its state is ${status}${why}`);
  }
  if (issuanceConfigId !== undefined)
    add("certificate-private", `it is issued through ${issuanceConfigId} for ${listed(domains)}`);
  if (validation === "loadBalancer")
    add("authorization-needed", `Google validates ${listed(domains)} through the load balancer`);
  return findings;
}

/** Returns whether a certificate has been issued; its state can still be a failure of its renewal. */
function isIssued({ notAfter, status }: ProjectCertificate): boolean {
  return notAfter !== undefined && !status.startsWith("PROVISIONING");
}

/** Returns what threatens the certificate: its end, or a renewal that fails. One that was never issued can only end. */
function judgeRenewal(certificate: ProjectCertificate, { now, obstacles }: RenewalView): readonly ProjectFinding[] {
  const { id, domains, notBefore, notAfter, renewedBy, status, domainStatuses, provisioningIssue } = certificate;
  const { issuanceConfigId, renewalShare, lifetimeSeconds, validation } = certificate;
  if (notAfter === undefined) return [];
  const findings = assessRenewal(
    {
      name: id,
      kind: renewedBy === "you" ? "selfManaged" : "managed",
      domains,
      ...defined({ notBefore: notBefore === undefined ? undefined : new Date(notBefore) }),
      notAfter: new Date(notAfter),
      state: status,
      attempts: domainStatuses.map(attemptOf),
      ...defined({
        validation: validation === "loadBalancer" ? validation : undefined,
        issue: provisioningIssue,
        issuanceConfig: issuanceConfigId,
        obstacles: obstacles.get(id),
        renewalShare,
      }),
      ...(lifetimeSeconds === undefined ? {} : { lifetimeMs: lifetimeSeconds * 1_000 }),
    },
    now,
  );
  return isIssued(certificate) ? findings : findings.filter(({ code }) => code === "certificate-ended");
}

/** Returns the latest validation of a domain. Only the states of Compute name the failure, so they are its details. */
function attemptOf({ status, ...attempt }: ProjectDomainStatus) {
  return { state: status, ...(status.startsWith("FAILED_") ? { details: status } : {}), ...attempt };
}

function judgeProxies(inventory: AssembledProject): readonly ProjectFinding[] {
  const { proxies, forwardingRules } = inventory;
  const rules = groupBy(forwardingRules, ({ proxyId }) => proxyId);
  const knowsRules = wereRead(inventory, "forwardingRules");
  return proxies.flatMap((proxy) => {
    const { id, mapId, certificateIds, owner, ownerReason } = proxy;
    const findings: ProjectFinding[] = [];
    const add = (code: ProjectFindingCode, message: string) => findings.push(projectFinding(code, id, message));
    const proxyRules = rules.get(id) ?? [];
    const standard = proxyRules.filter(({ networkTier }) => networkTier === "STANDARD");
    const isManagers = certificateIds.some((certificateId) => certificateId.includes("/locations/"));
    const most = isManagers ? mostManagerCertificates : mostComputeCertificates;
    if (owner === "gke") add("proxy-owned-by-gke", `GKE manages it: ${ownerReason}`);
    if (mapId !== undefined) add("proxy-has-map", `it uses ${mapId}${contentOf(mapId, inventory)}`);
    if (!takesMap(proxy, proxyRules)) {
      add("proxy-takes-no-map", placeOf(proxy));
      const [first, ...others] = certificateIds;
      if (first !== undefined && others.length > 0 && !isManagers)
        add("proxy-first-certificate", `clients without SNI get ${first}`);
    } else if (standard.length > 0 && mapId === undefined)
      add("proxy-standard-tier", `${listed(standard.map((rule) => rule.id))} has the network tier STANDARD`);
    if (takesMap(proxy, proxyRules) && proxy.kind === "ssl" && certificateIds.length > 0)
      add("ssl-proxy-exclusive", `it has ${countOf(certificateIds.length, "certificate")} attached directly`);
    if (certificateIds.length >= most)
      add("proxy-certificates-full", `it has ${certificateIds.length} of ${most} certificates attached directly`);
    if (proxyRules.length === 0 && knowsRules) add("proxy-without-rule", "no forwarding rule leads to it");
    return findings;
  });
}

function contentOf(mapId: string, inventory: AssembledProject): string {
  const unread = unreadNouns(inventory, "certificateMaps", "mapEntries");
  if (unread !== "") return `; its entries could not be checked: ${unread} not readable`;
  const { entries = [] } = inventory.maps.find(({ id }) => id === mapId) ?? {};
  return ` with ${countOf(entries.length, "entry", "entries")}`;
}

/** Returns whether a proxy accepts a certificate map: only global external load balancers do. */
function takesMap({ region }: ProjectProxy, rules: readonly ProjectForwardingRule[]): boolean {
  return region === undefined && !rules.some(({ scheme }) => scheme.startsWith("INTERNAL"));
}

function placeOf({ region }: ProjectProxy): string {
  return region === undefined ? "its load balancer is internal" : `it is in the region ${region}`;
}

function judgeZones(inventory: AssembledProject): readonly ProjectFinding[] {
  const { zones, proxies, forwardingRules, dnsProjects } = inventory;
  if (!wereRead(inventory, "managedZones")) return [];
  const domains = zones.filter(({ visibility }) => visibility === "public").map(({ dnsName }) => dnsName);
  const served = namesServedByProxy({ ...inventory });
  const withRule = new Set(forwardingRules.map(({ proxyId }) => proxyId));
  const names = new Set(proxies.filter(({ id }) => withRule.has(id)).flatMap((proxy) => served(proxy)));
  const suffixes = new Set(domains);
  const isWithoutZone = (name: Hostname) => !hasSuffix(baseDomain(name), suffixes);
  const without = [...names].flatMap((name) => {
    const read = readHostname(name);
    return "hostname" in read && isWithoutZone(read.hostname) ? [read.hostname] : [];
  });
  return [...groupByRegistrableDomain(without)].map(([domain, hostnames]) => {
    const [are, them] = hostnames.length === 1 ? ["is", "it"] : ["are", "them"];
    const message = `${listed(hostnames)} ${are} served, and no public zone in ${dnsProjects.join(", ")} contains ${them}`;
    return projectFinding("name-without-zone", domain, message, { hostnames: hostnames });
  });
}

function hasSuffix(name: string, domains: ReadonlySet<string>): boolean {
  for (let at = name; at !== ""; at = at.includes(".") ? at.slice(at.indexOf(".") + 1) : "") {
    if (domains.has(at)) return true;
  }
  return false;
}

function judgeProbes(probes: readonly ProjectProbe[], inventory: AssembledProject): readonly ProjectFinding[] {
  const knowsCertificates = wereRead(inventory, "sslCertificates", "certificates");
  return probes.flatMap(({ hostname, ipAddress, port, outcome, coverage, certificateId, issuer }) => {
    const place = endpointLabel(ipAddress, port);
    const add = (code: ProjectFindingCode, message: string) => [
      projectFinding(code, hostname, message, { hostnames: [hostname] }),
    ];
    if (outcome !== "served") return add("probe-failed", `${place} did not finish the handshake: ${outcome}`);
    if (coverage === "none")
      return add("probe-mismatch", `${place} serves ${certificateId ?? `a certificate of ${issuer}`}`);
    if (certificateId === undefined && knowsCertificates)
      return add("probe-differs", `${place} serves another certificate, of ${issuer}`);
    return [];
  });
}

function listed(names: readonly string[]): string {
  return listFirst(names, mostListed);
}
