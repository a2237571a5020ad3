import { baseDomain, type Hostname, readHostname } from "../hostnames";
import { defined } from "../json/defined";
import { groupBy } from "../json/group-by";
import { wildcardOver } from "./entries";
import type { MigrationPlan, PlannedCertificate } from "./model";
import type { MigrationSpec, TrafficSpec } from "./spec";

/** Certificates of a migration that become a migration of their own. */
export interface Part {
  /** Name of the new migration. */
  readonly name: string;
  readonly certificates: readonly PlannedCertificate[];
}

type Parts = ReadonlySet<Part>;

const none: Parts = new Set();

/**
 * Divides a spec into the parts. The owner of each name is looked up once: searching each part for each of its names
 * would take time in proportion to the product of both.
 *
 * @param spec the whole migration
 * @param plan plan of the whole migration
 * @param parts together all certificates; the first part gets every name that no certificate serves, and its checks
 * report them
 */
export function divide(
  spec: MigrationSpec,
  plan: MigrationPlan,
  parts: readonly Part[],
): ReadonlyMap<Part, MigrationSpec> {
  const { existingAuthorizations, mustServe, traffic, dns, ...rest } = spec;
  const servedBy = servingParts(spec, parts);
  const authorizedBy = partsByName(parts, ({ domains }) => domains.map(baseDomain));
  const mustServeOf = share(mustServe ?? [], servedBy);
  const trafficOf = shareTraffic(traffic, servedBy);
  const authorizationsOf = shareEntries(existingAuthorizations ?? {}, (domain) => authorizedBy.get(domain) ?? none);
  const zoneUsers = new Map<string, Set<Part>>();
  for (const { domain, zone } of plan.records) {
    for (const part of authorizedBy.get(domain) ?? none) addTo(zoneUsers, zone?.domain, part);
  }
  for (const { hostname, zone } of plan.traffic?.records ?? []) {
    for (const part of servedBy(hostname)) if (trafficOf.has(part)) addTo(zoneUsers, zone?.domain, part);
  }
  const zonesOf =
    dns.kind !== "cloudDns" ? new Map() : shareEntries(dns.zones, (domain) => zoneUsers.get(domain) ?? none);
  return new Map(
    parts.map((part): [Part, MigrationSpec] => {
      const ownTraffic = trafficOf.get(part);
      return [
        part,
        {
          ...rest,
          name: part.name,
          certificates: part.certificates.map((certificate) => specOf(spec, certificate)),
          dns: dns.kind !== "cloudDns" ? dns : { ...dns, zones: zonesOf.get(part) ?? {} },
          ...(existingAuthorizations === undefined ? {} : { existingAuthorizations: authorizationsOf.get(part) ?? {} }),
          ...(mustServe === undefined ? {} : { mustServe: mustServeOf.get(part) ?? [] }),
          ...defined({ traffic: ownTraffic }),
        },
      ];
    }),
  );
}

function specOf(spec: MigrationSpec, { specIndex }: PlannedCertificate): MigrationSpec["certificates"][number] {
  return spec.certificates[specIndex] as MigrationSpec["certificates"][number];
}

/**
 * Returns the parts that serve a name. An exact name precedes a wildcard, as in load balancers. The first part gets
 * unserved names and invalid names.
 */
function servingParts(spec: MigrationSpec, parts: readonly Part[]): (text: string) => Parts {
  const first: Parts = new Set(parts.slice(0, 1));
  const served = partsByName(parts, (certificate) => {
    const listed = specOf(spec, certificate).hostnames;
    return listed === undefined ? certificate.domains : listed.flatMap((text) => hostnameOf(text) ?? []);
  });
  return (text) => {
    const hostname = hostnameOf(text);
    if (hostname === undefined) return first;
    return served.get(hostname) ?? served.get(wildcardOver(hostname) as Hostname) ?? first;
  };
}

function partsByName(
  parts: readonly Part[],
  namesOf: (certificate: PlannedCertificate) => readonly Hostname[],
): ReadonlyMap<Hostname, Parts> {
  const byName = new Map<Hostname, Set<Part>>();
  for (const part of parts) {
    for (const certificate of part.certificates) {
      for (const name of namesOf(certificate)) addTo(byName, name, part);
    }
  }
  return byName;
}

/**
 * Gives each part its own target name for hosts with an alias: each load balancer has its own addresses, and parts may
 * share zones.
 */
function shareTraffic(
  traffic: TrafficSpec | undefined,
  servedBy: (text: string) => Parts,
): ReadonlyMap<Part, TrafficSpec> {
  if (traffic === undefined) return new Map();
  const { hostnames, previous, ingressLabel = "cert-migration-ingress" } = traffic;
  const previousOf = share(Object.entries(previous), ([hostname]) => servedBy(hostname));
  const listed: readonly string[] | undefined = typeof hostnames === "object" ? hostnames : undefined;
  const hostnamesOf = share(listed ?? [], servedBy);
  return new Map(
    [...new Set([...previousOf.keys(), ...hostnamesOf.keys()])].map((part): [Part, TrafficSpec] => [
      part,
      {
        ...traffic,
        previous: Object.fromEntries(previousOf.get(part) ?? []),
        ...(listed === undefined ? {} : { hostnames: hostnamesOf.get(part) ?? [] }),
        ingressLabel: `${ingressLabel}-${part.name.slice(part.name.lastIndexOf("-") + 1)}`,
      },
    ]),
  );
}

/** Groups items by the parts to which they belong, in their order. */
function share<Item>(
  items: readonly Item[],
  partsOf: (item: Item) => Iterable<Part>,
): ReadonlyMap<Part, readonly Item[]> {
  const pairs = items.flatMap((item) => [...partsOf(item)].map((part) => ({ part, item })));
  return new Map([...groupBy(pairs, ({ part }) => part)].map(([part, items]) => [part, items.map(({ item }) => item)]));
}

/** Groups the entries of a mapping whose keys are hostnames. Invalid keys belong to no part. */
function shareEntries<Value>(
  mapping: Readonly<Record<string, Value>>,
  partsOf: (hostname: Hostname) => Parts,
): ReadonlyMap<Part, Readonly<Record<string, Value>>> {
  const shares = share(Object.entries(mapping), ([key]) => {
    const hostname = hostnameOf(key);
    return hostname === undefined ? none : partsOf(hostname);
  });
  return new Map([...shares].map(([part, entries]) => [part, Object.fromEntries(entries)]));
}

function hostnameOf(text: string): Hostname | undefined {
  const read = readHostname(text);
  return "hostname" in read ? read.hostname : undefined;
}

function addTo<Key>(sets: Map<Key, Set<Part>>, key: Key | undefined, part: Part): void {
  if (key === undefined) return;
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([part]));
  else set.add(part);
}
