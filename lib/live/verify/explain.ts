import { plaintextAnswers } from "../../tls/plaintext-answer";
import type { HandshakeFailure } from "./codes";

/** How far a connection has come. */
export type Stage = "connecting" | "greeting" | "accepting" | "asking";

/** Why there was no connection, or no handshake. */
export interface Explained {
  readonly code: HandshakeFailure;
  /** What came back; untrusted. */
  readonly detail: string;
}

const systemCodes: Readonly<Record<string, HandshakeFailure>> = {
  ECONNREFUSED: "connection-refused",
  ETIMEDOUT: "timeout",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ENETDOWN: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EACCES: "unreachable",
  EPERM: "unreachable",
  EINVAL: "unreachable",
  ENOTFOUND: "unreachable",
  EPIPE: "connection-reset",
};

/** By Node's names of what OpenSSL says; whatever else it says is a handshake that failed. */
const tlsCodes: Readonly<Record<string, HandshakeFailure>> = {
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: "handshake-refused",
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: "handshake-refused",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "protocol-refused",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "protocol-refused",
};

/** Alerts of servers that want a certificate of the client; `handshake failure` is what TLS 1.2 has for it. */
const clientCertificateAlert =
  /_ALERT_(?:HANDSHAKE_FAILURE|UNKNOWN_CA|(?:BAD|NO|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REQUIRED|REVOKED|UNKNOWN))$/;

/**
 * Explains an error that came after the server had presented its certificate.
 *
 * @returns undefined for an error by which the server does not reject the client
 */
export function explainRejection(
  { code = "", reason }: NodeJS.ErrnoException & { readonly reason?: string },
  stage: Stage,
): Explained | undefined {
  const detail = reason ?? code;
  if (clientCertificateAlert.test(code)) return { code: "client-certificate-required", detail };
  if (stage === "accepting") return { code: "rejected-after-handshake", detail };
  return stage === "asking" && code.startsWith("ERR_SSL_") ? { code: "rejected-after-handshake", detail } : undefined;
}

/** @param ipv6 whether the address is one of IPv6, which many machines have no way to */
export function explainError(error: NodeJS.ErrnoException & { readonly reason?: string }, ipv6: boolean): Explained {
  const { code = "", message, reason, syscall } = error;
  if (code === "ECONNRESET") {
    // The same code stands for a connection that was torn down and for one that was ended in good order, but too early.
    return syscall === undefined
      ? { code: "connection-closed", detail: "the connection was ended before the handshake was done" }
      : { code: "connection-reset", detail: code };
  }
  if (ipv6 && (code === "ENETUNREACH" || code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT")) {
    return { code: "ipv6-not-here", detail: code };
  }
  const known = systemCodes[code] ?? tlsCodes[code] ?? (plaintextAnswers.has(code) ? "plaintext-answer" : undefined);
  return { code: known ?? "handshake-failed", detail: reason ?? (code || message) };
}

/** What OpenSSL says of a chain; everything else that it can say is a chain that is not trusted. */
const chainCodes: Readonly<Record<string, HandshakeFailure>> = {
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-not-yet-valid",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "chain-incomplete",
};

export function explainTrust(reason: string): Explained {
  return { code: chainCodes[reason] ?? "untrusted-chain", detail: reason };
}
