import type { LiveEntry, LiveForwardingRule, LiveProxy, LiveSslCertificate } from "../../google";
import { traitsOf } from "../../plan";
import { lastPart, resourceNameIn } from "../../resource-names";
import { gcloud } from "../../text/command-line";
import { listFirst } from "../../text/words";
import { computeFlags } from "./compute-names";
import { type DoctorFinding, doctorFinding } from "./model";
import { notServed } from "./not-served";
import { type DoctorSubject, isSsl, type ProxyOfPlan } from "./subject";

/** Maximum number of names in a message, because there may be thousands. */
export const mostNamed = 5;

/** Load balancer resources of the project, in the scope of the migration. */
export interface LiveBalancer {
  readonly proxies: readonly LiveProxy[];
  readonly rules: readonly LiveForwardingRule[];
  readonly certificates: readonly LiveSslCertificate[];
}

/** @param entries of the proxy's certificate map, if it has one */
export function judgeProxy(
  proxy: ProxyOfPlan,
  subject: DoctorSubject,
  live: LiveBalancer,
  entries: readonly LiveEntry[],
): readonly DoctorFinding[] {
  const liveProxy = live.proxies.find(({ id }) => id === proxy.id);
  // The check of references reports a missing proxy that is to be adopted.
  if (liveProxy === undefined) return [];
  // A proxy with the migration's own map was created by the migration and is not a conflict.
  if (subject.map.id !== undefined && liveProxy.map === subject.map.id) return judgeRules(proxy, subject, live);
  if (proxy.origin === "new") {
    if (presentsOwn(liveProxy, subject)) return judgeRules(proxy, subject, live);
    return [doctorFinding("proxy-exists", proxy.id, `${proxy.id} exists`, { command: describeCommand(proxy.id) })];
  }
  return [
    ...judgeRules(proxy, subject, live),
    ...judgeMap(liveProxy, subject, entries),
    ...judgeCertificates(liveProxy, proxy, subject, live.certificates),
    ...judgeSettings(proxy, liveProxy),
  ];
}

/**
 * Reports whether a proxy without a map serves certificates that the migration creates; only the migration has
 * certificates with these IDs. If the migration creates no certificate, the proxy must serve exactly the certificates
 * that the migration expects to exist.
 */
function presentsOwn({ map, certificates }: LiveProxy, subject: DoctorSubject): boolean {
  if (subject.map.usesMap || map !== undefined) return false;
  const { made } = subject.certificates;
  if (made.length > 0) return made.some((id) => certificates.includes(id));
  const existing = subject.certificates.existing.map(({ id }) => id);
  return certificates.length > 0 && isSame(new Set(certificates), new Set(existing));
}

function isSame(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((item) => right.has(item));
}

export function judgeRules(
  proxy: ProxyOfPlan,
  subject: DoctorSubject,
  { rules }: LiveBalancer,
): readonly DoctorFinding[] {
  const proxyRules = rules.filter(({ target }) => target === proxy.id);
  const command = listRules(proxy.id);
  const wrong = proxyRules.filter(
    ({ scheme }) =>
      !traitsOf(subject.balancer.kind).forwardingRules.schemes.some((schemeOfKind) => schemeOfKind === scheme),
  );
  if (wrong.length > 0) {
    const what = `${wrong.map(({ id, scheme }) => `${id} is ${scheme}`).join(", ")}, and the migration is for ${subject.balancer.kind}`;
    return [doctorFinding("proxy-kind-mismatch", proxy.id, what, { command })];
  }
  const standard = proxyRules.filter(({ networkTier }) => networkTier === "STANDARD");
  if (!traitsOf(subject.balancer.kind).forwardingRules.acceptsStandardTier && standard.length > 0) {
    const what = `${standard.map(({ id }) => id).join(", ")} has the network tier STANDARD, and leads to the global ${proxy.id}`;
    const id = standard[0]?.id ?? "";
    const describe = gcloud("compute forwarding-rules describe", lastPart(id), ...computeFlags(id));
    return [doctorFinding("network-tier-mismatch", proxy.id, what, { command: describe })];
  }
  // SSL proxies may use any port.
  const open = isSsl(proxy.id) ? proxyRules : proxyRules.filter(({ portRange }) => takesPort(portRange, 443));
  if (open.length === 0) {
    if (proxy.origin === "new") return [];
    const others = proxyRules.map(({ id, portRange }) => `${id} on ${portRange}`).join(", ");
    const what = `no forwarding rule leads to ${proxy.id}${isSsl(proxy.id) ? "" : " on port 443"}`;
    return [doctorFinding("proxy-unreached", proxy.id, others === "" ? what : `${what}, but ${others}`, { command })];
  }
  const reached = new Set(open.map(({ address }) => address));
  const given = [...subject.balancer.addresses.ipv4, ...subject.balancer.addresses.ipv6];
  // Several proxies may share the addresses of a migration, so an address without this proxy is not a finding.
  if (subject.balancer.proxies.length > 1) return [];
  return given
    .filter((address) => !reached.has(address))
    .map((address) => {
      const what = `${address} leads to no proxy of the migration; ${proxy.id} is at ${[...reached].join(", ")}`;
      return doctorFinding("address-elsewhere", address, what, { command });
    });
}

