import type { SecureContext } from "node:tls";
import type { HandshakeFailure } from "./codes";
import type { ServedCertificate } from "./served-certificate";

/** Result of one connection. */
export type Handshake =
  | {
      readonly ok: true;
      readonly certificate: ServedCertificate;
      /** For example `TLSv1.3`. */
      readonly protocol: string;
      /** Protocol that ALPN negotiated, for example `h2`; absent without an agreement. */
      readonly alpn?: string;
      /** Status of the HTTP response, if one was requested. */
      readonly httpStatus?: number;
      /**
       * Why the OCSP response that a must-staple certificate needs is missing or invalid. Absent if the response is
       * valid or not needed.
       */
      readonly stapleFault?: string;
      /**
       * The server sent nothing after the handshake, so it is unknown whether the server has accepted the client.
       * Absent otherwise.
       */
      readonly unconfirmed?: true;
    }
  | {
      readonly ok: false;
      readonly code: HandshakeFailure;
      /** The error or answer received; untrusted. */
      readonly detail: string;
      /** The served certificate, if there is one. */
      readonly certificate?: ServedCertificate;
    };

/** The server and the client of a handshake. */
export interface HandshakeTarget {
  readonly address: string;
  readonly port: number;
  /** SNI of the client, and the name to check the certificate against. */
  readonly hostname: string;
  /** Time limit for connection, handshake and response together, in milliseconds. */
  readonly timeoutMs: number;
  /** Shared by all connections, because creating a context costs as much as a handshake. */
  readonly secureContext: SecureContext;
  /**
   * SNI to send instead of the hostname, to get the certificate for other names; `null`: no SNI. Names are then not
   * checked.
   *
   * @default - the hostname
   */
  readonly serverName?: string | null;
  /** Application protocols to offer. @default - none; `http/1.1` with `http` */
  readonly alpn?: readonly string[];
  /** Whether to send `HEAD /` as well. @default false */
  readonly http?: boolean;
  /** Whether to read until the server has accepted the handshake, or has sent nothing for 500 ms. @default true */
  readonly confirm?: boolean;
  /** When aborted, destroys the connection; the handshake then counts as failed. */
  readonly signal?: AbortSignal;
}
