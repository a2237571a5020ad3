import { advance, type Cursor, cursorOver, readUint16, readUint32, UnreadableMessage } from "../cursor";
import { canonicalName, nameOctets, readName } from "../domain-name";
import { classIn, headerFlags, optType, type Rcode, rcodeName, typeName } from "../numbers";
import { largestUdpOctets } from "../response";
import { decodeRrdata } from "../rrdata/rrdata";

/** Messages of a DNS client: writes queries, reads answers. */

/** A received record. */
export interface ReceivedRecord {
  /** Owner name, absolute, in the received upper and lower case. */
  readonly name: string;
  readonly type: string;
  /** Time to live in seconds. */
  readonly ttl: number;
  /** Data in zone-file form, as in `rrdatas` of Cloud DNS. */
  readonly data: string;
}

/** The parts of an answer that a resolver uses. */
export interface ReceivedAnswer {
  readonly rcode: Rcode | `RCODE${number}`;
  readonly truncated: boolean;
  readonly answers: readonly ReceivedRecord[];
  readonly authority: readonly ReceivedRecord[];
}

/** A query to send. */
export interface SentQuery {
  readonly id: number;
  /** Absolute name. */
  readonly name: string;
  readonly type: number;
  /** Whether to use EDNS, which allows answers above 512 octets; very old servers reject queries with EDNS. */
  readonly edns: boolean;
}

export function writeQuery({ id, name, type, edns }: SentQuery): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(headerFlags.recursionDesired, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(edns ? 1 : 0, 10);
  const kind = Buffer.alloc(4);
  kind.writeUInt16BE(type, 0);
  kind.writeUInt16BE(classIn, 2);
  const opt = Buffer.alloc(edns ? 11 : 0);
  if (edns) {
    opt.writeUInt16BE(optType, 1);
    opt.writeUInt16BE(largestUdpOctets, 3);
  }
  return Buffer.concat([header, nameOctets(name), kind, opt]);
}

/**
 * Reads a received packet.
 *
 * @returns `undefined` for a packet that does not answer this query, which any host may have sent
 * @throws UnreadableMessage for an answer that is incomplete or inconsistent
 */
export function readAnswer(packet: Buffer, query: SentQuery): ReceivedAnswer | undefined {
  if (packet.length < 12 || packet.readUInt16BE(0) !== query.id) return undefined;
  const flags = packet.readUInt16BE(2);
  if ((flags & headerFlags.response) === 0 || (flags & headerFlags.opcode) !== 0) return undefined;
  const cursor = cursorOver(packet);
  cursor.at = 4;
  const questions = readUint16(cursor);
  const [answers, authorities, additionals] = [readUint16(cursor), readUint16(cursor), readUint16(cursor)];
  const truncated = (flags & headerFlags.truncated) !== 0;
  const code = flags & 0xf;
  if (questions === 0 && code !== 0) {
    // A server that could not parse the question can't repeat it.
    return { rcode: rcodeName(code), truncated, answers: [], authority: [] };
  }
  if (questions !== 1) return undefined;
  const name = readName(cursor);
  const [type, questionClass] = [readUint16(cursor), readUint16(cursor)];
  if (canonicalName(name) !== canonicalName(query.name) || type !== query.type || questionClass !== classIn) {
    return undefined;
  }
  // A truncated answer may end anywhere; the query is repeated over TCP.
  if (truncated) return { rcode: rcodeName(code), truncated, answers: [], authority: [] };
  const received = { answers: readRecords(cursor, answers), authority: readRecords(cursor, authorities) };
  let extendedCode = code;
  for (let count = additionals; count > 0; count--) {
    const fixed = readFixed(cursor);
    if (fixed.type === optType) extendedCode = ((fixed.ttl >>> 24) << 4) | code;
    advance(cursor, fixed.length);
  }
  return { rcode: rcodeName(extendedCode), truncated, ...received };
}

function readRecords(cursor: Cursor, count: number): readonly ReceivedRecord[] {
  const records: ReceivedRecord[] = [];
  for (let left = count; left > 0; left--) {
    const { name, type, recordClass, ttl, length } = readFixed(cursor);
    if (recordClass !== classIn) {
      advance(cursor, length);
      continue;
    }
    // A time to live of more than 31 bits counts as 0 (RFC 2181, section 8).
    const data = decodeRrdata(typeName(type), cursor, length);
    records.push({ name, type: typeName(type), ttl: ttl > 0x7fffffff ? 0 : ttl, data });
  }
  return records;
}

interface FixedFields {
  readonly name: string;
  readonly type: number;
  readonly recordClass: number;
  readonly ttl: number;
  /** Length of the data that follow, in octets. */
  readonly length: number;
}

function readFixed(cursor: Cursor): FixedFields {
  const name = readName(cursor);
  const [type, recordClass] = [readUint16(cursor), readUint16(cursor)];
  const [ttl, length] = [readUint32(cursor), readUint16(cursor)];
  if (cursor.at + length > cursor.end) throw new UnreadableMessage("a record ends too early");
  return { name, type, recordClass, ttl, length };
}
