import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "../front";
import { canonicalName, isAtOrBelow, isRecordType, readDomainName, readRrdata } from "../name-server";
import { invalidEntity } from "./refusals";
import { readPolicyItems } from "./routing-policies";

/** A record set as it is kept and served. */
export interface RecordSetResource extends Json {
  readonly kind: "dns#resourceRecordSet";
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
  readonly signatureRrdatas: readonly string[];
  /** Chooses between several data; `rrdatas` is empty beside it. */
  readonly routingPolicy?: Json;
}

const longestTtlSeconds = 2 ** 31 - 1;

/**
 * A record set from a request.
 *
 * @param path where it stands, as in `change.additions[0]`
 * @param dnsName of the zone, with its trailing dot
 */
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
  if (isObject(routingPolicy)) {
    if (((rrdatas ?? []) as readonly string[]).length > 0)
      throw invalidEntity(`${path}.rrdata`, "rrdatas", "it can't stand beside a routing policy");
    for (const item of readPolicyItems(routingPolicy, `${path}.routingPolicy`))
      checkData(type, item.rrdatas, item.place);
    return { ...common, rrdatas: [], routingPolicy };
  }
  const data = (rrdatas ?? []) as readonly string[];
  checkData(type, data, path);
  return { ...common, rrdatas: data };
}

/** The record set as name servers answer it: of a routing policy the first item, whoever asks. */
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

/** A name in its one text, if it lies in the zone; a dot within a label, as in `x\\.example.com.`, begins none. */
function nameIn(text: string, dnsName: string): string | undefined {
  const reading = readDomainName(text);
  return "name" in reading && isAtOrBelow(canonicalName(reading.name), dnsName) ? reading.name : undefined;
}

/** Types whose data are names and numbers, in which case means nothing (RFC 4343). */
const withoutCase = new Set(["CNAME", "MX", "NS", "PTR", "SOA", "SRV"]);

/** One record's data in the text that is the same for all ways to write them. */
function readData(type: string, text: unknown, path: string): string {
  const reading = typeof text === "string" ? readRrdata(type, text) : { problem: { message: "not a text" } };
  if ("problem" in reading) throw invalidEntity(path, text, reading.problem.message);
  return withoutCase.has(type) ? reading.rrdata.toLowerCase() : reading.rrdata;
}

/** What a name is found by, however it is written; of a text that is none, nothing is found. */
export function nameKey(text: string): string {
  const reading = readDomainName(text);
  return canonicalName("name" in reading ? reading.name : text);
}

/** What a record set is called in messages. */
export function titleOf({ name, type }: Pick<RecordSetResource, "name" | "type">): string {
  return `${name} (${type})`;
}

/** Key of a record set in its zone. */
export function recordSetKey({ name, type }: { readonly name: string; readonly type: string }): string {
  return `${nameKey(name)} ${type}`;
}

/** Whether two record sets hold the same, in whatever order: what a deletion has to name. */
export function isSameRecordSet(a: RecordSetResource, b: RecordSetResource): boolean {
  if (!isDeepStrictEqual(policyOf(a), policyOf(b))) return false;
  return a.ttl === b.ttl && [...a.rrdatas].sort().join("\n") === [...b.rrdatas].sort().join("\n");
}

/** What a policy chooses from; clients leave out the kinds of its parts. */
function policyOf({ routingPolicy }: RecordSetResource): unknown {
  const withoutKinds = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutKinds);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).filter(([key]) => key !== "kind" && key !== "signatureRrdatas");
    return Object.fromEntries(entries.map(([key, inner]) => [key, withoutKinds(inner)]));
  };
  return withoutKinds(routingPolicy);
}
