import { connect, type SecureContext } from "node:tls";
import { awaitAcceptance } from "../live/verify";
import { fingerprintOf } from "../x509";
import type { Probe } from "./probe";
import type { Timers } from "./pulse";

/** How one handshake ended. */
interface Shaken extends Pick<Probe, "certificate" | "confirmed" | "error"> {
  /** That nothing had come until the time was over. */
  readonly timedOut?: true;
}

/** In milliseconds of the machine, from the first packet to the last. */
const timeoutMs = 5_000;

/** A full handshake without resumption, read until the server has accepted it; without an error where it is as a client wants it. */
export function shakeHands(
  { host, port }: { readonly host: string; readonly port: number },
  servername: string,
  secureContext: SecureContext,
  timers: Timers,
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
      // Torn down in the middle, the connection would look like a refusal to the server: in TLS 1.3 the client speaks last.
      if (shaken.error === undefined) socket.end();
      else socket.destroy();
      resolve(shaken);
    };
    // What came while the process stood still is read in the turn after the timers: an answer counts, however late that is.
    const callOff = timers.after(timeoutMs, () => setImmediate(() => end({ error: "timeout", timedOut: true })));
    let presented: Pick<Shaken, "certificate"> = {};
    socket.once("error", ({ code, message }: NodeJS.ErrnoException) => end({ ...presented, error: code ?? message }));
    // Authority, dates and name have been looked at by now; it goes on without them only to be counted.
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerX509Certificate();
      if (certificate !== undefined) presented = { certificate: fingerprintOf(certificate) };
      if (!socket.authorized) return end({ ...presented, error: String(socket.authorizationError) });
      socket.once("end", () => end({ ...presented, error: "closed before the server had accepted the handshake" }));
      stopReading = awaitAcceptance(
        socket,
        (acceptance) => end({ ...presented, ...(acceptance === "accepted" ? {} : { confirmed: false }) }),
        timers.after,
      );
    });
  });
}
