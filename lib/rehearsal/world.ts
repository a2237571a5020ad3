/** What has to be there before a migration: zones, the records of today, and what the load balancer is made of beside certificates. */
import { InputError } from "../errors";
import { parseHostname, registrableDomain } from "../hostnames";
import type { HttpClient } from "../http";
import { type Backends, backendsOf, makeBackends } from "./backends";
import { providerOf } from "./known-values";
import { oldAddress } from "./script";
import { type Block, projectOf, resourcesOf, type StackJson } from "./stack";

export interface World extends Backends {
  readonly zones: readonly { readonly project: string; readonly name: string; readonly dnsName: string }[];
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
  /** Names that are served today; those that the stack says nothing of are in a zone of their domain. @default - those of the stack alone */
  readonly hostnames?: readonly string[];
  /** Whether the stack sends traffic to the load balancer already: then what it says of its records is not what they are today. @default false */
  readonly moved?: boolean;
}

/** Project of somebody else, who holds today's addresses. */
export const bystander = "old-provider";

/** Where the old provider is met by IPv6, by what DNS says. */
const oldIpv6Address = "2001:db8:0:10::10";

/**
 * Reads from a stack, synthesized with traffic at the previous provider, what it takes for granted. Record sets that it imports are there today, as are
 * zones; all others are made by it.
 *
 * @throws InputError `rehearsal-zone-unknown` for a record set whose name only Terraform would know
 */
export function worldOf(stack: StackJson, { hostnames = [], moved = false }: WorldOptions = {}): World {
  const resources = (stack.resource ?? {}) as Readonly<Record<string, Readonly<Record<string, Block>>>>;
  const project = projectOf(stack);
  const live = new Set(((stack.import ?? []) as readonly { readonly to: string }[]).map(({ to }) => to.split(".")[1]));
  const authorizations = resources.google_certificate_manager_dns_authorization ?? {};
  const zones = new Map<string, { project: string; name: string; dnsName?: string; domains: string[] }>();
  for (const block of Object.values(resourcesOf(stack, "google_dns_managed_zone"))) {
    const zone = zoneAt(stack, block);
    if (block.visibility !== "private") zones.set(`${zone.project}/${zone.name}`, { ...zone, domains: [] });
  }
  const records: TodaysRecord[] = [];
  for (const [address, block] of Object.entries(resources.google_dns_record_set ?? {})) {
    const place = zoneOf(stack, block);
    const { project: zoneProject, name } = place;
    const domain = domainOf(block, authorizations);
    const key = `${zoneProject}/${name}`;
    const zone = zones.get(key) ?? { ...place, domains: [] };
    zones.set(key, zone);
    zone.domains.push(domain);
    const rrdatas = moved ? oldDataOf(block) : (block.rrdatas as readonly string[]);
    if (live.has(address) && isLiteral(String(block.name)) && rrdatas.every(isLiteral)) {
      records.push({
        project: zoneProject,
        zone: name,
        name: String(block.name),
        type: String(block.type),
        ttl: Number(block.ttl ?? 300),
        rrdatas,
      });
    }
  }
  for (const record of lookedUpRecords(stack)) {
    const key = `${record.project}/${record.zone}`;
    const zone = zones.get(key) ?? { ...record.place, domains: [] };
    zones.set(key, zone);
    zone.domains.push(record.name.replace(/\.$/, ""));
    const isThere = records.some(({ name, type }) => name === record.name && type === record.type);
    const { place: _, ...own } = record;
    if (own.rrdatas.length > 0 && !isThere) records.push(own);
  }
  for (const zone of lookedUpZones(stack)) {
    const key = `${zone.project}/${zone.name}`;
    if (!zones.has(key)) zones.set(key, { ...zone, domains: domainsOf(zone.name, hostnames) });
  }
  const known = [...zones.values()].map(({ project: zoneProject, name, dnsName, domains }) => ({
    project: zoneProject,
    name,
    dnsName: dnsName ?? `${commonSuffix(domains)}.`,
  }));
  const others = othersOf(hostnames, records, known, project);
  const targets = targetsOf(records, [...known, ...others.zones], project);
  return {
    zones: [...known, ...others.zones, ...targets.zones],
    ...backendsOf(stack),
    records: [...records, ...others.records, ...targets.records],
  };
}

