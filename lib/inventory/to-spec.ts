import { isIP } from "node:net";
import { compareHostnames, coverageOf, type Hostname } from "../hostnames";
import { defined } from "../json/defined";
import type { MigrationSpec, PreviousRecords, TrafficSpec } from "../plan";
import type { CertificateProblemCode } from "./describe";
import { hostLabel } from "./live/hosts";
import { createIsOwn, timeToLive } from "./live/names";
import type { Inventory, InventoryCertificate, InventoryName, NameRecords } from "./model";
import {
  divideNames,
  inParts,
  issuedByPool,
  issuedCertificate,
  leftOutName,
  mostDomains,
  readMigratableName,
} from "./private-names";

/** The result of {@link inventoryToSpec}. */
export interface SpecFromInventory {
  readonly spec: MigrationSpec;
  /** Names and certificates that were left out or merged, one sentence each. */
  readonly notices: readonly string[];
}

/**
 * Returns the migration that replaces the certificates of an inventory: one managed certificate for each set of names,
 * with every name served as before. Names that cannot be migrated are left out with a notice. If two certificates share
 * a name, the certificate that expires last keeps it.
 *
 * Of certificates that were only served, only names in the domains of listed hosts count. A certificate counts for
 * nothing if it covers none of the hosts for which it was served. If DNS was queried, the spec contains the current
 * records, so that traffic can be moved and rolled back.
 *
 * @param name identity of the migration
 * @param caPool CA pool that issues certificates for names that no public CA certifies, for example
 * `status.corp.internal`: `projects/P/locations/L/caPools/POOL`. @default - these names are left out with a notice
 * @returns undefined if no certificate has a name that can be migrated
 */
export function inventoryToSpec(
  inventory: Inventory,
  name: string,
  { caPool }: { readonly caPool?: string } = {},
): SpecFromInventory | undefined {
  const notices: string[] = [];
  const certificates = certificatesFor(inventory, caPool, notices);
  if (certificates.length === 0) return undefined;
  const certified = certificates.flatMap(({ domains }) => domains);
  const hosts = servedHosts(inventory, new Set(certified), caPool, notices);
  const served = [...new Set([...certified, ...hosts])].sort(compareHostnames);
  notices.push(...primaryNotices(inventory, certificates));
  const traffic = trafficOfToday(inventory.names, served, notices);
  return {
    spec: {
      name,
      certificates: [...certificates].sort((a, b) => compareHostnames(a.name, b.name)),
      dns: { kind: "external" },
      mustServe: served,
      ...defined({ traffic }),
    },
    notices,
  };
}

type IssuedCertificate = ReturnType<typeof issuedCertificate>;

function certificatesFor(
  inventory: Inventory,
  caPool: string | undefined,
  notices: string[],
): readonly IssuedCertificate[] {
  const isOwn = createIsOwn(inventory.certificates, hostsOf(inventory));
  const hostOf = new Map(inventory.hosts.map((target) => [hostLabel(target), target.host]));
  const taken = new Map<Hostname, string>();
  const names = new Set<string>();
  return newestFirst(inventory.certificates).flatMap((certificate) => {
    const { source } = certificate;
    if (isOnlyMistaken(certificate, hostOf)) {
      notices.push(`${source}: the certificate that it serves is not for it, and is left out`);
      return [];
    }
    const domains = migratableNames(certificate, caPool, notices).filter((domain) => {
      if (isOwn(domain)) return true;
      notices.push(`${source}: ${domain} is left out: no host of its domain is listed`);
      return false;
    });
    const remaining = domains.filter((domain) => !taken.has(domain));
    if (remaining.length === 0) {
      if (domains.length > 0) notices.push(`${source}: all its names are in certificates that expire later`);
      return [];
    }
    for (const domain of domains) {
      const owner = taken.get(domain);
      if (owner === undefined) taken.set(domain, source);
      else notices.push(`${source}: ${domain} stays in the certificate of ${owner}, which expires later`);
    }
    const divided = divideNames(remaining);
    const parts = [divided.public, divided.private].flatMap(inParts);
    if (caPool !== undefined && divided.private.length > 0) notices.push(issuedByPool(source, divided.private, caPool));
    if (remaining.length > mostDomains) {
      notices.push(
        `${source}: its ${remaining.length} names become ${parts.length} certificates of at most ${mostDomains}`,
      );
    }
    return parts.map((part) => issuedCertificate(freshName(part, names), part, caPool));
  });
}

function hostsOf({ hosts }: Inventory): readonly string[] {
  return hosts.map(({ host }) => host);
}

/** Returns whether a certificate was found only on servers, and covers none of the hosts for which it was served. */
function isOnlyMistaken({ places, domains }: InventoryCertificate, hostOf: ReadonlyMap<string, string>): boolean {
  const names = new Set(domains);
  return places.every((place) => {
    const host = place.kind === "host" ? hostOf.get(place.host) : undefined;
    return host !== undefined && isIP(host) === 0 && coverageOf(names, host) === "none";
  });
}

