import { isIP } from "node:net";
import { CHECKING_DISABLED, type DecodedPacket, decode, encode, type OptAnswer, RECURSION_DESIRED } from "dns-packet";

/** Record types that are queried. */
export type AskedType = "A" | "AAAA" | "CAA" | "CNAME" | "DS" | "NS" | "SOA" | "TXT";

export interface DnsQuestion {
  /** With or without trailing dot. */
  readonly name: string;
  readonly type: AskedType;
  /** Whether the server should resolve the name recursively. */
  readonly recursive: boolean;
  /** Whether to accept answers that fail DNSSEC. */
  readonly checkingDisabled: boolean;
}

/** One record; untrusted. */
export interface DnsRecord {
  /** Owner, in lower case without trailing dot. */
  readonly name: string;
  readonly type: string;
  readonly ttlSeconds: number;
  /**
   * Names in lower case without trailing dot; CAA as `FLAGS TAG "VALUE"` with escapes as in zone files; SOA as `PRIMARY
   * SERIAL`.
   */
  readonly data: string;
}

/** The answer of a server. */
export interface DnsMessage {
  /** For example `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`. */
  readonly rcode: string;
  /** Whether the server is authoritative for the zone. */
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authority: readonly DnsRecord[];
}

/** Largest UDP answer that is requested, in octets. Larger datagrams are fragmented on the way. */
const udpOctets = 1_232;

/**
 * Encodes a query.
 *
 * @param id from 0 to 65535
 * @param edns whether to use EDNS, which allows answers above 512 octets; very old servers reject queries with EDNS
 */
export function encodeQuery(
  { name, type, recursive, checkingDisabled }: DnsQuestion,
  id: number,
  edns: "edns" | "no edns" = "edns",
): Buffer {
  return encode({
    type: "query",
    id,
    flags: (recursive ? RECURSION_DESIRED : 0) | (checkingDisabled ? CHECKING_DISABLED : 0),
    questions: [{ name: withoutDot(name), type, class: "IN" }],
    additionals: edns === "edns" ? [opt] : [],
  });
}

const opt: OptAnswer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: udpOctets,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/**
 * Reads an answer; never throws.
 *
 * @returns `unreadable` for octets that are not a DNS message; undefined for a message that does not answer the query
 * and may come from any sender
 */
export function readAnswer(octets: Buffer, question: DnsQuestion, id: number): DnsMessage | "unreadable" | undefined {
  if (octets.length < 2 || octets.readUInt16BE(0) !== id) return undefined;
  let packet: DecodedPacket & { readonly rcode?: string };
  try {
    packet = decode(octets);
  } catch {
    return "unreadable";
  }
  if (packet.type !== "response") return undefined;
  const asked = packet.questions?.[0];
  if (asked === undefined) {
    // A server that could not parse the question can't repeat it.
    if (packet.rcode === "NOERROR") return undefined;
  } else if (
    withoutDot(asked.name) !== withoutDot(question.name) ||
    asked.type !== question.type ||
    (asked.class ?? "IN") !== "IN"
  ) {
    return undefined;
  }
  if ([...(packet.answers ?? []), ...(packet.authorities ?? [])].some(isCutOff)) return "unreadable";
  return {
    rcode: rcodeOf(packet),
    authoritative: packet.flag_aa,
    truncated: packet.flag_tc,
    answers: (packet.answers ?? []).flatMap(readRecord),
    authority: (packet.authorities ?? []).flatMap(readRecord),
  };
}

/** Returns the response code. Codes above 15 have their upper bits in the OPT record (RFC 6891, section 6.1.3). */
function rcodeOf({ rcode = "", flags = 0, additionals = [] }: DecodedPacket & { readonly rcode?: string }): string {
  const upperBits = additionals.find((record) => record.type === "OPT")?.extendedRcode ?? 0;
  return upperBits === 0 ? rcode : `RCODE${(upperBits << 4) | (flags & 0xf)}`;
}

/** Largest time to live; a larger one counts as 0 (RFC 2181, section 8). */
const longestTtlSeconds = 0x7fffffff;

function readRecord(record: NonNullable<DecodedPacket["answers"]>[number]): readonly DnsRecord[] {
  if (record.type === "OPT" || (record.class ?? "IN") !== "IN") return [];
  const { name, type, ttl = 0 } = record;
  return [{ name: withoutDot(name), type, ttlSeconds: ttl > longestTtlSeconds ? 0 : ttl, data: dataOf(record) }];
}

/** Returns whether the octets of an address end too early; dns-packet reads `192.0.undefined.undefined` then. */
function isCutOff(record: NonNullable<DecodedPacket["answers"]>[number]): boolean {
  return (record.type === "A" || record.type === "AAAA") && isIP(record.data) === 0;
}

function dataOf(record: Exclude<NonNullable<DecodedPacket["answers"]>[number], { type: "OPT" }>): string {
  switch (record.type) {
    case "A":
    case "AAAA":
      return record.data;
    case "CNAME":
    case "NS":
      return withoutDot(record.data);
    case "CAA":
      return `${record.data.flags ?? 0} ${record.data.tag} "${record.data.value.replace(/["\\]/g, "\\$&")}"`;
    case "SOA":
      return `${withoutDot(record.data.mname)} ${record.data.serial ?? 0}`;
    case "TXT":
      return [record.data].flat().map(String).join("");
    default:
      return "";
  }
}

/** Normalizes a name for comparison: lower case, without trailing dot. */
export function withoutDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
