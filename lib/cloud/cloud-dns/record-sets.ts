import { CloudError } from "../cloud-error";
import type { Json } from "../front";
import { canonicalName, isAtOrBelow, isRecordType, readDomainName, readRrdata } from "../name-server";
import { invalidEntity } from "./refusals";

/** A record set as it is kept and served. */
export interface RecordSetResource extends Json {
  readonly kind: "dns#resourceRecordSet";
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
  readonly signatureRrdatas: readonly string[];
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
  if (routingPolicy !== undefined)
    throw new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate routing policies");
  const owner = typeof name === "string" ? nameIn(name, dnsName) : undefined;
  if (owner === undefined)
    throw invalidEntity(`${path}.name`, name, `a name in ${dnsName}, with a trailing dot, is needed`);
  if (typeof type !== "string" || !isRecordType(type))
    throw invalidEntity(`${path}.type`, type, "a record type is needed");
  const seconds = ttl === undefined ? 0 : Number(ttl);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > longestTtlSeconds)
    throw invalidEntity(`${path}.ttl`, ttl, "0 to 2147483647 seconds");
  const data = (rrdatas ?? []) as readonly string[];
  if (data.length === 0) throw invalidEntity(`${path}.rrdata`, "", "at least one record is needed");
  const read = data.map((text, index) => readData(type, text, `${path}.rrdata[${index}]`));
  if (new Set(read).size !== read.length)
    throw invalidEntity(`${path}.rrdata`, data.join(", "), "the same record twice");
  if ((type === "CNAME" || type === "SOA") && data.length > 1)
    throw invalidEntity(`${path}.rrdata`, data.length, `one record of type ${type} is allowed`);
  return { kind: "dns#resourceRecordSet", name: owner, type, ttl: seconds, rrdatas: data, signatureRrdatas: [] };
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
  return a.ttl === b.ttl && [...a.rrdatas].sort().join("\n") === [...b.rrdatas].sort().join("\n");
}