/** Zones that data sources look up, and that the stack does not make. */
function lookedUpZones(stack: StackJson): readonly ZonePlace[] {
  return dataOf(stack, "google_dns_managed_zone")
    .filter(({ name }) => isKnown(name))
    .map((block) => ({ project: placeOf(stack, block), name: String(block.name) }));
}

/** Record sets that data sources look up; those that a zone has by itself are there without being made. */
function lookedUpRecords(stack: StackJson): readonly (TodaysRecord & { readonly place: ZonePlace })[] {
  const own = Object.values(resourcesOf(stack, "google_dns_record_set"));
  return dataOf(stack, "google_dns_record_set")
    .filter(({ name, type }) => isKnown(name) && isKnown(type))
    .filter((block) => !own.some(({ name, type }) => name === block.name && type === block.type))
    .map((block) => {
      const { name, type } = block as { readonly name: string; readonly type: string };
      const place = zoneOf(stack, { project: placeOf(stack, block), ...block });
      const rrdatas = todaysData[type]?.(name) ?? [];
      return { project: place.project, zone: place.name, name, type, ttl: 300, rrdatas, place };
    });
}

function dataOf(stack: StackJson, type: string): readonly Block[] {
  return Object.values(resourcesOf({ resource: stack.data }, type));
}

function placeOf(stack: StackJson, block: Block): string {
  const { project = providerOf(stack, block).project } = block;
  return isKnown(project) ? project : projectOf(stack);
}

/** What is said of a name today, by the type of the record set; of other types nothing is. */
const todaysData: Readonly<Record<string, (name: string) => readonly string[]>> = {
  A: () => [oldAddress],
  AAAA: () => [oldIpv6Address],
  CNAME: (name) => [`old-provider.${name}`],
  CAA: () => ['0 issue "pki.goog"'],
  MX: (name) => [`10 mail.${name}`],
  TXT: () => ['"looked up by a rehearsal"'],
};

/** What a zone is for, of which the stack says no more than its name: the domain that is written like it. */
function domainsOf(name: string, hostnames: readonly string[]): string[] {
  const suffixes = hostnames.flatMap((hostname) => {
    const labels = hostname.split(".");
    return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  });
  return [suffixes.find((suffix) => suffix.replaceAll(".", "-") === name) ?? `${name}.example`];
}

type ZonePlace = Omit<World["zones"][number], "dnsName"> & { readonly dnsName?: string };

/** The zone of a record set; where it is one of the stack, or is read by it, what that says. */
function zoneOf(stack: StackJson, block: Block): ZonePlace {
  const text = String(block.managed_zone);
  const reference = /^\$\{(data\.)?google_dns_managed_zone\.([\w-]+)\.(?:name|id)\}$/.exec(text);
  const project = placeOf(stack, block);
  if (reference === null) return { project, name: text.slice(text.lastIndexOf("/") + 1) };
  const [, data, logicalId = ""] = reference;
  const all = data === undefined ? stack : { resource: stack.data };
  const zone = resourcesOf(all, "google_dns_managed_zone")[logicalId] ?? {};
  return { ...zoneAt(stack, zone), ...(isKnown(block.project) ? { project } : {}) };
}

function zoneAt(stack: StackJson, block: Block): ZonePlace {
  const { name, dns_name: dnsName } = block;
  return {
    project: placeOf(stack, block),
    name: String(name),
    ...(isKnown(dnsName) ? { dnsName } : {}),
  };
}

function isKnown(value: unknown): value is string {
  return typeof value === "string" && isLiteral(value);
}

