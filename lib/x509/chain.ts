import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Problem } from "../errors";
import { type CertificateFacts, describeCertificate } from "./facts";
import { isCertificateBlock, readPemBlocks } from "./pem";
import { hasCertificateForm, structureOf } from "./structure";

export interface CertificateChain {
  /** The certificate that a server would present; undefined if none was found. */
  readonly leaf?: CertificateFacts;
  /** All certificates in the order of the file. */
  readonly certificates: readonly CertificateFacts[];
  readonly problems: readonly Problem[];
}

/** Reads the certificates of a PEM text and finds the leaf by structure, whatever their order. */
export function readCertificateChain(pem: string): CertificateChain {
  const { blocks, problems } = readPemBlocks(pem);
  const found: DescribedCertificate[] = [];
  const unreadable: Problem[] = [];
  for (const block of blocks) {
    if (!isCertificateBlock(block)) continue;
    const x509 = readCertificate(block.der);
    if (x509 === undefined) {
      unreadable.push(unreadableCertificate(block.der, `line ${block.line}: `));
    } else {
      found.push({ x509, facts: describeCertificate(x509) });
    }
  }
  const [leaf] = findLeaves(found);
  return {
    ...(leaf === undefined ? {} : { leaf: leaf.facts }),
    certificates: found.map(({ facts }) => facts),
    problems: [...problems, ...unreadable],
  };
}

/** Returns the readable certificates of a PEM text, in its order. */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  const { blocks } = readPemBlocks(pem);
  return blocks.filter(isCertificateBlock).flatMap(({ der }) => readCertificate(der) ?? []);
}

/** Returns whether a root certificate is among the certificates, or has issued one of them. @param roots PEM */
export function isIssuedByOneOf(certificates: readonly X509Certificate[], roots: readonly string[]): boolean {
  const issuers = new Set(certificates.map(({ issuer }) => issuer));
  const fingerprints = new Set(certificates.map(({ fingerprint256 }) => fingerprint256));
  return roots.some((pem) => {
    const root = new X509Certificate(pem);
    if (fingerprints.has(root.fingerprint256)) return true;
    if (!issuers.has(root.subject)) return false;
    return certificates.some((certificate) => certificate.checkIssued(root) && certificate.verify(root.publicKey));
  });
}

/** Reads a certificate from DER; undefined if it is not a certificate, or if its dates are invalid. */
export function readCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    return structureOf(certificate, der) === undefined ? undefined : certificate;
  } catch {
    return undefined;
  }
}

/**
 * Reports a certificate that can't be read: the file is damaged, or the certificate contains an element that is not
 * allowed but that other programs ignore.
 *
 * @param place where it is, with a colon and a space behind it; empty if there is nothing to name
 */
export function unreadableCertificate(der: Uint8Array, place: string): Problem {
  const reason = refusalOfCertificate(der);
  const message =
    reason === undefined
      ? `${place}this is not an X.509 certificate; fetch the file again`
      : `${place}this X.509 certificate is malformed (${reason}), though other programs may read it; have its certificate authority issue it again`;
  return { code: "certificate-file-unreadable", message };
}

/**
 * Returns OpenSSL's reason for refusing octets with the form of a certificate; undefined if they have another form, or
 * are not refused. One reason is a name in invalid UTF-8: OpenSSL's own command shows such certificates, but Node does
 * not.
 */
export function refusalOfCertificate(der: Uint8Array): string | undefined {
  if (!hasCertificateForm(der)) return undefined;
  try {
    new X509Certificate(der);
    return undefined;
  } catch (error) {
    const { opensslErrorStack: stack = [] } = error as { readonly opensslErrorStack?: readonly string[] };
    // The innermost reason comes last, after the number and the library.
    return stack.at(-1)?.split(":").at(-1) ?? "it can't be read";
  }
}

/** A certificate with its facts. */
export interface DescribedCertificate {
  readonly x509: X509Certificate;
  readonly facts: CertificateFacts;
}

/**
 * Returns the certificates that a server would present as its own: they have issued none of the others and are not CA
 * certificates. A self-signed certificate for a hostname counts as a leaf, because many self-made certificates have
 * this form.
 */
export function findLeaves<Certificate extends DescribedCertificate>(
  certificates: readonly Certificate[],
): readonly Certificate[] {
  return certificates.filter(
    ({ x509, facts }) =>
      (!facts.isAuthority || (facts.selfSigned && facts.dnsNames.length > 0)) &&
      !certificates.some(
        (candidate) =>
          candidate.facts.fingerprintSha256 !== facts.fingerprintSha256 && isIssuedBy(candidate.x509, x509),
      ),
  );
}

/**
 * Reports whether certificates that a server sends in this order lead to their root only in another order. Each
 * certificate must certify the certificate before it (RFC 5246, section 7.4.2). Clients that expect this order refuse
 * the chain. Duplicates, certificates after the end of the path, and further certificates of the same CA do no harm.
 *
 * @param sent the leaf first
 */
export function isOutOfOrder(sent: readonly X509Certificate[]): boolean {
  const chain = [...new Map(sent.map((certificate) => [certificate.fingerprint256, certificate])).values()];
  for (const [index, certificate] of chain.entries()) {
    const next = chain[index + 1];
    if (next === undefined || isIssuedBy(certificate, certificate)) return false;
    if (isIssuedBy(certificate, next)) continue;
    if (!chain.some((candidate) => isIssuedBy(certificate, candidate))) return false;
    if (next.subject !== certificate.subject) return true;
  }
  return false;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.issuer === issuer.subject && certificate.checkIssued(issuer);
}

/** Returns whether a private key belongs to a certificate. No part of the key leaves this function. */
export function keyMatches(
  certificatePem: string,
  privateKeyPem: string,
): "matches" | "differs" | "unreadable" | "encrypted" {
  const keys = readPemBlocks(privateKeyPem).blocks.filter(({ label }) => label.endsWith("PRIVATE KEY"));
  if (keys.some(({ encrypted }) => encrypted)) return "encrypted";
  try {
    const key = createPrivateKey(privateKeyPem);
    return new X509Certificate(certificatePem).checkPrivateKey(key) ? "matches" : "differs";
  } catch {
    return "unreadable";
  }
}
