/** Record resources of DNS hosts other than Google Cloud, as the documentation of their providers describes them. */
import type { Fields } from "../../json/fields";
import type { AttributeType } from "../schema";
import { isList, textValue, type Value, type ValueObject } from "../value";

/** A record set, or one value of a record set. */
export interface HostedRecord {
  /** Full name, without the trailing dot. */
  readonly name: string;
  readonly type: string;
  readonly ttlSeconds: number;
  readonly data: readonly string[];
  /** Whether Cloudflare answers with addresses of its own proxy in place of the data. */
  readonly isProxied: boolean;
}

export interface HostedRecordType {
  readonly attributes: Readonly<Record<string, AttributeType>>;
  readonly computed: Readonly<Record<string, AttributeType>>;
  /** Blocks that the stand-in accepts and keeps in the state. */
  readonly blocks?: Readonly<Record<string, Readonly<Record<string, AttributeType>>>>;
  /** Attributes whose change replaces the resource. */
  readonly forceNew: readonly string[];
  /** Whether a resource is one value of a record set; then several resources share a set. */
  readonly isOneValue?: true;
  /** Returns the record; undefined if a part of it is unknown, or if it has no data. */
  readonly recordOf: (values: ValueObject) => HostedRecord | undefined;
  /** Returns the attributes that an import id states. */
  readonly identify: (id: string) => ValueObject;
}

const defaultTtlSeconds = 300;

function recordFrom(
  values: ValueObject,
  { name, type, data }: { readonly name: string; readonly type: string; readonly data: readonly string[] },
): HostedRecord | undefined {
  if (name === "" || type === "" || data.length === 0) return undefined;
  const ttl = Number(values.ttl ?? defaultTtlSeconds);
  return {
    name: bare(name),
    type: type.toUpperCase(),
    // Cloudflare writes 1 for a time to live that it chooses.
    ttlSeconds: Number.isInteger(ttl) && ttl > 1 ? ttl : defaultTtlSeconds,
    data: type.toUpperCase() === "CNAME" ? data.map((target) => `${bare(target)}.`) : data,
    isProxied: values.proxied === true,
  };
}

function bare(name: string): string {
  return name.replace(/\.$/, "").toLowerCase();
}

function textsIn(value: Value | undefined): readonly string[] {
  const list = value !== undefined && isList(value) ? value : [value];
  return list.filter((item): item is string => typeof item === "string" && item !== "");
}

const route53: HostedRecordType = {
  attributes: {
    zone_id: "string",
    name: "string",
    type: "string",
    ttl: "number",
    records: ["set", "string"],
    set_identifier: "string",
    health_check_id: "string",
    allow_overwrite: "bool",
    multivalue_answer_routing_policy: "bool",
  },
  computed: { id: "string", fqdn: "string" },
  blocks: {
    alias: { name: "string", zone_id: "string", evaluate_target_health: "bool" },
    weighted_routing_policy: { weight: "number" },
    latency_routing_policy: { region: "string" },
    failover_routing_policy: { type: "string" },
    geolocation_routing_policy: { continent: "string", country: "string", subdivision: "string" },
  },
  forceNew: ["zone_id", "set_identifier"],
  recordOf: (values) =>
    recordFrom(values, {
      name: textValue(values, "name"),
      type: textValue(values, "type"),
      data: textsIn(values.records),
    }),
  identify: (id) => {
    const [, zone = "", name = "", type = ""] = /^([A-Z0-9]+)_(.+)_([A-Z]+)$/.exec(id) ?? [];
    return zone === "" ? {} : { zone_id: zone, name, type };
  },
};

const cloudflare = (content: "content" | "value"): HostedRecordType => ({
  attributes: {
    zone_id: "string",
    name: "string",
    type: "string",
    ttl: "number",
    [content]: "string",
    proxied: "bool",
    priority: "number",
    comment: "string",
    tags: ["set", "string"],
    ...(content === "value" ? { content: "string", allow_overwrite: "bool" } : {}),
  },
  computed: { id: "string", ...(content === "value" ? { hostname: "string" } : {}) },
  forceNew: ["zone_id", "type"],
  isOneValue: true,
  recordOf: (values) =>
    recordFrom(values, {
      name: textValue(values, "name"),
      type: textValue(values, "type"),
      data: textsIn(values[content] ?? values.content),
    }),
  // An id of Cloudflare names the record by a number of its own.
  identify: (id) => ({ zone_id: id.split("/")[0] ?? "" }),
});

const azure = (type: "A" | "AAAA" | "CNAME"): HostedRecordType => ({
  attributes: {
    resource_group_name: "string",
    zone_name: "string",
    name: "string",
    ttl: "number",
    target_resource_id: "string",
    tags: ["map", "string"],
    ...(type === "CNAME" ? { record: "string" as const } : { records: ["set", "string"] as const }),
  },
  computed: { id: "string", fqdn: "string" },
  forceNew: ["name", "zone_name", "resource_group_name"],
  recordOf: (values) => {
    const [name, zone] = [textValue(values, "name"), textValue(values, "zone_name")];
    const full = name === "" || zone === "" ? "" : name === "@" ? zone : `${name}.${zone}`;
    return recordFrom(values, { name: full, type, data: textsIn(values.records ?? values.record) });
  },
  identify: (id) => {
    const form = /\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Network\/dnsZones\/([^/]+)\/[A-Z]+\/([^/]+)$/i;
    const [, group, zone, name] = form.exec(id) ?? [];
    return group === undefined || zone === undefined || name === undefined
      ? {}
      : { resource_group_name: group, zone_name: zone, name };
  },
});

/** Resource types by their names. */
export const hostedRecordTypes: Readonly<Record<string, HostedRecordType>> = {
  aws_route53_record: route53,
  cloudflare_dns_record: cloudflare("content"),
  cloudflare_record: cloudflare("value"),
  azurerm_dns_a_record: azure("A"),
  azurerm_dns_aaaa_record: azure("AAAA"),
  azurerm_dns_cname_record: azure("CNAME"),
};

/** Returns the record of a resource as a plan contains it; undefined if a part of it is unknown. */
export function hostedRecordOf(type: string, values: Fields): HostedRecord | undefined {
  return hostedRecordTypes[type]?.recordOf(values as ValueObject);
}

/** Look-ups of zones: the arguments, and the attributes that the stand-in makes up. */
export const zoneLookups: Readonly<Record<string, Readonly<Record<string, AttributeType>>>> = {
  aws_route53_zone: { name: "string", zone_id: "string", private_zone: "bool", id: "string", arn: "string" },
  cloudflare_zone: { zone_id: "string", name: "string", filter: ["object", { name: "string" }], id: "string" },
  azurerm_dns_zone: { name: "string", resource_group_name: "string", id: "string" },
};

/** Sources of the providers, by the prefix of their types. */
export const recordProviderSources: Readonly<Record<string, string>> = {
  aws: "hashicorp/aws",
  cloudflare: "cloudflare/cloudflare",
  azurerm: "hashicorp/azurerm",
};
