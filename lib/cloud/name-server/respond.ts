import { type Answer, answerQuestion, emptyAnswer, type Question } from "./answer";
import type { Rcode } from "./numbers";
import { type Query, readQuery } from "./query";
import {
  largestTcpOctets,
  largestUdpOctets,
  smallestUdpOctets,
  writeAnswer,
  writeRefusal,
  writeTruncated,
} from "./response";
import type { RecordSet, ZoneSource } from "./zone";

export type Transport = "udp" | "tcp";

/** A fault of one answer. Everything else in the answer stays unchanged. */
export interface AnswerFault {
  /** Delay of the answer in milliseconds. */
  readonly delayMs?: number;
  /** Response code that replaces the true one; the answer then has no records. */
  readonly rcode?: Exclude<Rcode, "BADVERS">;
  /** Whether no answer is sent. */
  readonly drop?: boolean;
  /** Whether an answer over UDP is sent without records and with the flag TC; over TCP it is complete. */
  readonly truncate?: boolean;
  /** Records that replace the true ones, sent unchanged, with response code NOERROR unless `rcode` is set. */
  readonly answers?: readonly RecordSet[];
}

/** The reply to one packet. */
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
  /** Returns the fault for a question; called for each question that could be read. */
  readonly fault?: ((question: Question) => AnswerFault | undefined) | undefined;
}

const silence: Reply = { message: undefined, question: undefined, rcode: undefined, truncated: false, delayMs: 0 };

/** Answers one packet. Never throws, whatever the packet, the zones or the fault plan contain. */
export function respond(packet: Buffer, transport: Transport, options: RespondOptions): Reply {
  const query = readQuery(packet);
  if (query.kind === "silence") return silence;
  if (query.kind === "refusal") {
    return { ...silence, message: writeRefusal(query.id, query.flags, query.rcode), rcode: query.rcode };
  }
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

function faultyAnswer(fault: AnswerFault | undefined): Answer | undefined {
  if (fault?.answers === undefined) return fault?.rcode === undefined ? undefined : emptyAnswer(fault.rcode);
  const answers = fault.answers.map((recordSet) => ({ name: recordSet.name, recordSet, ttlSeconds: recordSet.ttl }));
  return { ...emptyAnswer(fault.rcode ?? "NOERROR"), authoritative: true, answers };
}

function replyWith(answer: Answer, query: Query, transport: Transport, fault: AnswerFault | undefined): Reply {
  const udp = transport === "udp";
  const limit = udp ? largestUdpAnswer(query.edns?.payloadOctets) : largestTcpOctets;
  const cut = udp && fault?.truncate === true;
  const { message, truncated } = cut ? writeTruncated(query, answer) : writeAnswer(query, answer, limit);
  // After TCP, no transport allows longer answers.
  if (truncated && !udp) return replyWith(emptyAnswer("SERVFAIL"), query, transport, fault);
  return { message, question: query.question, rcode: answer.rcode, truncated, delayMs: fault?.delayMs ?? 0 };
}

function largestUdpAnswer(payloadOctets = 0): number {
  return Math.min(Math.max(payloadOctets, smallestUdpOctets), largestUdpOctets);
}
