import { CHECKING_DISABLED, type DecodedPacket, decode, encode, RECURSION_DESIRED } from "dns-packet";

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
  /** Names in lower case without trailing dot; CAA as `FLAGS TAG "VALUE"`; SOA as `PRIMARY SERIAL`. */
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

/** Encodes a query. @param id from 0 to 65535 */
export function encodeQuery({ name, type, recursive, checkingDisabled }: DnsQuestion, id: number): Buffer {
  return encode({
    type: "query",
    id,
    flags: (recursive ? RECURSION_DESIRED : 0) | (checkingDisabled ? CHECKING_DISABLED : 0),
    questions: [{ name: bareName(name), type, class: "IN" }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: udpOctets,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
}

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
  if (asked !== undefined && (bareName(asked.name) !== bareName(question.name) || asked.type !== question.type)) {
    return undefined;
  }
  return {
    rcode: packet.rcode ?? "",
    authoritative: packet.flag_aa,
    truncated: packet.flag_tc,
    answers: (packet.answers ?? []).flatMap(readRecord),
    authority: (packet.authorities ?? []).flatMap(readRecord),
  };
}

function readRecord(record: NonNullable<DecodedPacket["answers"]>[number]): readonly DnsRecord[] {
  if (record.type === "OPT") return [];
  const data = dataOf(record);
  return [{ name: bareName(record.name), type: record.type, ttlSeconds: record.ttl ?? 0, data }];
}

function dataOf(record: Exclude<NonNullable<DecodedPacket["answers"]>[number], { type: "OPT" }>): string {
  switch (record.type) {
    case "A":
    case "AAAA":
      return record.data;
    case "CNAME":
    case "NS":
      return bareName(record.data);
    case "CAA":
      return `${record.data.flags ?? 0} ${record.data.tag} "${record.data.value}"`;
    case "SOA":
      return `${bareName(record.data.mname)} ${record.data.serial ?? 0}`;
    case "TXT":
      return [record.data].flat().map(String).join("");
    default:
      return "";
  }
}

/** Normalizes a name for comparison: lower case, without trailing dot. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
