import type { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext, type SecureContextOptions, type SecureVersion } from "node:tls";
import { defined } from "../../json/defined";
import { type KeyFamily, onlyFamily } from "../../tls/key-families";
import { describeCertificate, readCertificate } from "../../x509";
import type { HandshakeFailure } from "./codes";

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

/** How a client makes a handshake. */
export interface HandshakeParticulars {
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
  /**
   * Who composes the chain. The chain of a `service` is not read, beyond its trust: Node 20 never frees what this
   * takes.
   *
   * @default "user"
   */
  readonly chainBy?: ChainAuthor;
}

/** The server and the client of a handshake. */
export interface HandshakeTarget extends HandshakeParticulars {
  readonly address: string;
  readonly port: number;
  /** SNI of the client, and the name to check the certificate against. */
  readonly hostname: string;
  /** Time limit for connection, handshake and response together, in milliseconds. */
  readonly timeoutMs: number;
  /** Shared by all connections, because creating a context costs as much as a handshake. */
  readonly secureContext: SecureContext;
  /** When aborted, destroys the connection; the handshake then counts as failed. */
  readonly signal?: AbortSignal;
}

/** Who composes a chain: a `service` for managed certificates, and the `user` for uploaded ones. */
export type ChainAuthor = "service" | "user";

/** Properties of a certificate that a server presented. Its texts are untrusted. */
export interface ServedCertificate {
  readonly issuer: string;
  /** Lower-case hexadecimal without leading zeros. */
  readonly serialNumber: string;
  /** ISO 8601 in UTC. */
  readonly notBefore: string;
  /** ISO 8601 in UTC. */
  readonly notAfter: string;
  /** For example `rsa-2048`, `ecdsa-p256`. */
  readonly keyType: string;
  /** Fingerprint of the whole certificate, in lower-case hexadecimal. */
  readonly fingerprintSha256: string;
  /** All DNS names of the certificate. */
  readonly dnsNames: readonly string[];
  /** Clients must require a stapled OCSP response (RFC 7633); absent otherwise. */
  readonly mustStaple?: true;
}

/** Parses each certificate once, because a load balancer serves the same certificates repeatedly. */
export type CertificateReading = (raw: Buffer, fingerprint256: string) => ServedCertificate | undefined;

/** Creates a reader of certificates. @param most maximum number of cached certificates */
export function createCertificateReading(most = 1_024): CertificateReading {
  const known = new Map<string, ServedCertificate>();
  return (raw, fingerprint256) => {
    const before = known.get(fingerprint256);
    if (before !== undefined) return before;
    const certificate = readCertificate(raw);
    if (certificate === undefined) return undefined;
    const read = describeServed(certificate);
    if (known.size >= most) known.delete(known.keys().next().value as string);
    known.set(fingerprint256, read);
    return read;
  };
}

function describeServed(certificate: X509Certificate): ServedCertificate {
  const facts = describeCertificate(certificate);
  return {
    issuer: facts.issuer,
    serialNumber: facts.serialNumber,
    notBefore: facts.notBefore.toISOString(),
    notAfter: facts.notAfter.toISOString(),
    keyType: facts.keyType,
    fingerprintSha256: facts.fingerprintSha256,
    dnsNames: facts.dnsNames,
    ...(facts.mustStaple ? { mustStaple: true } : {}),
  };
}

/**
 * A kind of client: a modern client, a client that accepts keys of only one type, or a client that speaks only one
 * version of TLS.
 */
export type ClientKind = "modern" | KeyFamily | SecureVersion;

/** A client certificate in the options of Node. */
export interface ClientIdentity {
  readonly cert: string;
  readonly key: string;
}

/**
 * Returns a function that creates the clients of a run. Each client is created on first use, because this costs as much
 * as a handshake.
 *
 * @param ca every root to trust, in PEM; undefined for Node's own roots
 * @param identity certificate with its chain and its key, in PEM, which the clients present to a server that requests
 * one; undefined for clients without a certificate
 */
export function createClients(
  ca: readonly string[] | undefined,
  identity?: ClientIdentity,
): (kind: ClientKind) => SecureContext {
  const made = new Map<ClientKind, SecureContext>();
  return (kind) => {
    const context =
      made.get(kind) ?? createSecureContext({ ...optionsOf(kind), ...identity, ...defined({ ca: ca && [...ca] }) });
    made.set(kind, context);
    return context;
  };
}

function optionsOf(kind: ClientKind): SecureContextOptions {
  if (kind === "modern") return {};
  if (kind === "rsa" || kind === "ecdsa") return onlyFamily(kind);
  // OpenSSL's default security level disables all versions before TLS 1.2.
  return { minVersion: kind, maxVersion: kind, ciphers: "DEFAULT:@SECLEVEL=0" };
}
