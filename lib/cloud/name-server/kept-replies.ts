import type { Question } from "./answer";
import { type AnswerFault, type Reply, type RespondOptions, respond, type Transport } from "./respond";

/** How many replies are kept: as many questions as a large rehearsal asks again and again. Once there are more, all are forgotten. */
const mostKept = 10_000;
/** Longest query whose reply is kept; real ones are shorter, a name of 255 octets included. */
const longestQuery = 320;
/** Where a message goes on after its number, in which alone a question that is asked again differs. */
const afterId = 2;

/**
 * Answers packets as {@link respond} does, and the same datagram from what was answered before: a prober asks for the same names all day.
 *
 * Replies are kept by all octets of the query but its number, and forgotten once any zone has changed. Faults are asked for each time; what they
 * spoil is not kept, and neither is what could not be served. Where the zones don't say when they change, nothing is kept.
 */
export function createResponder(options: RespondOptions): (packet: Buffer, transport: Transport) => Reply {
  const { zones, fault: faultOf } = options;
  if (zones.version === undefined) return (packet, transport) => respond(packet, transport, options);

  const { version } = zones;
  const kept = new Map<string, Reply & { readonly message: Buffer; readonly question: Question }>();
  let keptVersion = version();

  /** @returns what has come of asking once, an exception of the plan included, for {@link respond} to ask for */
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

/** A copy, as what was sent before may still be waiting to go out. */
function renumbered(message: Buffer, query: Buffer): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(query.readUInt16BE(0), 0);
  return copy;
}