/** What a record set of the load balancer was before: the same, at the old provider. */
function oldDataOf({ type, name }: Block): readonly string[] {
  if (type === "A") return [oldAddress];
  return type === "AAAA" ? [oldIpv6Address] : [`old-provider.${String(name)}`];
}

/** Addresses of today for names of which the stack says nothing, in its zones or in those of their domains. */
function othersOf(
  hostnames: readonly string[],
  records: readonly TodaysRecord[],
  zones: World["zones"],
  project: string,
): Pick<World, "zones" | "records"> {
  const known = new Set(records.map(({ name }) => name));
  const added = new Map<string, World["zones"][number]>();
  const own = hostnames
    .filter((hostname) => !known.has(`${hostname}.`))
    .map((hostname): TodaysRecord => {
      const domain = registrableDomain(parseHostname(hostname)) ?? hostname;
      const zone =
        zones.find(({ dnsName }) => `.${hostname}.`.endsWith(`.${dnsName}`)) ??
        added.get(domain) ??
        ({ project, name: `today-${domain.replace(/[^a-z0-9]/g, "-")}`, dnsName: `${domain}.` } as const);
      if (!zones.includes(zone)) added.set(domain, zone);
      return {
        project: zone.project,
        zone: zone.name,
        name: `${hostname}.`,
        type: "A",
        ttl: 60,
        rrdatas: [oldAddress],
      };
    });
  return { zones: [...added.values()], records: own };
}

/** What today's aliases lead to: names of the old provider, in zones of its own unless they lie in one that is there. */
function targetsOf(
  records: readonly TodaysRecord[],
  zones: World["zones"],
  project: string,
): Pick<World, "zones" | "records"> {
  const names = new Set(records.map(({ name }) => name));
  const aliases = records.filter(({ type }) => type === "CNAME").flatMap(({ rrdatas }) => rrdatas);
  const missing = [...new Set(aliases)].filter((target) => !names.has(target));
  const added = missing.map((target, index) => {
    const zone = zones.find(({ dnsName }) => target === dnsName || target.endsWith(`.${dnsName}`));
    return { target, zone: zone ?? { project, name: `old-provider-${index + 1}`, dnsName: target } };
  });
  return {
    zones: added.map(({ zone }) => zone).filter((zone) => !zones.includes(zone)),
    records: added.map(({ target, zone }) => ({
      project: zone.project,
      zone: zone.name,
      name: target,
      type: "A",
      ttl: 300,
      rrdatas: [oldAddress],
    })),
  };
}

function isLiteral(text: string): boolean {
  return !text.includes("${");
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

/** The longest domain that all of them lie in; at least two labels, as nobody owns less. */
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

/** Makes it, in a cloud. */
export async function makeWorld(world: World, cloudUrl: string, http: HttpClient): Promise<void> {
  const post = async (path: string, body: object, accept: readonly number[] = []) => {
    await http.send({
      method: "POST",
      url: `${cloudUrl}${path}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      purpose: "preparing the rehearsal",
      accept,
    });
  };
  for (const { project, name, dnsName } of world.zones) {
    await post(`dns/v1/projects/${project}/managedZones`, { name, dnsName, description: "" });
  }
  for (const { project, zone, name, type, ttl, rrdatas } of world.records) {
    await post(`dns/v1/projects/${project}/managedZones/${zone}/changes`, {
      additions: [{ name, type, ttl, rrdatas }],
    });
  }
  const addresses = world.records.filter(({ type }) => type !== "CNAME").flatMap(({ rrdatas }) => rrdatas);
  for (const [index, address] of [...new Set(addresses)].entries()) {
    // Reserved by somebody else, so that the cloud gives none of them to the load balancer; one may be written in two ways.
    await post(`compute/v1/projects/${bystander}/global/addresses`, { name: `today-${index + 1}`, address }, [400]);
  }
  await makeBackends(world, post);
}
