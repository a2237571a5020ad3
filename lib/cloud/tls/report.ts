import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import type { ClientCertificateError, ClientVerdict } from "./client-certificates";
import type { HelloRefusal } from "./client-hello";
import type { SelectionRefusal } from "./select";

/** Result of one handshake. Hostnames are unchecked input of the network: escape them before output. */
export type HandshakeReport = AnsweredHandshake | FailedHandshake;

export interface AnsweredHandshake {
  readonly ok: true;
  /** Host that the client requested; absent if the client sent no host. */
  readonly serverName?: string;
  readonly certificateName: string;
  /** TLS version, for example `TLSv1.3`. */
  readonly version: string;
  /** Protocol that ALPN selected; absent if the client offered no protocols. */
  readonly alpn?: string;
  /** Result of the validation of the client; absent if no client certificate was requested. */
  readonly client?: ClientVerdict;
}

interface FailedHandshake {
  readonly ok: false;
  /** Host that the client requested; absent if the client sent no host, or no complete ClientHello. */
  readonly serverName?: string;
  readonly certificateName?: string;
  readonly error: HandshakeError;
}

export interface HandshakeError {
  readonly code: HandshakeErrorCode;
  /** One line for users, without control characters of terminals. */
  readonly message: string;
}

/**
 * Reason of a failed handshake.
 * - `client-closed`: the client closed the connection before its ClientHello was complete.
 * - `client-alert`: the client sent an alert, as most clients do for an untrusted certificate.
 * - `client-left`: the client closed the connection without an alert after the server's answer. A client of TLS 1.3
 * that accepts the certificate also causes this code if it resets the connection before its last message is sent.
 * - `client-certificate-missing`, `client-certificate-invalid`: a valid client certificate is required.
 * - `handshake-failed`: OpenSSL failed; the message contains the reason.
 */
export type HandshakeErrorCode =
  | HelloRefusal
  | SelectionRefusal
  | "no-common-version"
  | "certificate-unusable"
  | "timeout"
  | "client-alert"
  | "client-certificate-missing"
  | "client-certificate-invalid"
  | "client-closed"
  | "client-left"
  | "handshake-failed";

export const helloRefusals: Readonly<Record<HelloRefusal, string>> = {
  "not-tls": "the first bytes are not a TLS handshake: perhaps the client sends plain HTTP",
  "not-a-client-hello": "the first message is not a ClientHello",
  "record-too-long": "a record is longer than TLS allows",
  "record-empty": "a record of the handshake is empty",
  "hello-too-long": "the ClientHello is longer than is read here",
  "hello-malformed": "the ClientHello contradicts its own lengths, or lacks something",
  "extension-repeated": "the ClientHello has an extension twice",
};

export function selectionRefusal(refusal: SelectionRefusal, serverName: string | undefined): HandshakeError {
  const host = serverName === undefined ? "a client that names no host" : quote(serverName);
  const messages = {
    "no-entry": `no entry is for ${host}, and none is PRIMARY`,
    "no-certificate": `the entry for ${host} has no certificate that is ready`,
    "no-accepted-certificate": `the entry for ${host} has no certificate of a kind that the client can check`,
  };
  return { code: refusal, message: messages[refusal] };
}

export function clientRefusal(error: ClientCertificateError): HandshakeError {
  return error === "client_cert_not_provided"
    ? { code: "client-certificate-missing", message: "the client presented no certificate, and one is required" }
    : { code: "client-certificate-invalid", message: `the certificate of the client is not valid: ${error}` };
}

export function engineError(error: Error): HandshakeError {
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
  const alert = /\balert (.+)$/.exec(reason)?.[1];
  return alert === undefined
    ? { code: "handshake-failed", message: `the handshake failed: ${quote(reason)}` }
    : { code: "client-alert", message: `the client refused: ${quote(alert)}` };
}

/** Maximum number of distinct pairs in each list. Clients choose the names, so their number is unlimited. */
export const mostCounted = 10_000;

/** Replaces new hosts when a list is full, and names that are too long for a host. Not a valid hostname itself. */
export const otherHosts = "(other hosts)";

/** Maximum length of a DNS hostname, in characters. */
const longestHost = 253;

/** Numbers of handshakes by result. */
export interface HandshakeCounts {
  /**
   * Counts by hostname and certificate, in order of first occurrence. Beyond 10,000 pairs, new hosts are counted as
   * `(other hosts)`.
   */
  readonly answered: readonly {
    /** Hostname; absent if the clients sent no hostname. */
    readonly serverName?: string;
    readonly certificateName: string;
    readonly count: number;
  }[];
  /** Counts by hostname and reason, with the same limit. */
  readonly failed: readonly {
    readonly serverName?: string;
    readonly code: HandshakeErrorCode;
    readonly count: number;
  }[];
}

interface HandshakeCounter {
  readonly add: (report: HandshakeReport) => void;
  readonly counts: () => HandshakeCounts;
  readonly reset: () => void;
}

export function createHandshakeCounter(): HandshakeCounter {
  const answered: Tally<{ readonly certificateName: string }> = new Map();
  const failed: Tally<{ readonly code: HandshakeErrorCode }> = new Map();
  return {
    add: (report) => {
      if (report.ok) count(answered, report.serverName, { certificateName: report.certificateName });
      else count(failed, report.serverName, { code: report.error.code });
    },
    counts: () => ({
      answered: [...answered.values()].map((counted) => ({ ...counted })),
      failed: [...failed.values()].map((counted) => ({ ...counted })),
    }),
    reset: () => {
      answered.clear();
      failed.clear();
    },
  };
}

type Tally<Result> = Map<string, Result & { readonly serverName?: string; count: number }>;

/** Adds one to the count of a hostname and a result. */
function count<Result extends object>(tally: Tally<Result>, serverName: string | undefined, result: Result): void {
  const keyOf = (host: string | undefined) => JSON.stringify([host ?? null, result]);
  // Only hostnames are unlimited: certificates and reasons come from the cloud, and a missing hostname adds few pairs.
  const isOther =
    serverName !== undefined &&
    (serverName.length > longestHost || (tally.size >= mostCounted && !tally.has(keyOf(serverName))));
  const host = isOther ? otherHosts : serverName;
  const known = tally.get(keyOf(host));
  if (known !== undefined) known.count += 1;
  else tally.set(keyOf(host), { ...defined({ serverName: host }), ...result, count: 1 });
}
