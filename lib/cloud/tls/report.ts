import { quote } from "../../text/quote";
import type { HelloRefusal } from "./client-hello";
import type { SelectionRefusal } from "./select";

/** How one handshake ended. Host names come from the network as they are: escape them before they are shown. */
export type HandshakeReport = AnsweredHandshake | FailedHandshake;

export interface AnsweredHandshake {
  readonly ok: true;
  /** Host that the client asked for; nothing where it named none. */
  readonly serverName?: string;
  readonly certificateName: string;
  /** As in `TLSv1.3`. */
  readonly version: string;
  /** Protocol agreed on by ALPN, if the client asked for any. */
  readonly alpn?: string;
}

interface FailedHandshake {
  readonly ok: false;
  /** Host that the client asked for; nothing where it named none, or never got so far. */
  readonly serverName?: string;
  /** The certificate that was chosen, where it came to that. */
  readonly certificateName?: string;
  readonly error: HandshakeError;
}

export interface HandshakeError {
  readonly code: HandshakeErrorCode;
  /** One line for people, without anything that could steer a terminal. */
  readonly message: string;
}

/**
 * Why there was no handshake. `client-closed`: the client went away before its hello was complete. `client-alert`: it refused, as most do that don't
 * trust a certificate. `client-left`: it went away without a word when it had been answered; so does a client of TLS 1.3 that is content, but
 * tears the connection down before its last message is on its way. `handshake-failed`: OpenSSL gave up, for the reason in the message.
 */
export type HandshakeErrorCode =
  | HelloRefusal
  | SelectionRefusal
  | "no-common-version"
  | "certificate-unusable"
  | "timeout"
  | "client-alert"
  | "client-closed"
  | "client-left"
  | "handshake-failed";

/** Messages of the refusals that depend on nothing but the hello. */
export const helloRefusals: Readonly<Record<HelloRefusal, string>> = {
  "not-tls": "the first bytes are no TLS handshake: a client that speaks plain HTTP, perhaps",
  "not-a-client-hello": "the first message is no ClientHello",
  "record-too-long": "a record is longer than TLS allows",
  "record-empty": "a record of the handshake is empty",
  "hello-too-long": "the ClientHello is longer than is read here",
  "hello-malformed": "the ClientHello contradicts its own lengths, or lacks something",
  "extension-repeated": "the ClientHello has an extension twice",
};

/** Why the host got no certificate. */
export function selectionRefusal(refusal: SelectionRefusal, serverName: string | undefined): HandshakeError {
  const host = serverName === undefined ? "a client that names no host" : quote(serverName);
  const messages = {
    "no-entry": `no entry is for ${host}, and none is PRIMARY`,
    "no-certificate": `the entry for ${host} has no certificate that is ready`,
    "no-accepted-certificate": `the entry for ${host} has no certificate of a kind that the client can check`,
  };
  return { code: refusal, message: messages[refusal] };
}

/** What an error of the TLS engine means. */
export function engineError(error: Error): HandshakeError {
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
  const alert = /\balert (.+)$/.exec(reason)?.[1];
  return alert === undefined
    ? { code: "handshake-failed", message: `the handshake failed: ${quote(reason)}` }
    : { code: "client-alert", message: `the client refused: ${quote(alert)}` };
}