function servedHosts(
  inventory: Inventory,
  certified: ReadonlySet<string>,
  caPool: string | undefined,
  notices: string[],
): readonly Hostname[] {
  return hostsOf(inventory).flatMap((host) => {
    const read = readMigratableName(host, caPool);
    if ("hostname" in read && coverageOf(certified, host) !== "none") return [read.hostname];
    if (isIP(host) === 0) notices.push(`${host}: no certificate of the migration is for it`);
    return [];
  });
}

/** A map serves clients without SNI nothing unless one certificate is marked as primary. */
function primaryNotices({ hosts }: Inventory, certificates: readonly IssuedCertificate[]): readonly string[] {
  const served = hosts.flatMap(({ host, endpoints }) =>
    endpoints.some(({ withoutSni }) => withoutSni !== null && withoutSni.coverage !== "none") ? [host] : [],
  );
  const marked = certificates.filter(({ domains }) => {
    const names = new Set<string>(domains);
    return served.some((host) => coverageOf(names, host) !== "none");
  });
  if (marked.length === 0) return [];
  const names = marked.map(({ name }) => name).join(", ");
  const which = marked.length === 1 ? `mark certificate ${names}` : `mark one of the certificates ${names}`;
  return [
    `primary: clients that name no host (without SNI) are served today; ${which} with 'primary: true' to keep that`,
  ];
}

function newestFirst(certificates: readonly InventoryCertificate[]): readonly InventoryCertificate[] {
  return [...certificates].sort((a, b) => {
    if (a.notAfter !== b.notAfter) return a.notAfter > b.notAfter ? -1 : 1;
    return b.domains.length - a.domains.length || compareHostnames(a.source, b.source);
  });
}

function migratableNames(
  { source, domains, problems }: InventoryCertificate,
  caPool: string | undefined,
  notices: string[],
): readonly Hostname[] {
  const unread: CertificateProblemCode = "name-not-ascii";
  for (const { code, message } of problems) if (code === unread) notices.push(`${source}: ${message}`);
  return domains.flatMap((domain) => {
    const read = readMigratableName(domain, caPool);
    if ("hostname" in read) return [read.hostname];
    notices.push(`${source}: ${leftOutName(domain, read.problem)}`);
    return [];
  });
}

function freshName(domains: readonly Hostname[], names: Set<string>): string {
  const plain = domains.filter((domain) => !domain.startsWith("*."));
  const [first] = [...(plain.length > 0 ? plain : domains)].sort(
    (a, b) => a.split(".").length - b.split(".").length || a.length - b.length || compareHostnames(a, b),
  );
  const name = (first as string)
    .replace(/^\*\./, "wildcard.")
    .slice(0, 63)
    .replace(/[^a-z0-9]+$/, "");
  let candidate = name;
  for (let copy = 2; names.has(candidate); copy += 1) candidate = `${name.slice(0, 58)}-${copy}`;
  names.add(candidate);
  return candidate;
}

/**
 * Returns the traffic of step 8 before the move: the current records. Names without records, or whose look-up failed,
 * are left out. Returns undefined if DNS was not queried.
 */
function trafficOfToday(
  names: readonly InventoryName[],
  served: readonly Hostname[],
  notices: string[],
): TrafficSpec | undefined {
  if (names.length === 0) return undefined;
  const known = new Map(names.map(({ name, records }) => [name, records]));
  const previous: Record<string, PreviousRecords> = {};
  const unknown: Hostname[] = [];
  let longest = { name: "", ttlSeconds: 0 };
  for (const name of served) {
    const records = known.get(name);
    if (records === undefined || records === null) unknown.push(name);
    else if (hasRecords(records)) {
      const { cname, a, aaaa } = records;
      previous[name] = cname === null ? { a: a.addresses, aaaa: aaaa.addresses } : { cname: cname.target };
      const ttlSeconds = timeToLive(records);
      if (ttlSeconds > longest.ttlSeconds) longest = { name, ttlSeconds };
    }
  }
  if (unknown.length > 0) {
    notices.push(`traffic: the DNS look-up of ${unknown.join(", ")} failed; add the records to traffic.previous`);
  }
  const hostnames = Object.keys(previous);
  if (hostnames.length === 0) return undefined;
  if (longest.ttlSeconds > 0) {
    notices.push(
      `traffic: records are kept for up to ${longest.ttlSeconds} seconds (${longest.name}); lower that to 60 so long before traffic moves`,
    );
  }
  for (const [name, records] of Object.entries(previous)) {
    const wildcard = `*${name.slice(name.indexOf("."))}`;
    if (name !== wildcard && JSON.stringify(records) === JSON.stringify(previous[wildcard])) {
      notices.push(`traffic: ${name} has what ${wildcard} has; take it out of traffic if it has no record of its own`);
    }
  }
  const all = served.every((name) => name.startsWith("*.") || name in previous);
  return { to: "previous", ...(all ? {} : { hostnames }), previous };
}

function hasRecords({ cname, a, aaaa }: NameRecords): boolean {
  return cname !== null || a.addresses.length > 0 || aaaa.addresses.length > 0;
}
