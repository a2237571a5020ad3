import { greet } from "../../inventory/live";
import type { Handshake, HandshakeTarget } from "./handshake-model";

type Failure = Extract<Handshake, { readonly ok: false }>;

/**
 * Returns why a server closed a connection without answering an HTTP request.
 *
 * A server that requires a client certificate sends its alert after the client's handshake. The alert can be lost if the request arrives at a socket that is
 * closed already, and some servers send none. A second connection without a request shows whether the server accepts the handshake at all, and a third whether
 * it requests a client certificate.
 *
 * @param unanswered the result of the connection with the request
 * @param shake makes a handshake and waits until the server has accepted it
 */
export async function explainUnanswered(
  unanswered: Failure,
  { address, port, hostname, serverName = hostname, timeoutMs, secureContext, signal }: HandshakeTarget,
  shake: () => Promise<Handshake>,
): Promise<Failure> {
  const shaken = await shake();
  const isRejected = !shaken.ok && shaken.code === "rejected-after-handshake";
  if (!shaken.ok && !isRejected) return shaken.code === "client-certificate-required" ? shaken : unanswered;
  const greeting = await greet({
    address,
    port,
    ...(serverName === null ? {} : { serverName }),
    timeoutMs,
    secureContext,
    signal: signal ?? new AbortController().signal,
  });
  const wantsCertificate = greeting.ok && greeting.clientCertificateWanted;
  const request = "the server requests a client certificate";
  if (!isRejected) return wantsCertificate ? { ...unanswered, detail: `${unanswered.detail}; ${request}` } : unanswered;
  if (!wantsCertificate) return shaken;
  return { ...shaken, code: "client-certificate-required", detail: `${request}, and ${shaken.detail}` };
}
