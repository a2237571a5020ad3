import type { TLSSocket } from "node:tls";

/**
 * Milliseconds of silence after the handshake, after which it is unknown whether the server has accepted the client.
 */
export const silenceMs = 500;

/** Calls `ring` after that many milliseconds. @returns a function that cancels the call */
type After = (milliseconds: number, ring: () => void) => () => void;

/**
 * Reads from a connection until its server has accepted the handshake. Must be called in the listener of
 * `secureConnect`.
 *
 * In TLS 1.3 the client finishes before the server has received its last message. A server that requires a client
 * certificate rejects the client only then, when the client already considers the handshake complete. The server has
 * accepted once it sends a session ticket or data after that message. Before TLS 1.3 the server sends the last message,
 * so a completed handshake is accepted. The caller handles errors and the end of the connection.
 *
 * @param onEnd called at most once: `accepted`, or `silent` if nothing was received within {@link silenceMs}
 * @returns a function that stops reading; `onEnd` is not called after that
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
  // A server that requests no client certificate may send tickets before the client finishes (RFC 8446, section 4.6.1).
  // These tickets arrive in the same event loop turn as 'secureConnect'.
  let isEarly = true;
  let isOver = false;
  const turn = setImmediate(() => {
    isEarly = false;
  });
  // If the process was busy, data that arrived meanwhile is read in the turn after the timers.
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
