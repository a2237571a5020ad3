import { isIPv6 } from "node:net";
import { plaintextAnswers } from "../../tls/plaintext-answer";
import type { HandshakeFailure } from "./codes";

export type HandshakeStage = "connecting" | "probe" | "accepting" | "asking";

export interface Explained {
  readonly code: HandshakeFailure;
  /** The error or answer received; untrusted. */
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

/** Failures by Node's error codes for OpenSSL errors; all other OpenSSL errors count as `handshake-failed`. */
const tlsCodes: Readonly<Record<string, HandshakeFailure>> = {
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: "handshake-refused",
  // The name in OpenSSL 3.5, which Node 22 and 24 have.
  "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE": "handshake-refused",
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: "handshake-refused",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "protocol-refused",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "protocol-refused",
};

/** Alerts of servers that require a client certificate; in TLS 1.2 the alert is `handshake failure`. */
const clientCertificateAlert =
  /_ALERT_(?:HANDSHAKE_FAILURE|UNKNOWN_CA|(?:BAD|NO|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REQUIRED|REVOKED|UNKNOWN))$/;

/** Explains an error after the server presented its certificate; undefined if it did not reject the client. */
export function explainRejection(
  { code = "", reason }: NodeJS.ErrnoException & { readonly reason?: string },
  stage: HandshakeStage,
): Explained | undefined {
  const detail = reason ?? code;
  if (clientCertificateAlert.test(code)) return { code: "client-certificate-required", detail };
  if (stage === "accepting") return { code: "rejected-after-handshake", detail };
  return stage === "asking" && code.startsWith("ERR_SSL_") ? { code: "rejected-after-handshake", detail } : undefined;
}

/** Explains an error of a connection to an address. Many machines have no route to IPv6 addresses. */
export function explainError(error: NodeJS.ErrnoException & { readonly reason?: string }, address: string): Explained {
  const { code = "", message, reason, syscall } = error;
  if (code === "ECONNRESET") {
    // Node uses the same code for a reset connection and for a connection that the server closed cleanly but too early.
    return syscall === undefined
      ? { code: "connection-closed", detail: "the connection was ended before the handshake was done" }
      : { code: "connection-reset", detail: code };
  }
  if (isIPv6(address) && (code === "ENETUNREACH" || code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT")) {
    return { code: "ipv6-not-here", detail: code };
  }
  const known = systemCodes[code] ?? tlsCodes[code] ?? (plaintextAnswers.has(code) ? "plaintext-answer" : undefined);
  return { code: known ?? "handshake-failed", detail: reason ?? (code || message) };
}

/** Failures by OpenSSL's result for a certificate chain; all other results count as `untrusted-chain`. */
const chainCodes: Readonly<Record<string, HandshakeFailure>> = {
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-not-yet-valid",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "chain-incomplete",
};

export function explainTrust(reason: string): Explained {
  return { code: chainCodes[reason] ?? "untrusted-chain", detail: reason };
}
