import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Problem } from "../errors";
import { type CertificateFacts, describeCertificate } from "./facts";
import { isCertificateBlock, readPemBlocks } from "./pem";

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
  const found: { readonly x509: X509Certificate; readonly facts: CertificateFacts }[] = [];
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
  const leaf = findLeaf(found.map(({ x509 }) => x509));
  const facts = found.find(({ x509 }) => x509 === leaf)?.facts;
  return {
    ...(facts === undefined ? {} : { leaf: facts }),
    certificates: found.map(({ facts: each }) => each),
    problems: [...problems, ...unreadable],
  };
}

/** A certificate from DER; nothing where it is none. */
export function readCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

/** The first certificate that is not an authority and has issued none of the others. */
export function findLeaf(certificates: readonly X509Certificate[]): X509Certificate | undefined {
  return certificates.find(
    (candidate) => !candidate.ca && !certificates.some((other) => other !== candidate && other.checkIssued(candidate)),
  );
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
