import { isDeepStrictEqual } from "node:util";
import { CloudError } from "../cloud-error";
import { isJsonObject, type Json } from "../front";
import { canonicalName, isDomainAtOrBelow, isRecordType, readDomainName, readRrdata } from "../name-server";
import { invalidEntity } from "./answers";

export interface RecordSetResource extends Json {
  readonly kind: "dns#resourceRecordSet";
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
  readonly signatureRrdatas: readonly string[];
  /** Selects one of several data; `rrdatas` is empty then. */
  readonly routingPolicy?: Json;
}

const longestTtlSeconds = 2 ** 31 - 1;

/** Reads a record set. @param path for example `change.additions[0]` @param dnsName domain of the zone, with its dot */
export function readRecordSet(given: Json, path: string, dnsName: string): RecordSetResource {
  const { name, type, ttl, rrdatas, routingPolicy } = given;
  const owner = typeof name === "string" ? nameIn(name, dnsName) : undefined;
  if (owner === undefined)
    throw invalidEntity(`${path}.name`, name, `a name in ${dnsName}, with a trailing dot, is needed`);
  if (typeof type !== "string" || !isRecordType(type))
    throw invalidEntity(`${path}.type`, type, "a record type is needed");
  const seconds = ttl === undefined ? 0 : Number(ttl);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > longestTtlSeconds)
    throw invalidEntity(`${path}.ttl`, ttl, "0 to 2147483647 seconds");
  const common = { kind: "dns#resourceRecordSet", name: owner, type, ttl: seconds, signatureRrdatas: [] } as const;
  if (isJsonObject(routingPolicy)) {
    if (((rrdatas ?? []) as readonly string[]).length > 0)
      throw invalidEntity(`${path}.rrdata`, "rrdatas", "it can't be combined with a routing policy");
    for (const item of readPolicyItems(routingPolicy, `${path}.routingPolicy`))
      checkData(type, item.rrdatas, item.place);
    return { ...common, rrdatas: [], routingPolicy };
  }
  const data = (rrdatas ?? []) as readonly string[];
  checkData(type, data, path);
  return { ...common, rrdatas: data.map((text) => storedData(type, text)) };
}

/** Returns the record set that name servers answer. A routing policy gives the first item to every client. */
export function servedRecordSet(recordSet: RecordSetResource): RecordSetResource {
  if (recordSet.routingPolicy === undefined) return recordSet;
  const [first] = readPolicyItems(recordSet.routingPolicy, "routingPolicy");
  return { ...recordSet, rrdatas: first?.rrdatas ?? [] };
}

function checkData(type: string, data: readonly string[], path: string): void {
  if (data.length === 0) throw invalidEntity(`${path}.rrdata`, "", "at least one record is needed");
  const read = data.map((text, index) => readData(type, text, `${path}.rrdata[${index}]`));
  if (new Set(read).size !== read.length)
    throw invalidEntity(`${path}.rrdata`, data.join(", "), "the same record twice");
  if ((type === "CNAME" || type === "SOA") && data.length > 1)
    throw invalidEntity(`${path}.rrdata`, data.length, `one record of type ${type} is allowed`);
}

/** Returns a name in the zone in canonical text. An escaped dot, as in `x\\.example.com.`, does not start a label. */
function nameIn(text: string, dnsName: string): string | undefined {
  const reading = readDomainName(text);
  return "name" in reading && isDomainAtOrBelow(canonicalName(reading.name), dnsName) ? reading.name : undefined;
}

/** Types whose data are names and numbers, which are case-insensitive (RFC 4343). */
const withoutCase = new Set(["CNAME", "MX", "NS", "PTR", "SOA", "SRV"]);

/**
 * Types whose data the service stores in one form: addresses in their shortest form, texts as quoted strings. Sources:
 * hashicorp/terraform-provider-google#1546, Shopify/record_store#58.
 */
const withOneForm = new Set(["AAAA", "TXT"]);

function storedData(type: string, text: string): string {
  return withOneForm.has(type) ? readData(type, text, "rrdata") : text;
}

function readData(type: string, text: unknown, path: string): string {
  const reading = typeof text === "string" ? readRrdata(type, text) : { problem: { message: "not a text" } };
  if ("problem" in reading) throw invalidEntity(path, text, reading.problem.message);
  return withoutCase.has(type) ? reading.rrdata.toLowerCase() : reading.rrdata;
}

/** Returns the key of a name, the same for every spelling. An invalid name gets a key that matches nothing. */
export function nameKey(text: string): string {
  const reading = readDomainName(text);
  return canonicalName("name" in reading ? reading.name : text);
}

export function recordSetTitle({ name, type }: Pick<RecordSetResource, "name" | "type">): string {
  return `${name} (${type})`;
}

export function recordSetKey({ name, type }: { readonly name: string; readonly type: string }): string {
  return `${nameKey(name)} ${type}`;
}

/** Returns whether two record sets have the same content in any order; a deletion has to state the same content. */
export function isSameRecordSet(a: RecordSetResource, b: RecordSetResource): boolean {
  if (!isDeepStrictEqual(policyOf(a), policyOf(b))) return false;
  return a.ttl === b.ttl && [...a.rrdatas].sort().join("\n") === [...b.rrdatas].sort().join("\n");
}

/** Returns the items of a policy without the `kind` fields, which clients omit. */
function policyOf({ routingPolicy }: RecordSetResource): unknown {
  const withoutKinds = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutKinds);
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).filter(([key]) => key !== "kind" && key !== "signatureRrdatas");
    return Object.fromEntries(entries.map(([key, inner]) => [key, withoutKinds(inner)]));
  };
  return withoutKinds(routingPolicy);
}

interface PolicyItem {
  readonly rrdatas: readonly string[];
  /** Place of the item, for example `routingPolicy.wrr.items[0]`. */
  readonly place: string;
}

const kinds = ["wrr", "geo"] as const;

/** Reads a policy by weight or location. @throws CloudError 501 for health checks, which the cloud does not emulate */
function readPolicyItems(policy: Json, place: string): readonly PolicyItem[] {
  if (policy.primaryBackup !== undefined) throw byHealth();
  const given = kinds.filter((kind) => isJsonObject(policy[kind]));
  const [kind] = given;
  if (kind === undefined || given.length > 1)
    throw invalidEntity(place, given.join(", "), "either 'wrr' or 'geo' is needed");
  const items = ((policy[kind] as Json).items ?? []) as readonly Json[];
  if (items.length === 0) throw invalidEntity(`${place}.${kind}.items`, "", "at least one item is needed");
  return items.map((item, index) => {
    if (item.healthCheckedTargets !== undefined) throw byHealth();
    return { rrdatas: (item.rrdatas ?? []) as readonly string[], place: `${place}.${kind}.items[${index}]` };
  });
}

function byHealth(): CloudError {
  return new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate routing policies with health checks");
}
