/** Proxies that serve the hostnames today and get the map in place: their state since the inventory. */
import { gkeOwnerOf, type LiveEntry, type LiveProxy } from "../../google";
import { lastPart } from "../../resource-names";
import type { SourceServingProxy } from "../../source";
import { listFirst } from "../../text/words";
import { type DoctorFinding, doctorFinding } from "./model";
import {
  describeCommand,
  judgeLostNames,
  judgeMap,
  judgeRules,
  type LiveBalancer,
  listRules,
  mostNamed,
  takesPort,
} from "./proxy-checks";
import type { DoctorSubject } from "./subject";

/** Days in which the steps of a migration in place are over. */
const moveDays = 30;
const dayMs = 86_400_000;

/** @param entries of the proxy's certificate map, if it is another map than that of the migration */
export function judgeServingProxy(
  proxy: SourceServingProxy,
  subject: DoctorSubject,
  live: LiveBalancer,
  entries: readonly LiveEntry[],
): readonly DoctorFinding[] {
  const liveProxy = live.proxies.find(({ id }) => id === proxy.id);
  // The checks of adopted proxies report a missing proxy, its rules, its map, and names that would be lost.
  const isAdopted = subject.balancer.proxies.some(({ id }) => id === proxy.id);
  if (liveProxy === undefined) return isAdopted ? [] : [missing(proxy.id, live)];
  const isAttached =
    liveProxy.map !== undefined && (liveProxy.map === subject.map.id || liveProxy.map === subject.map.existing);
  const issued = withoutNeverIssued(liveProxy, proxy, live);
  const names = live.certificates
    .filter((certificate) => issued.certificates.includes(certificate.id))
    .flatMap(({ domains }) => domains);
  return [
    ...judgeOwner(liveProxy, live),
    ...(isAdopted ? [] : judgeRules({ id: proxy.id, origin: "adopted" }, withoutAddresses(subject), live)),
    ...judgeAddresses(proxy, live),
    ...(isAttached || isAdopted ? [] : judgeMap(liveProxy, subject, entries)),
    ...(isAttached ? [] : judgeDrift(proxy, issued)),
    ...(isAttached || isAdopted || liveProxy.map !== undefined
      ? []
      : judgeLostNames(liveProxy.id, liveProxy.id, names, subject)),
  ];
}

/** Returns the proxy without managed certificates that were never issued, and that the migration does not state. */
function withoutNeverIssued(live: LiveProxy, stated: SourceServingProxy, { certificates }: LiveBalancer): LiveProxy {
  const never = new Set(
    certificates.flatMap((certificate) =>
      certificate.isManaged && certificate.notAfter === undefined ? [certificate.id] : [],
    ),
  );
  for (const { id } of stated.certificates) never.delete(id);
  return { ...live, certificates: live.certificates.filter((id) => !never.has(id)) };
}

function withoutAddresses(subject: DoctorSubject): DoctorSubject {
  return { ...subject, balancer: { ...subject.balancer, addresses: { ipv4: [], ipv6: [] } } };
}

function missing(id: string, { proxies }: LiveBalancer): DoctorFinding {
  const ssl = id.replace("/targetHttpsProxies/", "/targetSslProxies/");
  const isSsl = proxies.some((proxy) => proxy.id === ssl);
  const what = isSsl ? `${id} does not exist; ${ssl} is a target SSL proxy` : `${id} does not exist`;
  return doctorFinding("serving-proxy-missing", id, what, { command: describeCommand(isSsl ? ssl : id) });
}

function judgeOwner({ id, settings }: LiveProxy, { rules }: LiveBalancer): readonly DoctorFinding[] {
  const proxyRules = rules.filter(({ target }) => target === id);
  const { owner, ownerReason } = gkeOwnerOf(lastPart(id), {
    descriptions: [String(settings.description ?? ""), ...proxyRules.flatMap(({ description }) => description ?? [])],
    labels: proxyRules.flatMap(({ labels }) => labels ?? []),
  });
  if (owner === undefined) return [];
  return [
    doctorFinding("serving-proxy-owned-by-gke", id, `GKE manages ${id}: ${ownerReason}`, {
      command: describeCommand(id),
    }),
  ];
}

function judgeAddresses({ id, addresses }: SourceServingProxy, { rules }: LiveBalancer): readonly DoctorFinding[] {
  const httpsRules = rules.filter(({ target, portRange }) => target === id && takesPort(portRange, 443));
  const [found, stated] = [httpsRules.map(({ address }) => address), addresses].map((list) =>
    [...new Set(list)].sort(),
  );
  if (httpsRules.length === 0 || found?.join() === stated?.join()) return [];
  const what = `${id} is at ${found?.join(", ")}, and the migration states ${stated?.join(", ")}`;
  return [doctorFinding("serving-address-changed", id, what, { command: listRules(id) })];
}

function judgeDrift(proxy: SourceServingProxy, liveProxy: LiveProxy): readonly DoctorFinding[] {
  const stated = new Set(proxy.certificates.map(({ id }) => id));
  const attached = new Set(liveProxy.certificates);
  const [added, removed] = [
    [...attached].filter((id) => !stated.has(id)),
    [...stated].filter((id) => !attached.has(id)),
  ];
  if (added.length === 0 && removed.length === 0) return [];
  const parts = [
    ...(added.length === 0 ? [] : [`it got ${listFirst(added, mostNamed)}`]),
    ...(removed.length === 0 ? [] : [`it lost ${listFirst(removed, mostNamed)}`]),
  ];
  const command = describeCommand(liveProxy.id);
  return [
    doctorFinding("serving-certificates-changed", liveProxy.id, `${liveProxy.id}: ${parts.join(", and ")}`, {
      command,
    }),
  ];
}

/**
 * Checks the expiry of each certificate on the proxies, once for all proxies that present it. Direct certificates have
 * to be valid until the end of the move, because a rollback uses them.
 */
export function judgeExpiry(
  serving: readonly SourceServingProxy[],
  { proxies, certificates }: Pick<LiveBalancer, "proxies" | "certificates">,
  now: Date,
): readonly DoctorFinding[] {
  const servingProxies = proxies.filter(({ id }) => serving.some((proxy) => proxy.id === id));
  return certificates.flatMap(({ id, notAfter, isManaged }) => {
    const users = servingProxies.filter((proxy) => proxy.certificates.includes(id)).map((proxy) => proxy.id);
    if (users.length === 0 || notAfter === undefined) return [];
    const [leftMs, day] = [Date.parse(notAfter) - now.getTime(), notAfter.slice(0, 10)];
    const presented = `${listFirst(users, mostNamed)} ${users.length === 1 ? "presents" : "present"} it`;
    if (leftMs <= 0)
      return [doctorFinding("serving-certificate-expired", id, `it expired on ${day}, and ${presented}`)];
    if (isManaged || leftMs >= moveDays * dayMs) return [];
    return [doctorFinding("serving-certificate-expires", id, `it expires on ${day}, and ${presented}`)];
  });
}
