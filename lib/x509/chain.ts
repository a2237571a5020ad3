import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Problem } from "../errors";
import { type CertificateFacts, describeCertificate } from "./facts";
import { isCertificateBlock, readPemBlocks } from "./pem";
import { hasCertificateForm, structureOf } from "./structure";

export interface CertificateChain {
  /** The certificate that a server would present; nothing where there is none. */
  readonly leaf?: CertificateFacts;
  /** All certificates in the order of the file. */
  readonly certificates: readonly CertificateFacts[];
  readonly problems: readonly Problem[];
}

/** Reads the certificates of a PEM text and finds the leaf by structure, in whatever order they stand. */
export function readCertificateChain(pem: string): CertificateChain {
  const { blocks, problems } = readPemBlocks(pem);
  const found: DescribedCertificate[] = [];
  const unreadable: Problem[] = [];
  for (const block of blocks) {
    if (!isCertificateBlock(block)) continue;
    const x509 = readCertificate(block.der);
    if (x509 === undefined) {
      unreadable.push({
        code: "certificate-file-unreadable",
        message: `line ${block.line}: this is not an X.509 certificate; fetch the file again`,
      });
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

/** The certificates of a PEM text that can be read, in its order. */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  const { blocks } = readPemBlocks(pem);
  return blocks.filter(isCertificateBlock).flatMap(({ der }) => readCertificate(der) ?? []);
}

/** A certificate from DER; nothing where it is none, or where its dates make no sense. */
export function readCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    return structureOf(certificate, der) === undefined ? undefined : certificate;
  } catch {
    return undefined;
  }
}

/**
 * Why OpenSSL refuses what has the form of a certificate, in its words; nothing where it has not, or is not refused. A name in invalid UTF-8 is one: OpenSSL's
 * own command shows such certificates, and Node does not.
 */
export function refusalOfCertificate(der: Uint8Array): string | undefined {
  if (!hasCertificateForm(der)) return undefined;
  try {
    new X509Certificate(der);
    return undefined;
  } catch (error) {
    const { opensslErrorStack: stack = [] } = error as { readonly opensslErrorStack?: readonly string[] };
    // The innermost reason stands last, behind the number and the library.
    return stack.at(-1)?.split(":").at(-1) ?? "it can't be read";
  }
}

/** A certificate beside what is known of it. */
export interface DescribedCertificate {
  readonly x509: X509Certificate;
  readonly facts: CertificateFacts;
}

/**
 * The certificates that a server would present as its own: they have issued none of the others, and are no authorities. One that signed
 * itself for a host name counts, for that is how home-made certificates look.
 */
export function findLeaves<Certificate extends DescribedCertificate>(
  certificates: readonly Certificate[],
): readonly Certificate[] {
  return certificates.filter(
    ({ x509, facts }) =>
      (!facts.isAuthority || (facts.selfSigned && facts.dnsNames.length > 0)) &&
      !certificates.some(
        (other) => other.facts.fingerprintSha256 !== facts.fingerprintSha256 && isIssuedBy(other.x509, x509),
      ),
  );
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.issuer === issuer.subject && certificate.checkIssued(issuer);
}

/** Whether a private key belongs to a certificate. Nothing of the key leaves this function. */
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
