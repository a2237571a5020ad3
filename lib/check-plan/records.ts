import { asText, type Fields, fieldsOf, isFields, listOf } from "../json/fields";
import { caaText, type OriginOf, otherReaders, type RecordSet } from "./record-readers";

/** Type of all record sets for the rules. */
const recordType = "google_dns_record_set";

/** Type of all zones for the rules. */
const zoneType = "google_dns_managed_zone";

/** Attribute with the zone of a record that is only a part of its set. */
const partOf = "part_of_zone";

/** Attribute with the name of a record relative to a zone that the plan does not contain. */
const unplaced = "name_in_unknown_zone";

/** Attribute with the name of a service whose proxies answer in place of the record's data. */
const proxiedBy = "proxied_by";

/** Returns the name of the service that proxies the clients of a record; undefined if clients get the record's data. */
export function proxyService(values: Fields): string | undefined {
  const service = values[proxiedBy];
  return typeof service === "string" ? service : undefined;
}

/** Returns the name of a record within a zone that the plan does not contain; undefined if the plan has the zone. */
export function unplacedName(values: Fields): string | undefined {
  const label = values[unplaced];
  return typeof label === "string" ? label : undefined;
}

/** Returns whether two resources hold records of the same set. */
export function isSameSet(a: Fields, b: Fields): boolean {
  return a[partOf] !== undefined && a[partOf] === b[partOf] && a.type === b.type && a.name === b.name;
}

/** Returns whether a resource holds a part of its set: the deletion of the resource leaves the other parts. */
export function isPart(values: Fields): boolean {
  return values[partOf] !== undefined;
}

/** Attributes with the data of a record, as providers name them. */
export const dataAttributes = [
  "rrdatas",
  "content",
  "value",
  "values",
  "records",
  "record",
  "addresses",
  "answers",
  "cname",
  "nameservers",
  "target",
] as const;

/**
 * Returns record sets and zones of other DNS providers in the form of Cloud DNS, because the rules are the same for
 * each DNS provider. Returns all other resources unchanged.
 */
export function asCloudDns(
  type: string,
  values: Fields,
  originOf: OriginOf,
): { readonly type: string; readonly values: Fields } {
  const readZone = zoneReaders.get(type);
  if (readZone !== undefined) return { type: zoneType, values: readZone(values) };
  const read = readers.get(type);
  if (read === undefined) return { type, values };
  const { name, kind, data, zone, managedZone, isProxied, unplaced: label } = read(values, originOf);
  const bare = asText(name ?? "").replace(/\.$/, "");
  return {
    type: recordType,
    values: {
      name: bare === "" ? "" : `${bare}.`,
      type: kind,
      ...(data === undefined ? {} : { rrdatas: listOf(data) }),
      ...(zone === undefined ? {} : { [partOf]: zone }),
      ...(typeof managedZone === "string" ? { managed_zone: managedZone } : {}),
      ...(isProxied ? { [proxiedBy]: "Cloudflare" } : {}),
      ...(label === undefined ? {} : { [unplaced]: label }),
    },
  };
}

/** Resources with which other DNS providers sign a zone; Cloud DNS has a block in the zone. */
export const signingTypes = ["aws_route53_hosted_zone_dnssec", "cloudflare_zone_dnssec"] as const;

/** Returns the identity of the zone that a resource signs; undefined if it does not sign. */
export function signedZone(type: string, values: Fields): string | undefined {
  const { hosted_zone_id: hosted, signing_status: status, zone_id: zone, status: state } = values;
  const isOff = type === "aws_route53_hosted_zone_dnssec" ? status === "NOT_SIGNING" : state === "disabled";
  const id = hosted ?? zone;
  return isOff || typeof id !== "string" ? undefined : id;
}

