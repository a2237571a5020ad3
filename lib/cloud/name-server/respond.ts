import { type Answer, answerQuestion, emptyAnswer, type Question } from "./answer";
import type { Rcode } from "./numbers";
import { type QueryReading, readQuery } from "./query";
import {
  LARGEST_TCP_OCTETS,
  LARGEST_UDP_OCTETS,
  SMALLEST_UDP_OCTETS,
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
  readonly rcode?: Rcode;
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

const SILENCE: Reply = { message: undefined, question: undefined, rcode: undefined, truncated: false, delayMs: 0 };

/** Answers one packet; never throws, whatever the packet, the zones or the fault plan hold. */
export function respond(packet: Buffer, transport: Transport, options: RespondOptions): Reply {
  const query = readQuery(packet);
  if (query.kind === "silence") return SILENCE;
  if (query.kind === "refusal") {
    return { ...SILENCE, message: writeRefusal(query.id, query.flags, query.rcode), rcode: query.rcode };
  }
  try {
    return respondToQuery(query, transport, options);
  } catch (error) {
    // A zone that can't be served is the server's failure (RFC 1035, section 4.1.1), not the end of the server.
    return {
      ...write(query, transport, emptyAnswer("SERVFAIL"), "whole"),
      question: query.question,
      delayMs: 0,
      error,
    };
  }
}

type Query = Extract<QueryReading, { kind: "query" }>;

function respondToQuery(query: Query, transport: Transport, options: RespondOptions): Reply {
  const { question, edns } = query;
  const fault = options.fault?.(question);
  const delayMs = fault?.delayMs ?? 0;
  if (fault?.drop === true) return { ...SILENCE, question };
  const answer =
    edns !== undefined && edns.version > 0
      ? emptyAnswer("BADVERS")
      : (faultyAnswer(fault) ?? answerQuestion(options.zones, question));
  const extent = fault?.truncate === true && transport === "udp" ? "truncated" : "whole";
  return { ...write(query, transport, answer, extent), question, delayMs };
}

function faultyAnswer(fault: AnswerFault | undefined): Answer | undefined {
  if (fault?.answers === undefined) return fault?.rcode === undefined ? undefined : emptyAnswer(fault.rcode);
  const answers = fault.answers.map((recordSet) => ({ name: recordSet.name, recordSet, ttlSeconds: recordSet.ttl }));
  return { ...emptyAnswer(fault.rcode ?? "NOERROR"), authoritative: true, answers };
}

function write(query: Query, transport: Transport, answer: Answer, extent: "whole" | "truncated"): Written {
  const { id, flags, question, questionOctets, edns } = query;
  const answered = { id, flags, name: question.name, questionOctets, edns };
  if (extent === "truncated") return { ...writeTruncated(answered, answer), rcode: answer.rcode };
  const limit = transport === "tcp" ? LARGEST_TCP_OCTETS : largestUdpAnswer(edns?.payloadOctets);
  const written = writeAnswer(answered, answer, limit);
  if (transport === "udp" || !written.truncated) return { ...written, rcode: answer.rcode };
  // After TCP there is nothing larger to fall back to.
  return { ...writeAnswer(answered, emptyAnswer("SERVFAIL"), limit), rcode: "SERVFAIL" };
}

interface Written {
  readonly message: Buffer;
  readonly truncated: boolean;
  readonly rcode: Rcode;
}

function largestUdpAnswer(payloadOctets = 0): number {
  return Math.min(Math.max(payloadOctets, SMALLEST_UDP_OCTETS), LARGEST_UDP_OCTETS);
}
