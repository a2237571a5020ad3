import { asText, type Fields, fieldsOf, listOf } from "../json/fields";

/** A record set, or a part of one, as a resource of a DNS provider holds it. */
export interface RecordSet {
  readonly name: unknown;
  readonly kind: unknown;
  /** A list; undefined if it is unknown. */
  readonly data: unknown;
  /** Zone of a provider with a resource for each record of a set. @default - the resource holds the whole set */
  readonly zone?: string;
  /** Identity of the zone that has the set. */
  readonly managedZone?: unknown;
  /** Whether the provider answers with addresses of its own proxies. */
  readonly isProxied?: boolean;
  /** Name relative to a zone that the plan does not contain; then `name` is undefined. */
  readonly unplaced?: string;
}

/** Returns the domain of a zone by its id at a provider; undefined if the plan does not contain the zone. */
export type OriginOf = (provider: string, id: unknown) => string | undefined;

/**
 * Functions that read the record resources of providers whose records have a name within a zone, or a whole name, and
 * nothing else that the rules need, by type. The names of the attributes are those of the providers' documentation.
 */
export const otherReaders: Readonly<Record<string, (values: Fields, originOf: OriginOf) => RecordSet>> = {
  akamai_dns_record: readAkamai,
  alicloud_alidns_record: readAlibaba,
  alicloud_dns_record: readAlibaba,
  digitalocean_record: ({ name, type, value, domain, flags, tag }) => {
    // A CA's domain has a trailing dot there.
    const bare = typeof value === "string" ? value.replace(/\.$/, "") : value;
    return oneRecord(domain, name, type, type === "CAA" ? caaText({ flags, tag, value: bare }) : value);
  },
  dns_a_record_set: ({ name, zone, addresses }) => wholeSet(zone, name, "A", addresses),
  dns_aaaa_record_set: ({ name, zone, addresses }) => wholeSet(zone, name, "AAAA", addresses),
  dns_cname_record: ({ name, zone, cname }) => wholeSet(zone, name, "CNAME", listed(cname)),
  dns_ns_record_set: ({ name, zone, nameservers }) => wholeSet(zone, name, "NS", nameservers),
  dnsimple_record: ({ name, type, value, domain }) => oneRecord(domain, name, type, value),
  dnsimple_zone_record: ({ name, type, value, zone_name: zone }) => oneRecord(zone, name, type, value),
  gandi_livedns_record: ({ name, type, values, zone }) => wholeSet(zone, name, type, values),
  hcloud_zone_record: ({ name, type, value, zone }, originOf) => {
    return inZoneOf(hetznerOrigin(zone, originOf), zone, {
      label: name,
      kind: type,
      data: listed(value),
      isPart: true,
    });
  },
  hcloud_zone_rrset: ({ name, type, records, zone }, originOf) => {
    const data = records === undefined ? undefined : listOf(records).map((record) => fieldsOf(record).value);
    return inZoneOf(hetznerOrigin(zone, originOf), zone, { label: name, kind: type, data, isPart: false });
  },
  hetznerdns_record: ({ name, type, value, zone_id: zone }, originOf) => {
    const record = { label: name, kind: type, data: listed(value), isPart: true };
    return inZoneOf(originOf("hetznerdns", zone), zone, record);
  },
  linode_domain_record: ({ name, record_type: kind, target, tag, domain_id: zone }, originOf) => {
    const data = kind === "CAA" ? caaText({ tag, value: target }) : target;
    return inZoneOf(originOf("linode", zone), zone, { label: name, kind, data: listed(data), isPart: true });
  },
  ns1_record: ({ domain: name, type: kind, answers, zone }) => {
    const data = answers === undefined ? undefined : listOf(answers).map((answer) => fieldsOf(answer).answer);
    return { name, kind, data, managedZone: zone };
  },
  ovh_domain_zone_record: ({ subdomain, fieldtype, target, zone }) => oneRecord(zone, subdomain, fieldtype, target),
  powerdns_record: ({ name, type: kind, records: data, zone }) => ({ name, kind, data, managedZone: zone }),
};

/** Akamai has the parts of DS, HTTPS and SVCB records in attributes of their own. */
function readAkamai(values: Fields): RecordSet {
  const { name, recordtype: kind, target, zone } = values;
  if (kind === "DS") {
    const { keytag, algorithm, digest_type: type, digest } = values;
    const data = digest === undefined ? undefined : [[keytag, algorithm, type, digest].join(" ")];
    return { name, kind, data, managedZone: zone };
  }
  if (kind !== "HTTPS" && kind !== "SVCB") return { name, kind, data: target, managedZone: zone };
  const { svc_priority: priority, target_name: host, svc_params: parameters } = values;
  const data = host === undefined ? undefined : [[priority, host, parameters ?? ""].join(" ").trim()];
  return { name, kind, data, managedZone: zone };
}