/** Functions that return zones in the form of Cloud DNS, by type. */
const zoneReaders: ReadonlyMap<string, (values: Fields) => Fields> = new Map([
  [
    "aws_route53_zone",
    ({ name, zone_id: zone, vpc }: Fields) => {
      return { dns_name: name, name: zone, visibility: listOf(vpc).length > 0 ? "private" : "public" };
    },
  ],
  ["cloudflare_zone", ({ zone, name, id }: Fields) => ({ dns_name: zone ?? name, name: id })],
  ["azurerm_dns_zone", ({ name }: Fields) => ({ dns_name: name, name })],
  [
    "azurerm_private_dns_zone",
    ({ name }: Fields) => ({ dns_name: name, name: privateAzure(name), visibility: "private" }),
  ],
]);

/** Returns an identity for a private zone of Azure: a public zone can have the same name. */
function privateAzure(zone: unknown): string {
  return `private-${asText(zone)}`;
}

const readers: ReadonlyMap<string, (values: Fields, originOf: OriginOf) => RecordSet> = new Map(
  Object.entries({
    ...otherReaders,
    aws_route53_record: ({ name, fqdn, type, records, alias, zone_id: managedZone }: Fields) => {
      const aliases = listOf(alias).map((target) => fieldsOf(target).name);
      return { name: fqdn ?? name, kind: type, data: aliases.length > 0 ? aliases : records, managedZone };
    },
    cloudflare_record: readCloudflare,
    cloudflare_dns_record: readCloudflare,
    azurerm_dns_a_record: (values: Fields) => readAzure("A", values),
    azurerm_dns_aaaa_record: (values: Fields) => readAzure("AAAA", values),
    azurerm_dns_cname_record: (values: Fields) => readAzure("CNAME", values),
    azurerm_dns_ns_record: (values: Fields) => readAzure("NS", values),
    azurerm_private_dns_a_record: (values: Fields) => readPrivateAzure("A", values),
    azurerm_private_dns_aaaa_record: (values: Fields) => readPrivateAzure("AAAA", values),
    azurerm_private_dns_cname_record: (values: Fields) => readPrivateAzure("CNAME", values),
    azurerm_dns_caa_record: ({ record, ...values }: Fields) => {
      return readAzure("CAA", { ...values, ...(record === undefined ? {} : { records: listOf(record).map(caaText) }) });
    },
  }),
);

function readCloudflare(values: Fields): RecordSet {
  const { name, hostname, type, value, content, data: parts, zone_id: zone, proxied } = values;
  const first = isFields(parts) ? parts : listOf(parts)[0];
  const text = first === undefined ? undefined : textsOfParts[asText(type)]?.(first);
  const data = text ?? content ?? value;
  return {
    name: hostname ?? name,
    kind: type,
    data: data === undefined ? undefined : [data],
    zone: typeof zone === "string" ? zone : "",
    managedZone: zone,
    isProxied: proxied === true,
  };
}

/** Returns an HTTPS or SVCB record as in a zone file; undefined if its parts are unknown. */
function serviceText(parts: unknown): string | undefined {
  const { priority, target, value } = fieldsOf(parts);
  return target === undefined ? undefined : [priority, target, value ?? ""].join(" ").trim();
}

/** Returns a DS record as in a zone file; undefined if its parts are unknown. */
function dsText(parts: unknown): string | undefined {
  const { key_tag: tag, algorithm, digest_type: type, digest } = fieldsOf(parts);
  return digest === undefined ? undefined : [tag, algorithm, type, digest].join(" ");
}

/** How Cloudflare's parts of a record become its text, by type. */
const textsOfParts: Readonly<Record<string, (parts: unknown) => string | undefined>> = {
  CAA: caaText,
  DS: dsText,
  HTTPS: serviceText,
  SVCB: serviceText,
};

function readAzure(kind: string, { name, zone_name: zone, record, records }: Fields): RecordSet {
  const fullName = name === "@" ? asText(zone) : `${asText(name)}.${asText(zone)}`;
  const data = kind === "CNAME" ? (record === undefined ? undefined : [record]) : records;
  return { name: fullName, kind, data, managedZone: zone };
}

function readPrivateAzure(kind: string, values: Fields): RecordSet {
  return { ...readAzure(kind, values), managedZone: privateAzure(values.zone_name) };
}
