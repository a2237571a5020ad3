/**
 * Resources that exist before a migration: zones, the records of today, and the parts of the load balancer other than
 * certificates.
 */
import { InputError } from "../errors";
import { readPrivateHostname, registrableDomain } from "../hostnames";
import { defined } from "../json/defined";
import { rehearsalPreviousAddress } from "../rehearsed";
import { lastPart, writeComputeScope, writeProject, writeZoneName } from "../resource-names";
import { type Backends, backendsOf, makeBackends } from "./backends";
import { providerOf } from "./known-values";
import { createPost, type RequestPlace } from "./post-resource";
import { servedAt, servingProxiesOf } from "./serving-proxies";
import { type Block, importsIn, isLiteral, isServedZone, projectOfStack, resourcesOf, type StackJson } from "./stack";

export interface RehearsalWorld extends Backends {
  readonly zones: readonly {
    readonly project: string;
    readonly name: string;
    readonly dnsName: string;
    /** @default - a public zone */
    readonly visibility?: "private";
  }[];
  readonly records: readonly TodaysRecord[];
}

/** A record set as it is before traffic moves. */
export interface TodaysRecord {
  readonly project: string;
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
}

export interface WorldOptions {
  /**
   * Hostnames that are served today. Hostnames that the stack does not mention get a zone for their domain.
   *
   * @default - only those of the stack
   */
  readonly hostnames?: readonly string[];
  /**
   * Whether the stack already sends traffic to the load balancer; then its address records and CNAMEs are not those of
   * today.
   *
   * @default false
   */
  readonly isMoved?: boolean;
}

/** Project of a third party that owns the addresses of today. */
export const previousProviderProject = "previous-provider";

/** IPv6 address of the previous provider in DNS. */
const previousIpv6Address = "2001:db8:0:10::10";

/**
 * Reads from a stack, synthesized with traffic at the previous provider, the resources that it presupposes. Zones and
 * imported record sets exist today; the stack creates all other record sets.
 *
 * @throws InputError `rehearsal-zone-unknown` for a record set whose name only Terraform knows
 */
export function worldOf(stack: StackJson, { hostnames = [], isMoved = false }: WorldOptions = {}): RehearsalWorld {
  const zones: Zones = new Map();
  for (const block of Object.values(resourcesOf(stack, "google_dns_managed_zone"))) {
    if (isServedZone(block)) addZone(zones, zoneAt(stack, block));
  }
  const records: TodaysRecord[] = [];
  const imported = new Set(importsIn(stack).map(({ to }) => to));
  const authorizations = resourcesOf(stack, "google_certificate_manager_dns_authorization");
  for (const [id, block] of Object.entries(resourcesOf(stack, "google_dns_record_set"))) {
    const place = zoneOf(stack, block);
    addZone(zones, place, domainOf(block, authorizations));
    if (imported.has(`google_dns_record_set.${id}`)) records.push(...importedRecord(block, place, { isMoved }));
  }
  for (const { place, record } of lookedUpRecords(stack)) {
    addZone(zones, place, record.name.replace(/\.$/, ""));
    const isThere = records.some(({ name, type }) => name === record.name && type === record.type);
    if (record.rrdatas.length > 0 && !isThere) records.push(record);
  }
  for (const place of lookedUpZones(stack)) {
    if (!zones.has(keyOf(place))) addZone(zones, place, domainLike(place.name, hostnames));
  }
  const project = projectOfStack(stack);
  const shared = countsOf([...zones.values()].map(({ domains }) => registeredOf(commonSuffix(domains))));
  const known = [...zones.values()].map(({ place, domains }) => ({
    project: place.project,
    name: place.name,
    dnsName: place.dnsName ?? `${zoneDomain(place.name, domains, shared)}.`,
    ...defined({ visibility: place.visibility }),
  }));
  const serving = servingProxiesOf(stack);
  const addedWorld = othersOf(hostnames, records, known, { project, addressesOf: (name) => servedAt(serving, name) });
  const targets = targetsOf(records, [...known, ...addedWorld.zones], project);
  return {
    zones: [...known, ...addedWorld.zones, ...targets.zones],
    ...backendsOf(stack),
    records: [...records, ...addedWorld.records, ...targets.records],
  };
}