/** Alibaba Cloud keeps a record with the status `DISABLE`, and does not answer with it. */
function readAlibaba({ rr, host_record: host, type, value, domain_name: domain, name, status }: Fields): RecordSet {
  const read = oneRecord(domain ?? name, rr ?? host, type, value);
  return status === "DISABLE" ? { ...read, kind: undefined, data: [] } : read;
}

/** Returns the domain of a zone of Hetzner Cloud, where a record has the id or the name of its zone. */
function hetznerOrigin(zone: unknown, originOf: OriginOf): string | undefined {
  return /^\d+$/.test(asText(zone)) ? originOf("hcloud", zone) : asText(zone ?? "");
}

/** Returns a record whose resource has the id of its zone. */
function inZoneOf(
  origin: string | undefined,
  id: unknown,
  record: { readonly label: unknown; readonly kind: unknown; readonly data: unknown; readonly isPart: boolean },
): RecordSet {
  const { label, kind, data, isPart } = record;
  const zone = isPart ? { zone: asText(id ?? "") } : {};
  if (origin !== undefined) return { ...wholeSet(origin, label, kind, data), ...zone };
  // A zone that the same apply creates has no id yet, and no client uses its names.
  const unplaced = id === undefined || id === null ? {} : { unplaced: asText(label ?? "") };
  return { name: undefined, kind, data, ...zone, ...unplaced };
}

/** Returns a CAA record as in a zone file. */
export function caaText(parts: unknown): string {
  const { flags, tag, value } = fieldsOf(parts);
  return `${Number(flags ?? 0)} ${asText(tag ?? "")} "${asText(value ?? "")}"`;
}

/** Returns the set of a resource that holds all of its records. */
function wholeSet(zone: unknown, label: unknown, kind: unknown, data: unknown): RecordSet {
  return { name: nameIn(zone, label), kind, data, managedZone: zone };
}

/** Returns the part of a set that a resource with one record holds. */
function oneRecord(zone: unknown, label: unknown, kind: unknown, data: unknown): RecordSet {
  return { ...wholeSet(zone, label, kind, listed(data)), zone: asText(zone ?? "") };
}

function listed(data: unknown): readonly unknown[] | undefined {
  return data === undefined ? undefined : [data];
}

/** @param label name relative to the zone; `@` or nothing for the zone itself */
function nameIn(zone: unknown, label: unknown): string {
  const origin = asText(zone ?? "").replace(/\.$/, "");
  const text = asText(label ?? "");
  return text === "" || text === "@" ? origin : `${text}.${origin}`;
}

/** Zones whose records have only the id of their zone: the attribute with the domain, by type. */
const domainAttributes: Readonly<Record<string, string>> = {
  hcloud_zone: "name",
  hetznerdns_zone: "name",
  linode_domain: "domain",
};

/** Returns a function that finds the domain of a zone by its id, among the resources and data sources of a plan. */
export function zoneOrigins(plan: Fields): OriginOf {
  const origins = new Map<string, string>();
  const keep = (type: unknown, values: unknown) => {
    const attribute = domainAttributes[asText(type)];
    if (attribute === undefined) return;
    const { id, [attribute]: domain } = fieldsOf(values);
    if (id !== undefined && typeof domain === "string") origins.set(keyOf(providerOf(asText(type)), id), domain);
  };
  for (const { type, change } of listOf(plan.resource_changes).map(fieldsOf)) {
    const { before, after } = fieldsOf(change);
    keep(type, before);
    keep(type, after);
  }
  const readModule = (module: Fields) => {
    for (const { type, values } of listOf(module.resources).map(fieldsOf)) keep(type, values);
    for (const child of listOf(module.child_modules)) readModule(fieldsOf(child));
  };
  readModule(fieldsOf(fieldsOf(fieldsOf(plan.prior_state).values).root_module));
  return (provider, id) => origins.get(keyOf(provider, id));
}

function providerOf(type: string): string {
  return type.replace(/_.*$/, "");
}

function keyOf(provider: string, id: unknown): string {
  return `${provider} ${asText(id)}`;
}
