import { connect, type SecureContext } from "node:tls";
import { awaitAcceptance } from "../live/verify";
import { fingerprintOf } from "../x509";
import type { Probe } from "./probe";
import type { Timers } from "./pulse";
import { readValidation } from "./read-validation";

/** Result of one handshake. */
export interface Shaken extends Pick<Probe, "certificate" | "confirmed" | "error"> {
  /** Present if the server sent nothing within the time-out. */
  readonly timedOut?: true;
  /** Present if the server ended the connection after the client had accepted the server's certificate. */
  readonly isRefusal?: true;
  /** Whether the server validated the client's certificate; absent unless the server was asked. */
  readonly isValidated?: boolean;
}

/** Time-out of a whole handshake, in milliseconds of the machine. */
const timeoutMs = 5_000;

/**
 * Makes a full handshake without resumption, and reads until the server has accepted it. The result has no error if a
 * client would accept the connection.
 *
 * @param asks whether to ask the server if it has validated the client's certificate
 */
export function shakeHands(
  { host, port }: { readonly host: string; readonly port: number },
  servername: string,
  secureContext: SecureContext,
  timers: Timers,
  asks = false,
): Promise<Shaken> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername, secureContext, rejectUnauthorized: false });
    let ended = false;
    let stopReading = () => {};
    const end = (shaken: Shaken) => {
      if (ended) return;
      ended = true;
      callOff();
      stopReading();
      socket.removeAllListeners();
      socket.on("error", () => undefined);
      // In TLS 1.3 the client sends the last message of the handshake, so an abrupt end would look like a rejection to
      // the server.
      if (shaken.error === undefined) socket.end();
      else socket.destroy();
      resolve(shaken);
    };
    // After a suspension, Node.js runs timers before it reads data. An answer that already arrived must count, so the
    // time-out waits for one more turn.
    const callOff = timers.after(timeoutMs, () => setImmediate(() => end({ error: "timeout", timedOut: true })));
    let presented: Pick<Shaken, "certificate" | "isRefusal"> = {};
    socket.once("error", ({ code, message }: NodeJS.ErrnoException) => end({ ...presented, error: code ?? message }));
    // CA, dates and name have been validated; `rejectUnauthorized` is false only so that the probe can record the
    // certificate.
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerX509Certificate();
      if (certificate !== undefined) presented = { certificate: fingerprintOf(certificate) };
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