type ZonePlace = Omit<RehearsalWorld["zones"][number], "dnsName"> & { readonly dnsName?: string };

/** Zones by project and name, with the domains in them, as far as the stack contains these. */
type Zones = Map<string, { readonly place: ZonePlace; readonly domains: string[] }>;

function keyOf({ project, name }: ZonePlace): string {
  return `${project}/${name}`;
}

function addZone(zones: Zones, place: ZonePlace, ...domains: readonly string[]): void {
  const key = keyOf(place);
  const zone = zones.get(key) ?? { place, domains: [] };
  zone.domains.push(...domains);
  zones.set(key, zone);
}

/** Returns whether a record contains addresses. */
export function isAddress({ type }: Pick<TodaysRecord, "type">): boolean {
  return type === "A" || type === "AAAA";
}

/** Returns whether a record leads clients to an address, directly or through another name. */
export function isLeading(record: Pick<TodaysRecord, "type">): boolean {
  return isAddress(record) || record.type === "CNAME";
}

/**
 * Returns an imported record set as it is today, with the data of the stack. If only Terraform knows the data, uses
 * sample data.
 *
 * @returns an empty list for a record set whose name only Terraform knows
 */
function importedRecord(
  block: Block,
  zone: ZonePlace,
  { isMoved }: Required<Pick<WorldOptions, "isMoved">>,
): readonly TodaysRecord[] {
  const { name, type, rrdatas } = block;
  if (!isLiteral(name) || !isLiteral(type)) return [];
  const isSaid = Array.isArray(rrdatas) && rrdatas.every(isLiteral) && !(isMoved && isLeading({ type }));
  const data: readonly string[] = isSaid ? rrdatas : (todaysData[type]?.(name) ?? []);
  const ttl = Number(block.ttl ?? defaultTtlSeconds);
  const ttlSeconds = Number.isInteger(ttl) ? ttl : defaultTtlSeconds;
  return data.length === 0 ? [] : [recordIn(zone, { name, type, ttl: ttlSeconds, rrdatas: data })];
}

const defaultTtlSeconds = 300;

function recordIn({ project, name: zone }: ZonePlace, record: Omit<TodaysRecord, "project" | "zone">): TodaysRecord {
  return { project, zone, ...record };
}

/** Returns the zones that data sources look up and the stack does not create. */
function lookedUpZones(stack: StackJson): readonly ZonePlace[] {
  return dataOf(stack, "google_dns_managed_zone")
    .filter(({ name }) => isLiteral(name))
    .map((block) => ({ project: placeOf(stack, block), name: String(block.name) }));
}

/**
 * Returns the record sets that data sources look up. NS and SOA records of a zone exist without being created, so their
 * data is empty.
 */
function lookedUpRecords(stack: StackJson): readonly { readonly place: ZonePlace; readonly record: TodaysRecord }[] {
  const recordSets = Object.values(resourcesOf(stack, "google_dns_record_set"));
  return dataOf(stack, "google_dns_record_set")
    .filter(({ name, type }) => isLiteral(name) && isLiteral(type))
    .filter((block) => !recordSets.some(({ name, type }) => name === block.name && type === block.type))
    .map((block) => {
      const { name, type } = block as { readonly name: string; readonly type: string };
      const place = zoneOf(stack, { project: placeOf(stack, block), ...block });
      const rrdatas = todaysData[type]?.(name) ?? [];
      return { place, record: recordIn(place, { name, type, ttl: defaultTtlSeconds, rrdatas }) };
    });
}

function dataOf(stack: StackJson, type: string): readonly Block[] {
  return Object.values(resourcesOf({ resource: stack.data }, type));
}

function placeOf(stack: StackJson, block: Block): string {
  const { project = providerOf(stack, block).project } = block;
  return isLiteral(project) ? project : projectOfStack(stack);
}