export function judgeMap(
  { id, map }: LiveProxy,
  subject: DoctorSubject,
  entries: readonly LiveEntry[],
): readonly DoctorFinding[] {
  if (map === undefined || !subject.map.usesMap || map === subject.map.existing) return [];
  const names = entries.map(({ hostname }) => hostname).filter((hostname) => hostname !== "PRIMARY");
  const remedy = `set existingCertificateMap to ${map} to add to it, or make sure that the new map serves all of its names`;
  return [
    doctorFinding("proxy-map-replaced", id, `${id} has the map ${map}`, { command: describeCommand(id), remedy }),
    ...judgeLostNames(id, map, names, subject),
  ];
}

/** Reports names that the migration does not serve. @param server the proxy, or its map, that serves the names today */
export function judgeLostNames(
  proxy: string,
  server: string,
  names: readonly string[],
  { dns: { hostnames } }: DoctorSubject,
): readonly DoctorFinding[] {
  const lost = notServed(names, hostnames);
  if (lost.length === 0) return [];
  const what = `${server} serves ${listFirst(lost, mostNamed)}, and the migration does not`;
  return [doctorFinding("proxy-names-lost", proxy, what, { command: describeCommand(proxy) })];
}

function judgeCertificates(
  { id, map, certificates }: LiveProxy,
  { keepsCertificates = false }: ProxyOfPlan,
  subject: DoctorSubject,
  all: readonly LiveSslCertificate[],
): readonly DoctorFinding[] {
  // If the proxy has a map, it ignores directly attached certificates already.
  if (certificates.length === 0 || map !== undefined) return [];
  const names = all.filter((certificate) => certificates.includes(certificate.id)).flatMap(({ domains }) => domains);
  const what = `${id} presents ${listFirst(certificates, mostNamed)} directly`;
  // The provider accepts a map in addition to certificates on HTTPS proxies, and on SSL proxies from 7.19.
  const isAccepted = subject.map.usesMap && (!isSsl(id) || keepsCertificates);
  const both = isAccepted ? "proxy-certificates-ignored" : "proxy-certificates-conflict";
  const classic = certificates.some((certificate) => certificate.includes("/sslCertificates/"));
  return [
    ...(subject.map.usesMap || classic ? [doctorFinding(both, id, what, { command: describeCommand(id) })] : []),
    ...judgeLostNames(id, id, names, subject),
  ];
}

/** Values that the API returns for unset fields. */
const unset: Readonly<Record<string, string | number>> = {
  proxyHeader: "NONE",
  quicOverride: "NONE",
  tlsEarlyData: "DISABLED",
};

function judgeSettings({ id, stated = {} }: ProxyOfPlan, live: LiveProxy): readonly DoctorFinding[] {
  const differ = Object.entries(stated).flatMap(([name, value]) => {
    const [wanted, found] = [value ?? unset[name], live.settings[name] ?? unset[name]];
    if (wanted === found || (links.has(name) && isSameLink(wanted, found))) return [];
    return [`${name} is ${found ?? "not set"}, stated as ${wanted ?? "not set"}`];
  });
  if (differ.length === 0) return [];
  return [
    doctorFinding("proxy-settings-differ", id, `of ${id}, ${differ.join("; ")}`, { command: describeCommand(id) }),
  ];
}

const links: ReadonlySet<string> = new Set(["serverTlsPolicy", "service", "sslPolicy", "urlMap"]);

/** Links may lack host, version and project, and the provider also accepts a plain name. */
function isSameLink(wanted: string | number | undefined, found: string | number | undefined): boolean {
  if (typeof wanted !== "string" || typeof found !== "string") return false;
  const path = resourceNameIn(wanted);
  return found === path || found.endsWith(`/${path}`);
}

/** Checks that no other rule uses the address and port of a rule to create. @param addresses of these rules */
export function judgeNewRules(
  subject: DoctorSubject,
  rules: readonly LiveForwardingRule[],
  addresses: readonly string[],
): readonly DoctorFinding[] {
  const proxyIds = new Set(subject.balancer.proxies.map(({ id }) => id));
  return addresses.flatMap((address) =>
    rules
      .filter((rule) => rule.address === address && takesPort(rule.portRange, 443) && !proxyIds.has(rule.target))
      .map((rule) => {
        const what = `${rule.id} has ${address} port 443, and leads to ${rule.target}`;
        return doctorFinding("address-taken", address, what, { command: listRules(rule.id) });
      }),
  );
}

export function judgeEntries(subject: DoctorSubject, entries: readonly LiveEntry[]): readonly DoctorFinding[] {
  const entryIds = new Map(subject.map.entries.map(({ hostname, id }) => [hostname, id]));
  return entries.flatMap(({ hostname, name }) => {
    if (!entryIds.has(hostname) || entryIds.get(hostname) === name) return [];
    const [project] = computeFlags(name);
    const place = [`--map=${lastPart(subject.map.existing ?? "")}`, "--location=global", project];
    const command = gcloud("certificate-manager maps entries describe", lastPart(name), ...place);
    return [doctorFinding("entry-exists", hostname, `${name} is for ${hostname}`, { command })];
  });
}

export function takesPort(range: string, port: number): boolean {
  const [first = "", last = first] = range.split("-");
  return range === "" || (Number(first) <= port && port <= Number(last));
}

export function describeCommand(id: string): string {
  const [project, scope] = computeFlags(id);
  // SSL proxies are always global, and the command accepts no scope.
  if (isSsl(id)) return gcloud("compute target-ssl-proxies describe", lastPart(id), project);
  return gcloud("compute target-https-proxies describe", lastPart(id), project, scope);
}

export function listRules(id: string): string {
  const [project, scope] = computeFlags(id);
  return gcloud("compute forwarding-rules list", project, scope.replace("--region=", "--regions="));
}
