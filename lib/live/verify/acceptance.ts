import type { TLSSocket } from "node:tls";

/** Milliseconds of silence after the handshake, after which nobody knows whether the server has accepted the client. */
export const silenceMs = 500;

/** Calls `ring` after that many milliseconds. @returns a function that cancels it */
type After = (milliseconds: number, ring: () => void) => () => void;

/**
 * Reads from a connection until its server has accepted the handshake. Must be called in the listener of `secureConnect`.
 *
 * In TLS 1.3 the client is done before the server has seen its last message: a server that requires a client certificate rejects the client only then, and the
 * client takes the handshake for a good one. The server has accepted once it sends a session ticket or data after that message. Before TLS 1.3 the server speaks
 * last, so a handshake that is done is accepted. Errors and the end of the connection are for the caller to handle.
 *
 * @param onEnd called at most once: `accepted`, or `silent` where nothing came within {@link silenceMs}
 * @returns a function that stops the reading; `onEnd` is not called any more
 */
export function awaitAcceptance(
  socket: TLSSocket,
  onEnd: (acceptance: "accepted" | "silent") => void,
  after: After = machineAfter,
): () => void {
  if (socket.getProtocol() !== "TLSv1.3") {
    onEnd("accepted");
    return () => undefined;
  }
  // A server that wants no client certificate may send tickets before the client is done (RFC 8446, section 4.6.1). They arrive in the turn of 'secureConnect'.
  let isEarly = true;
  let isOver = false;
  const turn = setImmediate(() => {
    isEarly = false;
  });
  // An answer that came while the process was busy is read in the turn after the timers.
  const cancel = after(silenceMs, () => setImmediate(() => end("silent")));
  const stop = () => {
    isOver = true;
    clearImmediate(turn);
    cancel();
    socket.off("session", hear);
    socket.off("data", hear);
  };
  const end = (acceptance: "accepted" | "silent") => {
    if (isOver) return;
    stop();
    onEnd(acceptance);
  };
  const hear = () => {
    if (!isEarly) end("accepted");
  };
  socket.on("session", hear);
  socket.on("data", hear);
  return stop;
}

const machineAfter: After = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds);
  return () => clearTimeout(timer);
};