/** Sample data for a name, by type of the record set; other types have no data. */
const todaysData: Readonly<Record<string, (name: string) => readonly string[]>> = {
  A: () => [rehearsalPreviousAddress],
  AAAA: () => [previousIpv6Address],
  CNAME: (name) => [`previous-provider.${name}`],
  CAA: () => ['0 issue "pki.goog"'],
  MX: (name) => [`10 mail.${name}`],
  TXT: () => ['"looked up by a rehearsal"'],
};

/** Returns the domain of a zone for which the stack contains only the name: the domain that has the same spelling. */
function domainLike(name: string, hostnames: readonly string[]): string {
  return hostnames.flatMap(suffixesOf).find((suffix) => isSpelledAs(name, suffix)) ?? `${name}.example`;
}

/**
 * Returns the domain of a zone that has records: the parent domain that is spelled as the zone's name, otherwise the
 * registered domain. If several zones share the registered domain, returns the longest common suffix of the records.
 *
 * @param shared number of zones by registered domain
 */
function zoneDomain(name: string, domains: readonly string[], shared: ReadonlyMap<string, number>): string {
  const common = commonSuffix(domains);
  const registered = registeredOf(common);
  const usual = shared.get(registered) === 1 ? registered : common;
  return suffixesOf(common).find((suffix) => isSpelledAs(name, suffix)) ?? usual;
}

/** Returns the registered domain, as in `example.co.uk`; the domain itself if it is not below a public suffix. */
function registeredOf(domain: string): string {
  const read = readPrivateHostname(domain);
  return ("hostname" in read ? registrableDomain(read.hostname) : undefined) ?? domain;
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Returns a domain and its parent domains, without top-level domains. */
function suffixesOf(domain: string): readonly string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}

function isSpelledAs(zoneName: string, domain: string): boolean {
  return domain.replaceAll(".", "-") === zoneName;
}

/** Returns the zone of a record set. For a zone that the stack creates or looks up, uses the zone's block. */
function zoneOf(stack: StackJson, block: Block): ZonePlace {
  const text = String(block.managed_zone);
  const reference = /^\$\{(data\.)?google_dns_managed_zone\.([\w-]+)\.(?:name|id)\}$/.exec(text);
  const project = placeOf(stack, block);
  if (reference === null) return { project, name: lastPart(text) };
  const [, data, logicalId = ""] = reference;
  const all = data === undefined ? stack : { resource: stack.data };
  const zone = resourcesOf(all, "google_dns_managed_zone")[logicalId] ?? {};
  return { ...zoneAt(stack, zone), ...(isLiteral(block.project) ? { project } : {}) };
}

function zoneAt(stack: StackJson, block: Block): ZonePlace {
  const { name, dns_name: dnsName } = block;
  return {
    project: placeOf(stack, block),
    name: String(name),
    ...(isLiteral(dnsName) ? { dnsName } : {}),
    ...(block.visibility === "private" ? { visibility: "private" as const } : {}),
  };
}

/** Returns the zone with the longest matching suffix. @param name with its trailing dot */
export function nearestZone<Zone extends { readonly dnsName: string }>(
  zones: readonly Zone[],
  name: string,
): Zone | undefined {
  const above = zones.filter(({ dnsName }) => `.${name}`.endsWith(`.${dnsName}`));
  return above.sort((left, right) => right.dnsName.length - left.dnsName.length)[0];
}

/** Where hostnames lead that the stack does not mention. */
interface Today {
  /** Project of zones that are added. */
  readonly project: string;
  /** Returns the addresses of a hostname on serving proxies, if there are any. */
  readonly addressesOf: (hostname: string) => readonly string[] | undefined;
}

/**
 * Returns address records for the hostnames that the stack does not mention, in its zones or in zones for their
 * domains. They lead to the proxy that serves the hostname today, otherwise to the previous provider.
 */
