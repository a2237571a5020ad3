import type { TLSSocket } from "node:tls";
import type { Explained } from "./explain";

/** Milliseconds of silence after which it is unknown whether the server has accepted the client. */
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
  // Its handle is not kept: Node links the handles of immediates, so one that is kept retains all earlier connections.
  setImmediate(() => {
    isEarly = false;
  });
  // If the process was busy, data that arrived meanwhile is read in the turn after the timers.
  const cancel = after(silenceMs, () => setImmediate(() => end("silent")));
  const stop = () => {
    isOver = true;
    cancel();
    socket.off("session", onServerData);
    socket.off("data", onServerData);
  };
  const end = (acceptance: "accepted" | "silent") => {
    if (isOver) return;
    stop();
    onEnd(acceptance);
  };
  const onServerData = () => {
    if (!isEarly) end("accepted");
  };
  socket.on("session", onServerData);
  socket.on("data", onServerData);
  return stop;
}

/** Milliseconds after the acceptance within which a server that serves nobody closes the connection. */
const closingMs = 50;

/**
 * Reads from a connection whose server has accepted the handshake, because a proxy without a healthy backend completes
 * the handshake and then closes the connection at once. The caller handles errors and the end of the connection.
 *
 * @param onStay called at most once: after {@link closingMs}, or when the server sends data, after which it may close
 * @returns a function that stops reading; `onStay` is not called after that
 */
export function awaitStay(socket: TLSSocket, onStay: () => void, after: After = machineAfter): () => void {
  let isOver = false;
  // If the process was busy, an end that arrived meanwhile is read in the turn after the timers.
  const cancel = after(closingMs, () => setImmediate(() => end()));
  const stop = () => {
    isOver = true;
    cancel();
    socket.off("data", end);
  };
  const end = () => {
    if (isOver) return;
    stop();
    onStay();
  };
  socket.on("data", end);
  return stop;
}

const machineAfter: After = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds);
  return () => clearTimeout(timer);
};

const mostOctets = 16 * 1_024;
const statusLine = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?\r?\n/;

/**
 * Sends `HEAD /` over a connection after its handshake, and reads only the status line. The caller limits the time and
 * handles the end of the connection. Never rejects.
 */
export function readHttpAnswer(
  socket: TLSSocket,
  hostname: string,
): Promise<{ readonly httpStatus: number } | Explained> {
  return new Promise((resolve) => {
    let text = "";
    const finish = (answer: { readonly httpStatus: number } | Explained) => {
      socket.removeListener("data", onServerData);
      resolve(answer);
    };
    const onServerData = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const answer = readAnswer(text);
      if (answer !== undefined) finish(answer);
      else if (text.length > mostOctets) {
        finish({ code: "http-no-answer", detail: `no status line in ${mostOctets} octets` });
      }
    };
    socket.on("data", onServerData);
    socket.write(
      `HEAD / HTTP/1.1\r\nHost: ${hostname}\r\nUser-Agent: cert-migration\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
  });
}

/** Parses the response. Returns undefined while the response is incomplete. */
function readAnswer(text: string): { readonly httpStatus: number } | Explained | undefined {
  for (let rest = text; ; ) {
    const match = statusLine.exec(rest);
    if (match === null) {
      return rest.includes("\n") ? { code: "http-no-answer", detail: `no status line: ${firstLine(rest)}` } : undefined;
    }
    const httpStatus = Number(match[1]);
    if (httpStatus >= 200) return judge(httpStatus, rest);
    // After a 1xx response the final response follows.
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    rest = rest.slice(end + 4);
  }
}

function judge(httpStatus: number, text: string): { readonly httpStatus: number } | Explained {
  return httpStatus >= 500 ? { code: "http-server-error", detail: firstLine(text) } : { httpStatus };
}

function firstLine(text: string): string {
  return text.slice(0, 200).split(/\r?\n/)[0] ?? "";
}
