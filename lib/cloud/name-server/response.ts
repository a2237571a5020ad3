import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import type { AnsweredRecords, ServedRecordSet, ZoneAnswer } from "./answer";
import { isLabelStart, readDomainName, writeLabels } from "./domain-name";
import { classIn, headerFlags, optType, type Rcode, rcodeNumber, typeNumber } from "./message-format";
import { type Edns, headerOctets, type Query } from "./query";
import { type EncodedRrdata, encodeRrdata, isRecordType, parseRrdata, recordTypes } from "./rrdata/rrdata";

/**
 * Writes answers with compressed names, as public servers do, so that the same answers fit into a datagram.
 *
 * Not with dns-packet, which lib/dns uses for queries. Measured with 5.6.1: it writes names without compression
 * (answers are 24 to 78 % longer: 310 octets instead of 174 for a referral), its encoding alone takes as long as the
 * complete answer here, and it reads a dot within a label as the end of the label.
 */

/** Maximum length of a UDP answer, also in the OPT record: never fragmented over IPv6 (DNS flag day 2020). */
export const largestUdpOctets = 1232;
/** Maximum length of a UDP answer to a query without EDNS (RFC 1035, section 4.2.1). */
export const smallestUdpOctets = 512;
/** Maximum length of a message over TCP, whose length field has two octets. */
export const largestTcpOctets = 0xffff;

const repeatedFlags = headerFlags.opcode | headerFlags.recursionDesired | headerFlags.checkingDisabled;

const optOctets = 11;
const largestPointer = 0x3fff;
/** Maximum number of names for comparison. More would save few octets and slow down every name. */
const mostTargets = 32;

/** Returns a header only, for packets whose question could not be read. */
export function writeRefusal(id: number, queryFlags: number, rcode: Rcode): Buffer {
  const message = Buffer.alloc(headerOctets);
  message.writeUInt16BE(id, 0);
  message.writeUInt16BE(headerFlags.response | (queryFlags & repeatedFlags) | rcodeNumber(rcode), 2);
  return message;
}

interface Writer {
  readonly target: Buffer;
  at: number;
  readonly end: number;
  /**
   * Names that are written completely or partly: their first `literal` characters are in the octets from `at`. Only
   * names without escapes.
   */
  readonly names: { readonly name: string; readonly at: number; readonly literal: number }[];
}

/** One buffer for all messages; complete messages are copied. */
const scratch = Buffer.alloc(largestTcpOctets);

const full = Symbol("full");

/**
 * Writes an answer.
 *
 * An answer above `limit` octets is written without records and with the flag TC, so that the client repeats the query
 * over TCP.
 *
 * @throws InputError if the data of a record can't be read
 */
export function writeAnswer(query: Query, answer: ZoneAnswer, limit: number): WrittenAnswer {
  const writer = startAnswer(query, limit);
  try {
    const answers = writeSection(writer, answer.answers);
    const authority = writeSection(writer, answer.authority);
    const additional = writeSection(writer, answer.additional);
    return finishAnswer(writer, query, answer, [answers, authority, additional]);
  } catch (error) {
    if (error === full) return writeTruncated(query, answer);
    throw error;
  }
}

/** Writes an answer without its records and with the flag TC, regardless of its length. */
export function writeTruncated(query: Query, answer: ZoneAnswer): WrittenAnswer {
  return finishAnswer(startAnswer(query, smallestUdpOctets), query, answer, undefined);
}

interface WrittenAnswer {
  readonly message: Buffer;
  readonly truncated: boolean;
}

function startAnswer({ question, questionOctets, edns }: Query, limit: number): Writer {
  questionOctets.copy(scratch, headerOctets);
  const at = headerOctets + questionOctets.length;
  const writer: Writer = { target: scratch, at, end: limit - (edns === undefined ? 0 : optOctets), names: [] };
  rememberName(writer, question.name, headerOctets, question.name.length);
  return writer;
}

/** Completes an answer. @param counts number of records in each section; `undefined` for an answer without records */
function finishAnswer(
  writer: Writer,
  query: Query,
  answer: ZoneAnswer,
  counts: readonly [number, number, number] | undefined,
): WrittenAnswer {
  if (query.edns !== undefined) writeOpt(writer, query.edns, answer.rcode);
  const [answers, authority, additional] = counts ?? [0, 0, 0];
  const repeated = query.flags & repeatedFlags;
  const flags =
    (answer.authoritative ? headerFlags.authoritative : 0) | (counts === undefined ? headerFlags.truncated : 0);
  const { target } = writer;
  target.writeUInt16BE(query.id, 0);
  target.writeUInt16BE(headerFlags.response | repeated | flags | (rcodeNumber(answer.rcode) & 0xf), 2);
  target.writeUInt16BE(1, 4);
  target.writeUInt16BE(answers, 6);
  target.writeUInt16BE(authority, 8);
  target.writeUInt16BE(additional + (query.edns === undefined ? 0 : 1), 10);
  return { message: Buffer.from(target.subarray(0, writer.at)), truncated: counts === undefined };
}