function othersOf(
  hostnames: readonly string[],
  records: readonly TodaysRecord[],
  zones: RehearsalWorld["zones"],
  { project, addressesOf }: Today,
): Pick<RehearsalWorld, "zones" | "records"> {
  const led = new Set(records.filter(isLeading).map(({ name }) => name));
  const added = new Map<string, RehearsalWorld["zones"][number]>();
  const addedRecords = hostnames
    .filter((hostname) => !led.has(`${hostname}.`))
    .flatMap((hostname): readonly TodaysRecord[] => {
      const domain = registeredOf(hostname);
      const zone =
        nearestZone(zones, `${hostname}.`) ??
        added.get(domain) ??
        ({ project, name: `today-${domain.replace(/[^a-z0-9]/g, "-")}`, dnsName: `${domain}.` } as const);
      if (!zones.includes(zone)) added.set(domain, zone);
      const addresses = addressesOf(hostname) ?? [rehearsalPreviousAddress];
      return (["A", "AAAA"] as const).flatMap((type) => {
        const rrdatas = addresses.filter((address) => address.includes(":") === (type === "AAAA"));
        return rrdatas.length === 0 ? [] : [recordIn(zone, { name: `${hostname}.`, type, ttl: 60, rrdatas })];
      });
    });
  return { zones: [...added.values()], records: addedRecords };
}

/**
 * Returns the targets of today's CNAMEs: names of the previous provider, in their own zones unless a zone already
 * contains them.
 */
function targetsOf(
  records: readonly TodaysRecord[],
  zones: RehearsalWorld["zones"],
  project: string,
): Pick<RehearsalWorld, "zones" | "records"> {
  const names = new Set(records.map(({ name }) => name));
  const aliases = records.filter(({ type }) => type === "CNAME").flatMap(({ rrdatas }) => rrdatas);
  const missing = [...new Set(aliases)].filter((target) => !names.has(target));
  const added = missing.map((target, index) => {
    const zone = nearestZone(zones, target);
    return { target, zone: zone ?? { project, name: `previous-provider-${index + 1}`, dnsName: target } };
  });
  return {
    zones: added.map(({ zone }) => zone).filter((zone) => !zones.includes(zone)),
    records: added.map(({ target, zone }) =>
      recordIn(zone, { name: target, type: "A", ttl: defaultTtlSeconds, rrdatas: [rehearsalPreviousAddress] }),
    ),
  };
}

function domainOf(block: Block, authorizations: Readonly<Record<string, Block>>): string {
  const name = String(block.name);
  const reference = /google_certificate_manager_dns_authorization\.([\w-]+)\./.exec(name)?.[1];
  const domain = reference === undefined ? name.replace(/\.$/, "") : String(authorizations[reference]?.domain ?? "");
  if (domain === "" || !isLiteral(domain)) {
    throw new InputError(
      "rehearsal-zone-unknown",
      `the record set ${name} has no name that is known before Terraform runs; give it a literal name`,
    );
  }
  return domain.replace(/^\*\./, "");
}

/**
 * Returns the longest common suffix of the domains, with at least two labels, because single labels are top-level
 * domains.
 */
function commonSuffix(domains: readonly string[]): string {
  const [first = "", ...rest] = domains.map((domain) => domain.split(".").reverse());
  let length = first.length;
  for (const labels of rest) {
    let same = 0;
    while (same < length && labels[same] === first[same]) same++;
    length = same;
  }
  return [...first].slice(0, Math.max(2, length)).reverse().join(".");
}

/** Creates the resources in a cloud. */
export async function makeWorld(world: RehearsalWorld, place: RequestPlace): Promise<void> {
  const post = createPost(place, "preparing the rehearsal");
  for (const { project, name, dnsName, visibility } of world.zones) {
    await post(`dns/v1/${writeProject(project)}/managedZones`, {
      name,
      dnsName,
      description: "",
      ...defined({ visibility }),
    });
  }
  for (const { project, zone, name, type, ttl, rrdatas } of world.records) {
    await post(`dns/v1/${writeZoneName({ project, zone })}/changes`, {
      additions: [{ name, type, ttl, rrdatas }],
    });
  }
  const addresses = world.records.filter(isAddress).flatMap(({ rrdatas }) => rrdatas);
  for (const [index, address] of [...new Set(addresses)].entries()) {
    // A third party reserves the addresses, so that the cloud does not assign them to the load balancer. 400: the same
    // address occurs in two spellings.
    await post(
      `compute/v1/${writeComputeScope({ project: previousProviderProject })}/addresses`,
      { name: `today-${index + 1}`, address },
      [400],
    );
  }
  await makeBackends(world, post);
}
