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

/** How one answer goes wrong. What is not named stays as it would be. */
export interface AnswerFault {
  /** Milliseconds by which the answer is held back. */
  readonly delayMs?: number;
  /** Response code in place of the true one; the answer then has no records. */
  readonly rcode?: Exclude<Rcode, "BADVERS">;
  /** No answer at all. */
  readonly drop?: boolean;
  /** Over UDP the answer comes without records and with the flag TC; over TCP it is whole. */
  readonly truncate?: boolean;
  /** Records in place of the true ones, sent as they are, with response code NOERROR where `rcode` does not say otherwise. */
  readonly answers?: readonly RecordSet[];
}

/** What becomes of one packet. */
export interface Reply {
  /** What goes back; `undefined` for nothing. */
  readonly message: Buffer | undefined;
  /** `undefined` where none could be read. */
  readonly question: Question | undefined;
  readonly rcode: Rcode | undefined;
  readonly truncated: boolean;
  /** Milliseconds to wait before the message is sent. */
  readonly delayMs: number;
  /** Why the answer is SERVFAIL, where a zone could not be served. */
  readonly error?: unknown;
}

export interface RespondOptions {
  readonly zones: ZoneSource;
  /** Asked for each question that could be read. */
  readonly fault?: ((question: Question) => AnswerFault | undefined) | undefined;
}

const silence: Reply = { message: undefined, question: undefined, rcode: undefined, truncated: false, delayMs: 0 };

/** Answers one packet; never throws, whatever the packet, the zones or the fault plan hold. */
export function respond(packet: Buffer, transport: Transport, options: RespondOptions): Reply {
  const query = readQuery(packet);
  if (query.kind === "silence") return silence;
  if (query.kind === "refusal") {
    return { ...silence, message: writeRefusal(query.id, query.flags, query.rcode), rcode: query.rcode };
  }
  try {
    return respondToQuery(query, transport, options);
  } catch (error) {
    // A zone that can't be served is the server's failure (RFC 1035, section 4.1.1), not the end of the server.
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
  // After TCP there is nothing larger to fall back to.
  if (truncated && !udp) return replyWith(emptyAnswer("SERVFAIL"), query, transport, fault);
  return { message, question: query.question, rcode: answer.rcode, truncated, delayMs: fault?.delayMs ?? 0 };
}

function largestUdpAnswer(payloadOctets = 0): number {
  return Math.min(Math.max(payloadOctets, smallestUdpOctets), largestUdpOctets);
}
