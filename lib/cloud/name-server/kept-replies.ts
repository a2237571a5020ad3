import type { Question } from "./answer";
import { type AnswerFault, type Reply, type RespondOptions, respond, type Transport } from "./respond";

/**
 * Maximum number of cached replies, enough for the repeated questions of a large rehearsal. When the cache is full, all
 * replies are discarded.
 */
const mostKept = 10_000;
/**
 * Maximum length of a query whose reply is cached, in octets; real queries are shorter, even with a name of 255 octets.
 */
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

  /**
   * Evaluates the faults once per question.
   *
   * @returns a function that repeats the result, or the exception, for {@link respond}
   */
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
    const there = kept.get(key);
    if (there !== undefined) {
      const fault = faultFor(there.question);
      if (fault !== undefined) return respond(packet, transport, { zones, fault });
      return { ...there, message: renumbered(there.message, packet) };
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
