import { X509Certificate } from "node:crypto";
import type { PeerCertificate } from "node:tls";
import { fingerprintOf } from "../../x509";

/** What a server requires of its clients, as an administrator configures it; certificates in PEM. */
export interface ClientRequirement {
  /** Whether a connection without a valid client certificate is closed. */
  readonly rejectsInvalid: boolean;
  /** Certificates at which a chain may end. @default - certificates of clients are not validated */
  readonly trustAnchors?: readonly string[];
  /** Certificates that may complete a chain. @default - none */
  readonly intermediates?: readonly string[];
  /** Certificates that are valid without a chain. @default - none */
  readonly allowlisted?: readonly string[];
}

export interface ClientCertificates {
  readonly rejectsInvalid: boolean;
  /** Undefined if certificates of clients are not validated. */
  readonly trust?: {
    readonly anchors: readonly X509Certificate[];
    readonly intermediates: readonly X509Certificate[];
    /** SHA-256 in hexadecimal. */
    readonly allowlisted: ReadonlySet<string>;
  };
}

/** What is wrong with a client's certificate. The load balancer reports the same words to backends. */
export type ClientCertificateError =
  | "client_cert_not_provided"
  | "client_cert_validation_not_performed"
  | "client_cert_chain_invalid_eku"
  | "client_cert_validation_failed";

export interface ClientVerdict {
  readonly isPresent: boolean;
  readonly isVerified: boolean;
  /** SHA-256 of the client's certificate in hexadecimal; absent without a certificate. */
  readonly fingerprint?: string;
  /** Absent if the certificate is valid. */
  readonly error?: ClientCertificateError;
}

const longestChain = 10;
const clientAuthentication = "1.3.6.1.5.5.7.3.2";

/** Reads the certificates of a requirement once, for all connections. */
export function readClientRequirement(requirement: ClientRequirement): ClientCertificates {
  const { rejectsInvalid, trustAnchors, intermediates = [], allowlisted = [] } = requirement;
  if (trustAnchors === undefined) return { rejectsInvalid };
  const read = (pems: readonly string[]) => pems.map((pem) => new X509Certificate(pem));
  return {
    rejectsInvalid,
    trust: {
      anchors: read(trustAnchors),
      intermediates: read(intermediates),
      allowlisted: new Set(read(allowlisted).map(fingerprintOf)),
    },
  };
}

/**
 * Adds trust anchors to a requirement that validates certificates. A requirement without any certificate accepts no
 * client, and stays unchanged.
 */
export function withFurtherAnchors(requirement: ClientRequirement, anchors: readonly string[]): ClientRequirement {
  const { trustAnchors = [], allowlisted = [] } = requirement;
  const isValidating = trustAnchors.length + allowlisted.length > 0;
  return isValidating ? { ...requirement, trustAnchors: [...trustAnchors, ...anchors] } : requirement;
}

/**
 * Validates a client's certificate. The handshake has already shown that the client has the key.
 *
 * An allowlisted certificate is always valid; its dates and its issuer are not checked. Any other certificate needs the
 * extended key usage for clients, and a chain to an anchor in which no certificate is expired or not yet valid.
 * Revocation is not checked, as in the service.
 *
 * @param presented the client's certificate, then the other certificates that the client sent
 */
export function validateClient(
  presented: readonly X509Certificate[],
  { trust }: ClientCertificates,
  now: Date,
): ClientVerdict {
  const [leaf, ...others] = presented;
  if (leaf === undefined) return { isPresent: false, isVerified: false, error: "client_cert_not_provided" };
  const fingerprint = fingerprintOf(leaf);
  const invalid = (error: ClientCertificateError) => ({ isPresent: true, isVerified: false, fingerprint, error });
  if (trust === undefined) return invalid("client_cert_validation_not_performed");
  if (trust.allowlisted.has(fingerprint)) return { isPresent: true, isVerified: true, fingerprint };
  if (leaf.keyUsage?.includes(clientAuthentication) !== true) return invalid("client_cert_chain_invalid_eku");
  const issuers = [...others, ...trust.intermediates];
  const isValid =
    !leaf.ca && isWithinDates(leaf, now) && leadsToAnchor(leaf, trust.anchors, issuers, now, longestChain);
  return isValid ? { isPresent: true, isVerified: true, fingerprint } : invalid("client_cert_validation_failed");
}

function leadsToAnchor(
  certificate: X509Certificate,
  anchors: readonly X509Certificate[],
  issuers: readonly X509Certificate[],
  now: Date,
  remaining: number,
): boolean {
  if (remaining <= 1) return false;
  const isIssuer = (issuer: X509Certificate) =>
    issuer.ca && isWithinDates(issuer, now) && isSignedBy(certificate, issuer);
  if (anchors.some(isIssuer)) return true;
  return issuers.some((issuer) => {
    if (!isIssuer(issuer)) return false;
    // A certificate occurs once in a chain.
    const left = issuers.filter((candidate) => candidate !== issuer);
    return leadsToAnchor(issuer, anchors, left, now, remaining - 1);
  });
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return (
    certificate.issuer === issuer.subject && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  );
}

function isWithinDates({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo);
}

/** Returns the certificates that a peer presented, the peer's own first; empty without a certificate. */
export function presentedBy(peer: { getPeerCertificate(detailed: true): PeerCertificate }): readonly X509Certificate[] {
  const chain = new Map<string, X509Certificate>();
  // The issuer of a self-signed certificate is the certificate itself; Node returns an empty object without one.
  for (let next: PeerCertificate | undefined = peer.getPeerCertificate(true); next?.raw !== undefined; ) {
    if (chain.has(next.fingerprint256)) break;
    chain.set(next.fingerprint256, new X509Certificate(next.raw));
    next = (next as { readonly issuerCertificate?: PeerCertificate }).issuerCertificate;
  }
  return [...chain.values()];
}
