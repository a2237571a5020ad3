import { connect, type SecureContext } from "node:tls";
import { fingerprintOf } from "../x509";
import type { Probe } from "./probe";
import type { Timers } from "./pulse";

/** How one handshake ended. */
interface Shaken extends Pick<Probe, "certificate" | "error"> {
  /** That nothing had come until the time was over. */
  readonly timedOut?: true;
}

/** In milliseconds of the machine, from the first packet to the last. */
const timeoutMs = 5_000;

/** A full handshake without resumption; without an error where it is as a client wants it. */
export function shakeHands(
  { host, port }: { readonly host: string; readonly port: number },
  servername: string,
  secureContext: SecureContext,
  timers: Timers,
): Promise<Shaken> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername, secureContext, rejectUnauthorized: false });
    let ended = false;
    const end = (shaken: Shaken) => {
      if (ended) return;
      ended = true;
      callOff();
      socket.removeAllListeners();
      socket.on("error", () => undefined);
      // Torn down in the middle, the connection would look like a refusal to the server: in TLS 1.3 the client speaks last.
      if (shaken.error === undefined) socket.end();
      else socket.destroy();
      resolve(shaken);
    };
    // What came while the process stood still is read in the turn after the timers: an answer counts, however late that is.
    const callOff = timers.after(timeoutMs, () => setImmediate(() => end({ error: "timeout", timedOut: true })));
    socket.once("error", (error: NodeJS.ErrnoException) => end({ error: error.code ?? error.message }));
    // Authority, dates and name have been looked at by now; it goes on without them only to be counted.
    socket.once("secureConnect", () => {
      const presented = socket.getPeerX509Certificate();
      end({
        ...(presented === undefined ? {} : { certificate: fingerprintOf(presented) }),
        ...(socket.authorized ? {} : { error: String(socket.authorizationError) }),
      });
    });
  });
}
