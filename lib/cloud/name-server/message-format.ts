/** Names and numbers of types, classes, response codes and flags (IANA, "Domain Name System (DNS) Parameters"). */

/** The type of the record for extensions (RFC 6891). */
export const optType = 41;

const typeNumbers: ReadonlyMap<string, number> = new Map(
  Object.entries({
    A: 1,
    NS: 2,
    CNAME: 5,
    SOA: 6,
    PTR: 12,
    HINFO: 13,
    MX: 15,
    TXT: 16,
    AAAA: 28,
    LOC: 29,
    SRV: 33,
    NAPTR: 35,
    DNAME: 39,
    OPT: optType,
    DS: 43,
    SSHFP: 44,
    IPSECKEY: 45,
    RRSIG: 46,
    NSEC: 47,
    DNSKEY: 48,
    NSEC3: 50,
    TLSA: 52,
    SVCB: 64,
    HTTPS: 65,
    SPF: 99,
    TKEY: 249,
    TSIG: 250,
    IXFR: 251,
    AXFR: 252,
    MAILB: 253,
    MAILA: 254,
    ANY: 255,
    CAA: 257,
  }),
);
const typeNames: ReadonlyMap<number, string> = new Map(
  Array.from(typeNumbers, ([name, number]): [number, string] => [number, name]),
);

/** Returns the number of a type by its name, for example `TXT` or `TYPE65280` (RFC 3597, section 5). */
export function typeNumber(name: string): number | undefined {
  const known = typeNumbers.get(name);
  if (known !== undefined) return known;
  const number = Number(/^TYPE(\d{1,5})$/.exec(name)?.[1] ?? Number.NaN);
  return number <= 0xffff ? number : undefined;
}

/** Returns the name of a type by its number; `TYPE65280` for a type without a name. */
export function typeName(number: number): string {
  return typeNames.get(number) ?? `TYPE${number}`;
}

export const classIn = 1;
const classNames: ReadonlyMap<number, string> = new Map([
  [classIn, "IN"],
  [3, "CH"],
  [4, "HS"],
  [254, "NONE"],
  [255, "ANY"],
]);

/** Returns the name of a class by its number; `CLASS32` for a class without a name. */
export function className(number: number): string {
  return classNames.get(number) ?? `CLASS${number}`;
}

/** Flags of a header (RFC 1035, section 4.1.1; `checkingDisabled` from RFC 4035). `opcode` is a four-bit number. */
export const headerFlags = {
  response: 0x8000,
  opcode: 0x7800,
  authoritative: 0x0400,
  truncated: 0x0200,
  recursionDesired: 0x0100,
  checkingDisabled: 0x0010,
} as const;

const rcodeNumbers = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  NOTAUTH: 9,
  BADVERS: 16,
} as const;

/** Response code of an answer (RFC 1035, section 4.1.1; BADVERS from RFC 6891). */
export type Rcode = keyof typeof rcodeNumbers;

export function rcodeNumber(rcode: Rcode): number {
  return rcodeNumbers[rcode];
}

/** Error for a message that violates RFC 1035. Never thrown outside this folder. */
export class UnreadableMessage extends Error {
  override readonly name = "UnreadableMessage";
}

/** Reads the octets of a message in sequence. Every read is checked, because a message may state wrong lengths. */
export interface Cursor {
  /** The whole message, because compressed names refer to earlier positions. */
  readonly octets: Buffer;
  at: number;
  /** Offset after the last readable octet. */
  readonly end: number;
}

export function cursorOver(octets: Buffer): Cursor {
  return { octets, at: 0, end: octets.length };
}

export function readUint8(cursor: Cursor): number {
  return cursor.octets[advance(cursor, 1)]!;
}

export function readUint16(cursor: Cursor): number {
  const at = advance(cursor, 2);
  return (cursor.octets[at]! << 8) | cursor.octets[at + 1]!;
}

/** Skips octets and returns the offset of the first one. */
export function advance(cursor: Cursor, count: number): number {
  const at = cursor.at;
  if (at + count > cursor.end) throw new UnreadableMessage("the message ends too early");
  cursor.at = at + count;
  return at;
}
