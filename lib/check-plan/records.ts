import { type Fields, fieldsOf, isFields, listOf } from "../json/fields";

/** Type of all record sets for the rules. */
const recordType = "google_dns_record_set";

/** Type of all zones for the rules. */
const zoneType = "google_dns_managed_zone";

/** Attribute with the zone of a record that is only a part of its set. */
const partOf = "part_of_zone";

/** Returns whether two resources hold records of the same set. */
export function isSameSet(a: Fields, b: Fields): boolean {
  return a[partOf] !== undefined && a[partOf] === b[partOf] && a.type === b.type && a.name === b.name;
}

/** Attributes with the data of a record, as providers name them. */
export const dataAttributes = ["rrdatas", "content", "value"] as const;

/**
 * Returns record sets and zones of other DNS providers in the form of Cloud DNS, because the rules are the same for
 * each DNS provider. Returns all other resources unchanged.
 */
export function asCloudDns(type: string, values: Fields): { readonly type: string; readonly values: Fields } {
  const originOf = zoneOrigins.get(type);
  if (originOf !== undefined) return { type: zoneType, values: { dns_name: originOf(values) } };
  const read = readers.get(type);
  if (read === undefined) return { type, values };
  const { name, kind, data, zone } = read(values);
  const bare = String(name ?? "").replace(/\.$/, "");
  return {
    type: recordType,
    values: {
      name: bare === "" ? "" : `${bare}.`,
      type: kind,
      ...(data === undefined ? {} : { rrdatas: listOf(data) }),
      ...(zone === undefined ? {} : { [partOf]: zone }),
    },
  };
}

/** Functions that return the domain of a zone, by type. */
const zoneOrigins: ReadonlyMap<string, (values: Fields) => unknown> = new Map([
  ["aws_route53_zone", ({ name }: Fields) => name],
  ["cloudflare_zone", ({ zone, name }: Fields) => zone ?? name],
  ["azurerm_dns_zone", ({ name }: Fields) => name],
]);

interface RecordSet {
  readonly name: unknown;
  readonly kind: unknown;
  /** A list; undefined if it is unknown. */
  readonly data: unknown;
  /** Zone of a provider with a resource for each record of a set. @default - the resource holds the whole set */
  readonly zone?: string;
}

const readers: ReadonlyMap<string, (values: Fields) => RecordSet> = new Map(
  Object.entries({
    aws_route53_record: ({ name, fqdn, type, records, alias }: Fields) => {
      const aliases = listOf(alias).map((one) => fieldsOf(one).name);
      return { name: fqdn ?? name, kind: type, data: aliases.length > 0 ? aliases : records };
    },
    cloudflare_record: readCloudflare,
    cloudflare_dns_record: readCloudflare,
    azurerm_dns_a_record: (values: Fields) => readAzure("A", values),
    azurerm_dns_aaaa_record: (values: Fields) => readAzure("AAAA", values),
    azurerm_dns_cname_record: (values: Fields) => readAzure("CNAME", values),
    azurerm_dns_caa_record: ({ record, ...values }: Fields) => {
      return readAzure("CAA", { ...values, ...(record === undefined ? {} : { records: listOf(record).map(caaText) }) });
    },
  }),
);

function readCloudflare({ name, hostname, type, value, content, data: parts, zone_id: zone }: Fields): RecordSet {
  const caa = type === "CAA" ? (isFields(parts) ? parts : listOf(parts)[0]) : undefined;
  const data = caa === undefined ? (content ?? value) : caaText(caa);
  return {
    name: hostname ?? name,
    kind: type,
    data: data === undefined ? undefined : [data],
    zone: typeof zone === "string" ? zone : "",
  };
}

/** Returns a CAA record as in a zone file. */
function caaText(parts: unknown): string {
  const { flags, tag, value } = fieldsOf(parts);
  return `${Number(flags ?? 0)} ${String(tag ?? "")} "${String(value ?? "")}"`;
}

function readAzure(kind: string, { name, zone_name: zone, record, records }: Fields): RecordSet {
  const own = name === "@" ? String(zone) : `${String(name)}.${String(zone)}`;
  return { name: own, kind, data: kind === "CNAME" ? (record === undefined ? undefined : [record]) : records };
}
