import { connect, type SecureContext, type TLSSocket } from "node:tls";
import { fieldsOf, parseJson } from "../json/fields";
import { awaitAcceptance } from "../live/verify";
import { fingerprintOf } from "../x509";
import type { HandshakeOutcome, Probe } from "./probe";
import type { Timers } from "./pulse";

/** Result of one handshake. */
export interface ProbeHandshake extends HandshakeOutcome, Pick<Probe, "certificate" | "confirmed"> {
  /** End of the presented certificate in milliseconds; absent if none was presented. */
  readonly notAfterMs?: number;
  /** Present if the server sent nothing within the time-out. */
  readonly timedOut?: true;
}

/** Time-out of a whole handshake, in milliseconds of the machine. */
const timeoutMs = 5_000;

/**
 * Makes a full handshake without resumption, and reads until the server has accepted it. The result has no error if a
 * client would accept the connection.
 *
 * @param options.asks whether to ask the server if it has validated the client's certificate
 */
export function shakeProbedHands(
  { host, port }: { readonly host: string; readonly port: number },
  servername: string,
  secureContext: SecureContext,
  timers: Timers,
  { asks = false }: { readonly asks?: boolean } = {},
): Promise<ProbeHandshake> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername, secureContext, rejectUnauthorized: false });
    let ended = false;
    let stopReading = () => {};
    const end = (outcome: ProbeHandshake) => {
      if (ended) return;
      ended = true;
      callOff();
      stopReading();
      socket.removeAllListeners();
      socket.on("error", () => undefined);
      // In TLS 1.3 the client sends the last message of the handshake, so an abrupt end would look like a rejection to
      // the server.
      if (outcome.error === undefined) socket.end();
      else socket.destroy();
      resolve(outcome);
    };
    // After a suspension, Node.js runs timers before it reads data. An answer that already arrived must count, so the
    // time-out waits for one more turn.
    const callOff = timers.after(timeoutMs, () => setImmediate(() => end({ error: "timeout", timedOut: true })));
    let presented: Pick<ProbeHandshake, "certificate" | "notAfterMs" | "isRefusal"> = {};
    socket.once("error", ({ code, message }: NodeJS.ErrnoException) => end({ ...presented, error: code ?? message }));
    // CA, dates and name have been validated; `rejectUnauthorized` is false only so that the probe can record the
    // certificate.
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerX509Certificate();
      if (certificate !== undefined) {
        presented = { certificate: fingerprintOf(certificate), notAfterMs: Date.parse(certificate.validTo) };
      }
      if (!socket.authorized) return end({ ...presented, error: String(socket.authorizationError) });
      if (asks) {
        const certificate = presented;
        // From here on, the server ends the connection only if it refuses the client.
        presented = { ...presented, isRefusal: true };
        readValidation(socket, servername, (answered) => {
          end("error" in answered ? { ...presented, ...answered } : { ...certificate, ...answered });
        });
        return;
      }
      socket.once("end", () => end({ ...presented, error: "closed before the server had accepted the handshake" }));
      stopReading = awaitAcceptance(
        socket,
        (acceptance) => end({ ...presented, ...(acceptance === "accepted" ? {} : { confirmed: false }) }),
        timers.after,
      );
    });
  });
}

/** Answer of a server: whether it validated the certificate of the client. */
type ValidationAnswer = { readonly isValidated: boolean } | { readonly error: string };

/**
 * Sends a request over a new connection, and reads from the answer whether the server has validated the client. Servers
 * of a rehearsal answer with what a load balancer reports to backends in headers. The caller handles errors.
 *
 * @param onEnd called at most once, when the server has ended the connection
 */
function readValidation(socket: TLSSocket, hostname: string, onEnd: (answered: ValidationAnswer) => void): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (piece: string) => {
    text += piece;
  });
  socket.once("end", () => {
    const body = text.slice(text.indexOf("\r\n\r\n") + 4);
    const { client } = fieldsOf(parseJson(body));
    const isAnswer = /^HTTP\/1\.1 200 /.test(text);
    if (!isAnswer) return onEnd({ error: "closed before the server had accepted the handshake" });
    onEnd({ isValidated: fieldsOf(client).isVerified === true });
  });
  // HTTP/1.0: the answer has no chunks, and its end is the end of the connection.
  socket.write(`GET / HTTP/1.0\r\nHost: ${hostname}\r\n\r\n`);
}
