import type { X509Certificate } from "node:crypto";
import { describeCertificate, readCertificate } from "../../x509";

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

/**
 * Reads certificates. Parses each certificate once, because a load balancer serves the same certificates repeatedly.
 */
export type CertificateReading = (raw: Buffer, fingerprint256: string) => ServedCertificate | undefined;

/** Creates a reader of certificates. @param most maximum number of cached certificates */
export function createCertificateReading(most = 4_096): CertificateReading {
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
