/** Proxies that serve the hostnames today and get the map in place: their state since the inventory. */
import type { LiveEntry, LiveProxy } from "../../google";
import { ownerOf } from "../../inventory/project";
import { lastPart } from "../../resource-names";
import type { SourceServingProxy } from "../../source";
import { listFirst } from "../../text/words";
import { type DoctorFinding, finding } from "./model";
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
  const there = live.proxies.find(({ id }) => id === proxy.id);
  // The checks of adopted proxies report a missing proxy, its rules, its map, and names that would be lost.
  const isAdopted = subject.proxies.some(({ id }) => id === proxy.id);
  if (there === undefined) return isAdopted ? [] : [missing(proxy.id, live)];
  const isAttached = there.map !== undefined && (there.map === subject.map || there.map === subject.existingMap);
  const names = live.certificates
    .filter((one) => there.certificates.includes(one.id))
    .flatMap(({ domains }) => domains);
  return [
    ...judgeOwner(there, live),
    ...(isAdopted ? [] : judgeRules({ id: proxy.id, origin: "adopted" }, withoutAddresses(subject), live)),
    ...judgeAddresses(proxy, live),
    ...(isAttached || isAdopted ? [] : judgeMap(there, subject, entries)),
    ...(isAttached ? [] : judgeDrift(proxy, there)),
    ...(isAttached || isAdopted || there.map !== undefined ? [] : judgeLostNames(there.id, there.id, names, subject)),
  ];
}

function withoutAddresses(subject: DoctorSubject): DoctorSubject {
  return { ...subject, addresses: { ipv4: [], ipv6: [] } };
}

function missing(id: string, { proxies }: LiveBalancer): DoctorFinding {
  const ssl = id.replace("/targetHttpsProxies/", "/targetSslProxies/");
  const isSsl = proxies.some((proxy) => proxy.id === ssl);
  const what = isSsl ? `${id} does not exist; ${ssl} is a target SSL proxy` : `${id} does not exist`;
  return finding("serving-proxy-missing", id, what, { command: describeCommand(isSsl ? ssl : id) });
}

function judgeOwner({ id, settings }: LiveProxy, { rules }: LiveBalancer): readonly DoctorFinding[] {
  const own = rules.filter(({ target }) => target === id);
  const { owner, ownerReason } = ownerOf(lastPart(id), {
    descriptions: [String(settings.description ?? ""), ...own.flatMap(({ description }) => description ?? [])],
    labels: own.flatMap(({ labels }) => labels ?? []),
  });
  if (owner === undefined) return [];
  return [
    finding("serving-proxy-owned-by-gke", id, `GKE manages ${id}: ${ownerReason}`, { command: describeCommand(id) }),
  ];
}

function judgeAddresses({ id, addresses }: SourceServingProxy, { rules }: LiveBalancer): readonly DoctorFinding[] {
  const own = rules.filter(({ target, portRange }) => target === id && takesPort(portRange, 443));
  const [found, stated] = [own.map(({ address }) => address), addresses].map((list) => [...new Set(list)].sort());
  if (own.length === 0 || found?.join() === stated?.join()) return [];
  const what = `${id} is at ${found?.join(", ")}, and the migration states ${stated?.join(", ")}`;
  return [finding("serving-address-changed", id, what, { command: listRules(id) })];
}

function judgeDrift(proxy: SourceServingProxy, there: LiveProxy): readonly DoctorFinding[] {
  const stated = new Set(proxy.certificates.map(({ id }) => id));
  const attached = new Set(there.certificates);
  const [added, removed] = [
    [...attached].filter((id) => !stated.has(id)),
    [...stated].filter((id) => !attached.has(id)),
  ];
  if (added.length === 0 && removed.length === 0) return [];
  const parts = [
    ...(added.length === 0 ? [] : [`it got ${listFirst(added, mostNamed)}`]),
    ...(removed.length === 0 ? [] : [`it lost ${listFirst(removed, mostNamed)}`]),
  ];
  const command = describeCommand(there.id);
  return [finding("serving-certificates-changed", there.id, `${there.id}: ${parts.join(", and ")}`, { command })];
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
  const own = proxies.filter(({ id }) => serving.some((proxy) => proxy.id === id));
  return certificates.flatMap(({ id, notAfter, isManaged }) => {
    const users = own.filter((proxy) => proxy.certificates.includes(id)).map((proxy) => proxy.id);
    if (users.length === 0 || notAfter === undefined) return [];
    const [leftMs, day] = [Date.parse(notAfter) - now.getTime(), notAfter.slice(0, 10)];
    const presented = `${listFirst(users, mostNamed)} ${users.length === 1 ? "presents" : "present"} it`;
    if (leftMs <= 0) return [finding("serving-certificate-expired", id, `it expired on ${day}, and ${presented}`)];
    if (isManaged || leftMs >= moveDays * dayMs) return [];
    return [finding("serving-certificate-expires", id, `it expires on ${day}, and ${presented}`)];
  });
}
