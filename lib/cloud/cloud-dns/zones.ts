import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type Json } from "../front";
import { canonicalName, readDomainName } from "../name-server";
import { invalidEntity, readDnsName } from "./answers";
import type { RecordSetResource } from "./record-sets";

export interface ManagedZone extends Json {
  readonly kind: "dns#managedZone";
  /** Decimal digits. */
  readonly id: string;
  readonly name: string;
  /** In lower case, with its trailing dot. */
  readonly dnsName: string;
  readonly visibility: "public" | "private";
  readonly nameServers: readonly string[];
}

export function newZone(body: Json, project: string, now: string): ManagedZone {
  const { dnsName, description } = body;
  const name = readDnsName(body.name, "managedZone.name");
  const reading =
    typeof dnsName === "string" && dnsName.endsWith(".") && dnsName !== "." ? readDomainName(dnsName) : undefined;
  if (reading === undefined || "problem" in reading)
    throw invalidEntity("managedZone.dnsName", dnsName, "a domain name with a trailing dot");
  const digest = createHash("sha256").update(`${project}/${name}/${now}`).digest();
  const visibility = body.visibility === "private" ? "private" : "public";
  // As in the service, each zone has one of several sets of four name servers, and clients can't predict the set.
  const letter = "abcde"[(digest[0] ?? 0) % 5];
  const nameServers = [1, 2, 3, 4].map((number) => `ns-cloud-${letter}${number}.googledomains.com.`);
  return {
    ...withoutEmpty(body),
    kind: "dns#managedZone",
    id: (digest.readBigUInt64BE(1) >> 1n).toString(),
    name,
    dnsName: canonicalName(reading.name),
    description: description ?? "",
    creationTime: now,
    visibility,
    nameServers: visibility === "private" ? ["ns-gcp-private.googledomains.com."] : nameServers,
    ...dnssecOf(body),
    cloudLoggingConfig: loggingOf(body),
  };
}

/** Returns the zone's DNSSEC settings, if it has any, with the `kind` fields that answers contain and clients omit. */
function dnssecOf({ dnssecConfig }: Json): { readonly dnssecConfig?: Json } {
  if (!isJsonObject(dnssecConfig) || isEmpty(dnssecConfig)) return {};
  const { defaultKeySpecs, ...rest } = dnssecConfig;
  const specs = Array.isArray(defaultKeySpecs) ? defaultKeySpecs.filter(isJsonObject) : [];
  const keySpecs = specs.map((spec) => ({ ...spec, kind: "dns#dnsKeySpec" }));
  const kind = "dns#managedZoneDnsSecConfig";
  return { dnssecConfig: { ...rest, ...(keySpecs.length === 0 ? {} : { defaultKeySpecs: keySpecs }), kind } };
}

/** Returns a zone without empty members, such as the provider's `privateVisibilityConfig` of a public zone. */
function withoutEmpty(zone: Json): Json {
  const filled = Object.entries(zone).map(([field, value]) => [
    field,
    isJsonObject(value) ? withoutEmpty(value) : value,
  ]);
  return Object.fromEntries(filled.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** Returns whether queries are logged; the API always includes this field. */
function loggingOf({ cloudLoggingConfig }: Json): Json {
  return { kind: "dns#managedZoneCloudLoggingConfig", ...(cloudLoggingConfig as Json | undefined) };
}

const negativeTtlSeconds = 300;
const apexTtlSeconds = 21_600;

/** Returns the records that every zone has from its creation and that can't be deleted. */
export function apexRecordSets({ dnsName, nameServers }: ManagedZone): readonly RecordSetResource[] {
  const common = { kind: "dns#resourceRecordSet", name: dnsName, ttl: apexTtlSeconds, signatureRrdatas: [] } as const;
  const soa = `${nameServers[0]} cloud-dns-hostmaster.google.com. 1 21600 3600 259200 ${negativeTtlSeconds}`;
  return [
    { ...common, type: "NS", rrdatas: nameServers },
    { ...common, type: "SOA", rrdatas: [soa] },
  ];
}

const mutable = [
  "description",
  "labels",
  "privateVisibilityConfig",
  "dnssecConfig",
  "cloudLoggingConfig",
  "forwardingConfig",
  "peeringConfig",
];

/** Fields that the service sets; ignored in requests, because clients send them back. */
const ownFields = ["kind", "id", "creationTime", "nameServers"];

/** Returns a zone after a patch; the name, domain and visibility of a zone never change. */
export function patchedZone(before: ManagedZone, body: Json): ManagedZone {
  for (const [field, value] of Object.entries(body)) {
    const isFree = mutable.includes(field) || ownFields.includes(field) || value === undefined || value === null;
    if (isFree || isDeepStrictEqual(value, before[field])) continue;
    throw invalidEntity(`managedZone.${field}`, JSON.stringify(value), "it can't be changed; make a new zone");
  }
  const changes = Object.entries(body).filter(([field]) => mutable.includes(field));
  const after = { ...before, ...Object.fromEntries(changes) };
  return {
    ...(withoutEmpty(after) as ManagedZone),
    description: after.description ?? "",
    ...dnssecOf(after),
    cloudLoggingConfig: loggingOf(after),
  };
}

/** Returns a zone after an update; an update removes fields that it does not name. */
export function updatedZone(before: ManagedZone, body: Json): ManagedZone {
  const kept = Object.entries(before).filter(([field]) => !mutable.includes(field) || field === "cloudLoggingConfig");
  return patchedZone({ ...(Object.fromEntries(kept) as ManagedZone), description: "" }, body);
}
