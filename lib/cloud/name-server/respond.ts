import {
  answerQuestion,
  emptyAnswer,
  type Question,
  type ServedRecordSet,
  type ZoneAnswer,
  type ZoneSource,
} from "./answer";
import type { Rcode } from "./message-format";
import { type Query, readQuery } from "./query";
import {
  largestTcpOctets,
  largestUdpOctets,
  smallestUdpOctets,
  writeAnswer,
  writeRefusal,
  writeTruncated,
} from "./response";

export type Transport = "udp" | "tcp";

/** A fault of one answer. Everything else in the answer stays unchanged. */
export interface AnswerFault {
  /** Delay of the answer in milliseconds. */
  readonly delayMs?: number;
  /** Response code that replaces the true one; the answer then has no records. */
  readonly rcode?: Exclude<Rcode, "BADVERS">;
  readonly drop?: boolean;
  /** Whether an answer over UDP is sent without records and with the flag TC; over TCP it is complete. */
  readonly truncate?: boolean;
  /** Records that replace the true ones, sent unchanged, with response code NOERROR unless `rcode` is set. */
  readonly answers?: readonly ServedRecordSet[];
}

export interface Reply {
  /** Message to send; `undefined` for no answer. */
  readonly message: Buffer | undefined;
  /** `undefined` if no question could be read. */
  readonly question: Question | undefined;
  readonly rcode: Rcode | undefined;
  readonly truncated: boolean;
  /** Delay of the message in milliseconds. */
  readonly delayMs: number;
  /** Cause of a SERVFAIL answer if a zone could not be served. */
  readonly error?: unknown;
}

export interface RespondOptions {
  readonly zones: ZoneSource;
  readonly fault?: ((question: Question) => AnswerFault | undefined) | undefined;
}

const silence: Reply = { message: undefined, question: undefined, rcode: undefined, truncated: false, delayMs: 0 };

/** Answers one packet. Never throws, whatever the packet, the zones or the fault plan contain. */
export function respond(packet: Buffer, transport: Transport, options: RespondOptions): Reply {
  const query = readQuery(packet);
  if (query.kind === "silence") return silence;
  if (query.kind === "refusal")
    return { ...silence, message: writeRefusal(query.id, query.flags, query.rcode), rcode: query.rcode };
  try {
    return respondToQuery(query, transport, options);
  } catch (error) {
    // A zone that can't be served is a server failure (RFC 1035, section 4.1.1); the server continues.
    return { ...replyWith(emptyAnswer("SERVFAIL"), query, transport, undefined), error };
  }
}

function respondToQuery(query: Query, transport: Transport, { zones, fault: faultOf }: RespondOptions): Reply {
  const { question, edns } = query;
  const fault = faultOf?.(question);
  if (fault?.drop === true) return { ...silence, question };
  if (edns !== undefined && edns.version > 0) return replyWith(emptyAnswer("BADVERS"), query, transport, fault);
  return replyWith(faultyAnswer(fault) ?? answerQuestion(zones, question), query, transport, fault);
}

function faultyAnswer(fault: AnswerFault | undefined): ZoneAnswer | undefined {
  if (fault?.answers === undefined) return fault?.rcode === undefined ? undefined : emptyAnswer(fault.rcode);
  const answers = fault.answers.map((recordSet) => ({ name: recordSet.name, recordSet, ttlSeconds: recordSet.ttl }));
  return { ...emptyAnswer(fault.rcode ?? "NOERROR"), authoritative: true, answers };
}

function replyWith(answer: ZoneAnswer, query: Query, transport: Transport, fault: AnswerFault | undefined): Reply {
  const udp = transport === "udp";
  const acceptedOctets = Math.max(query.edns?.payloadOctets ?? 0, smallestUdpOctets);
  const limit = udp ? Math.min(acceptedOctets, largestUdpOctets) : largestTcpOctets;
  const cut = udp && fault?.truncate === true;
  const { message, truncated } = cut ? writeTruncated(query, answer) : writeAnswer(query, answer, limit);
  // After TCP, no transport allows longer answers.
  if (truncated && !udp) return replyWith(emptyAnswer("SERVFAIL"), query, transport, fault);
  return { message, question: query.question, rcode: answer.rcode, truncated, delayMs: fault?.delayMs ?? 0 };
}

/** Maximum number of cached replies, enough for a large rehearsal. When the cache is full, all are discarded. */
const mostKept = 10_000;
/** Maximum length of a query whose reply is cached, in octets; real queries are shorter. */
const longestQuery = 320;
/** Offset after the message id, the only part in which a repeated question differs. */
const afterId = 2;

/**
 * Answers packets as {@link respond} does, and caches the replies to UDP packets, because monitors repeat the same
 * queries.
 *
 * The cache key is the query without its id. The cache is cleared after a change of any zone. Fault injection runs for
 * every query; replies with a fault or an error are not cached. Without a version of the zones, nothing is cached.
 */
export function createResponder(options: RespondOptions): (packet: Buffer, transport: Transport) => Reply {
  const { zones, fault: faultOf } = options;
  if (zones.version === undefined) return (packet, transport) => respond(packet, transport, options);

  const { version } = zones;
  const kept = new Map<string, Reply & { readonly message: Buffer; readonly question: Question }>();
  let keptVersion = version();

  /** Evaluates the faults once per question; repeats the result or the exception for {@link respond}. */
  const faultFor = (question: Question): RespondOptions["fault"] => {
    try {
      const fault = faultOf?.(question);
      return fault === undefined ? undefined : () => fault;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  };

  return (packet, transport) => {
    if (transport === "tcp" || packet.length > longestQuery) return respond(packet, transport, options);
    if (keptVersion !== version()) {
      kept.clear();
      keptVersion = version();
    }
    const key = packet.toString("latin1", afterId);
    const keptReply = kept.get(key);
    if (keptReply !== undefined) {
      const fault = faultFor(keptReply.question);
      if (fault !== undefined) return respond(packet, transport, { zones, fault });
      return { ...keptReply, message: renumbered(keptReply.message, packet) };
    }
    let fault: AnswerFault | undefined;
    const reply = respond(packet, transport, {
      zones,
      fault: (question) => {
        fault = faultOf?.(question);
        return fault;
      },
    });
    const { message, question, error } = reply;
    if (fault === undefined && error === undefined && message !== undefined && question !== undefined) {
      if (kept.size >= mostKept) kept.clear();
      kept.set(key, { ...reply, message, question });
    }
    return reply;
  };
}

/** Returns a copy, because an earlier reply may still be in the send queue. */
function renumbered(message: Buffer, query: Buffer): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(query.readUInt16BE(0), 0);
  return copy;
}
