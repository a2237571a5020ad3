import type { Question } from "./answer";
import { readName } from "./domain-name";
import {
  advance,
  type Cursor,
  className,
  cursorOver,
  headerFlags,
  optType,
  type Rcode,
  readUint8,
  readUint16,
  typeName,
  UnreadableMessage,
} from "./message-format";

/** Reads the parts of queries that an answer needs, and skips others, in time linear in a message's length. */

export const headerOctets = 12;

/** Extensions of a query (RFC 6891). */
export interface Edns {
  readonly version: number;
  /** Largest UDP answer that the client accepts, in octets. */
  readonly payloadOctets: number;
  /** Whether the client requests DNSSEC records; copied into the answer (RFC 3225). */
  readonly dnssecOk: boolean;
}

export interface Query {
  readonly id: number;
  readonly flags: number;
  readonly question: Question;
  readonly questionOctets: Buffer;
  readonly edns: Edns | undefined;
}

type QueryReading =
  /** No answer is allowed: the packet is a response, or too short. */
  | { readonly kind: "silence" }
  /** The answer is an error that consists of a header only. */
  | { readonly kind: "refusal"; readonly id: number; readonly flags: number; readonly rcode: Rcode }
  | ({ readonly kind: "query" } & Query);

/** Reads a packet as a query; never throws. */
export function readQuery(packet: Buffer): QueryReading {
  if (packet.length < 4) return { kind: "silence" };
  const id = packet.readUInt16BE(0);
  const flags = packet.readUInt16BE(2);
  // An answer to a response could start an endless exchange between two servers.
  if ((flags & headerFlags.response) !== 0) return { kind: "silence" };
  if (packet.length < headerOctets) return { kind: "refusal", id, flags, rcode: "FORMERR" };
  if ((flags & headerFlags.opcode) !== 0) return { kind: "refusal", id, flags, rcode: "NOTIMP" };
  try {
    return { kind: "query", id, flags, ...readBody(packet) };
  } catch (error) {
    if (error instanceof UnreadableMessage) return { kind: "refusal", id, flags, rcode: "FORMERR" };
    throw error;
  }
}

function readBody(packet: Buffer): { question: Question; questionOctets: Buffer; edns: Edns | undefined } {
  const cursor = cursorOver(packet);
  cursor.at = 4;
  const questions = readUint16(cursor);
  const [answers, authorities, additionals] = [readUint16(cursor), readUint16(cursor), readUint16(cursor)];
  // A query has exactly one question (RFC 9619).
  if (questions !== 1) throw new UnreadableMessage("a query has one question");
  const name = readName(cursor, "uncompressed");
  const question = { name, type: typeName(readUint16(cursor)), class: className(readUint16(cursor)) };
  const questionOctets = packet.subarray(headerOctets, cursor.at);
  for (let count = answers + authorities; count > 0; count--) skipRecord(cursor);
  let edns: Edns | undefined;
  for (let count = additionals; count > 0; count--) {
    const record = skipRecord(cursor);
    if (record.type !== optType) continue;
    if (edns !== undefined || !record.atRoot) throw new UnreadableMessage("an OPT record is at the root, and only one");
    edns = record;
  }
  if (cursor.at !== cursor.end) throw new UnreadableMessage("a message ends with its last record");
  return { question, questionOctets, edns };
}

/** Skips a record, and returns its fixed fields as fields of an OPT record. */
function skipRecord(cursor: Cursor): Edns & { readonly type: number; readonly atRoot: boolean } {
  const atRoot = skipName(cursor);
  const type = readUint16(cursor);
  const payloadOctets = readUint16(cursor);
  advance(cursor, 1);
  const version = readUint8(cursor);
  const dnssecOk = (readUint16(cursor) & 0x8000) !== 0;
  advance(cursor, readUint16(cursor));
  return { type, atRoot, payloadOctets, version, dnssecOk };
}

/** Skips a name without following pointers, so that a message can't cause repeated work. */
function skipName(cursor: Cursor): boolean {
  const start = cursor.at;
  for (;;) {
    const length = readUint8(cursor);
    if (length === 0) return cursor.at === start + 1;
    if (length >= 0xc0) {
      advance(cursor, 1);
      return false;
    }
    if (length > 63) throw new UnreadableMessage("a label is of an unknown kind");
    advance(cursor, length);
  }
}