function writeOpt(writer: Writer, edns: Edns, rcode: Rcode): void {
  const { target, at } = writer;
  target[at] = 0;
  target.writeUInt16BE(optType, at + 1);
  target.writeUInt16BE(largestUdpOctets, at + 3);
  target[at + 5] = rcodeNumber(rcode) >> 4;
  target[at + 6] = 0;
  target.writeUInt16BE(edns.dnssecOk ? 0x8000 : 0, at + 7);
  target.writeUInt16BE(0, at + 9);
  writer.at += optOctets;
}

function writeSection(writer: Writer, section: readonly AnsweredRecords[]): number {
  let count = 0;
  for (const { name, recordSet, ttlSeconds } of section) {
    const { type, rrdatas } = encodedRecordSet(recordSet);
    for (const rrdata of rrdatas) {
      writeName(writer, name);
      reserve(writer, 10);
      const { target, at } = writer;
      target.writeUInt16BE(type, at);
      target.writeUInt16BE(classIn, at + 2);
      target.writeUInt32BE(ttlSeconds, at + 4);
      writer.at += 10;
      for (const part of rrdata) {
        if (typeof part === "string") writeName(writer, part);
        else writeOctets(writer, part);
      }
      target.writeUInt16BE(writer.at - at - 10, at + 8);
      count++;
    }
  }
  return count;
}

function reserve(writer: Writer, octets: number): void {
  if (writer.at + octets > writer.end) throw full;
}

function writeOctets(writer: Writer, octets: Buffer): void {
  reserve(writer, octets.length);
  octets.copy(writer.target, writer.at);
  writer.at += octets.length;
}

/** Writes a name, with its longest known suffix as a pointer. */
function writeName(writer: Writer, name: string): void {
  let from = name === "." ? 0 : name.length;
  let pointer = -1;
  for (const known of writer.names) {
    const start = commonEnding(name, known.name);
    const index = known.name.length - (name.length - start);
    if (start >= from || index >= known.literal || known.at + index > largestPointer) continue;
    from = start;
    pointer = known.at + index;
    if (from === 0) break;
  }
  // A label has as many octets as its text has characters with the dot, or fewer with escapes.
  reserve(writer, from + (pointer === -1 ? 1 : 2));
  const { target, at } = writer;
  const end = writeLabels(name, from, target, at);
  if (from > 0) rememberName(writer, name, at, from);
  if (pointer === -1) {
    target[end] = 0;
    writer.at = end + 1;
  } else {
    target.writeUInt16BE(0xc000 | pointer, end);
    writer.at = end + 2;
  }
}

function rememberName(writer: Writer, name: string, at: number, literal: number): void {
  if (writer.names.length < mostTargets && !name.includes("\\")) writer.names.push({ name, at, literal });
}

/**
 * Returns the index in `name` of the longest suffix that `known` has too and that begins with a label in both.
 * Case-sensitive, because names in record data keep their case (RFC 4343, section 4).
 */
function commonEnding(name: string, known: string): number {
  if (name === known) return 0;
  let best = name.length;
  let [a, b] = [name.length, known.length];
  while (a > 0 && b > 0 && name.charCodeAt(a - 1) === known.charCodeAt(b - 1)) {
    a--;
    b--;
    if (isLabelStart(known, b) && isLabelStart(name, a)) best = a;
  }
  return best;
}

interface EncodedRecordSet {
  readonly type: number;
  readonly rrdatas: readonly EncodedRrdata[];
}

const encoded = new WeakMap<ServedRecordSet, EncodedRecordSet>();

/** Returns the encoded data of a record set, cached per record set, which must not change in place. */
function encodedRecordSet(recordSet: ServedRecordSet): EncodedRecordSet {
  const known = encoded.get(recordSet);
  if (known !== undefined) return known;
  const { name, type, rrdatas } = recordSet;
  const reading = readDomainName(name);
  if ("problem" in reading) throw new InputError([reading.problem]);
  const number = typeNumber(type);
  if (number === undefined || !isRecordType(type))
    throw new InputError(
      "rrdata-unknown-type",
      `record set ${quote(name)} is of type ${quote(type)}, which can't be served: use one of ${recordTypes.join(", ")}`,
    );
  const fresh = { type: number, rrdatas: rrdatas.map((text) => encodeRrdata(type, parseRrdata(type, text))) };
  encoded.set(recordSet, fresh);
  return fresh;
}
