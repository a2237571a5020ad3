import type { X509Certificate } from "node:crypto";
import { certificatesIn, fingerprintOf, isOutOfOrder, readCertificateChain } from "../../x509";
import type { ServingFailure } from "./codes";
import type { ServedCertificate } from "./handshake-model";

/**
 * Whether a failure can resolve on its own:
 *
 * - `final`: no, because the served certificate is the certificate that the plan uploads, and no change is pending.
 * - `open`: yes, for example because the front ends have not applied a change yet.
 * - `unknown`: the certificate causes the failure, and it is not known whether another certificate is pending.
 */
export type Outlook = "final" | "open" | "unknown";

/** The failure of a name, and the known data of its certificates. */
export interface OutlookQuestion {
  readonly code: ServingFailure;
  readonly served?: Pick<ServedCertificate, "fingerprintSha256" | "notBefore">;
  /**
   * The only certificate that is uploaded for the name, leaf and chain in PEM, according to the plan and to Certificate
   * Manager. If they differ, a change is pending. Empty if unknown, or if there are several certificates.
   */
  readonly uploads: readonly string[];
  readonly nowMs: number;
  /** Time of the last attempt. */
  readonly deadlineMs: number;
}

export const finalRemedies: Readonly<Partial<Record<ServingFailure, string>>> = {
  "name-mismatch": "upload a certificate that has the name, or use a managed certificate, and apply",
  "certificate-expired": "upload a renewed certificate and apply; check the clock of this machine",
  "certificate-not-yet-valid":
    "upload a certificate that is valid today, or verify again when this certificate is valid; check the clock of this machine",
  "chain-expired": "upload the certificate with the current intermediate certificates of its CA, and apply",
  "weak-key":
    "upload a certificate with an RSA key of 2048 bits or more, or an ECDSA key of 256 bits or more, and apply",
  "certificate-revoked": "upload a new certificate with a new key, and apply",
  "chain-out-of-order":
    "sort pem_certificate, the certificate first and then each issuer after the certificate that it has issued, and apply",
  "staple-missing": "upload a certificate without the must-staple extension, or use a managed certificate, and apply",
  "self-signed": "upload a certificate of a CA and apply; if clients trust this certificate, add it with --ca",
  "chain-incomplete":
    "for a private CA, add its root with --ca; otherwise upload the certificate with its intermediate certificates, and apply",
  "untrusted-chain":
    "for a private CA, add its root with --ca; otherwise upload the certificate with its intermediate certificates, or a certificate of a public CA, and apply",
};

/** Failures that only the leaf certificate causes, now and later. */
const isOfLeaf: ReadonlySet<ServingFailure> = new Set([
  "name-mismatch",
  "certificate-expired",
  "self-signed",
  "staple-missing",
  "weak-key",
  "certificate-revoked",
]);

/** @param trusted every root that clients trust, in PEM; undefined if unknown, as for the machine's own roots */
export function createOutlook(trusted: readonly string[] | undefined): (question: OutlookQuestion) => Outlook {
  const chains = new Map<string, readonly X509Certificate[]>();
  const chainOf = (pem: string) => {
    const known = chains.get(pem) ?? certificatesIn(pem);
    chains.set(pem, known);
    return known;
  };
  return ({ code, served, uploads, nowMs, deadlineMs }) => {
    if (finalRemedies[code] === undefined || served === undefined) return "open";
    const leaves = uploads.map((pem) => readCertificateChain(pem).leaf?.fingerprintSha256);
    if (leaves.length === 0 || leaves.includes(undefined)) return "unknown";
    if (!leaves.every((leaf) => leaf === served.fingerprintSha256)) return "open";
    if (isOfLeaf.has(code)) return "final";
    // The same leaf may have been uploaded again in the right order.
    if (code === "chain-out-of-order") return uploads.map(chainOf).every(isOutOfOrder) ? "final" : "open";
    if (code === "certificate-not-yet-valid") return Date.parse(served.notBefore) > deadlineMs ? "final" : "open";
    if (trusted === undefined) return "unknown";
    // The same leaf may have been uploaded again with its missing intermediates, and the front ends have not applied
    // the change yet.
    const anchors = trusted.flatMap(chainOf).filter((anchor) => isValidAt(anchor, nowMs));
    const isWhole = uploads.map(chainOf).some((chain) => leadsTo(anchors, chain, served.fingerprintSha256, nowMs));
    return isWhole ? "open" : "final";
  };
}

function isValidAt({ validTo }: X509Certificate, nowMs: number): boolean {
  return Date.parse(validTo) >= nowMs;
}

/** Does not check signatures, because the result matters only if no path to an anchor exists at all. */
function leadsTo(
  anchors: readonly X509Certificate[],
  chain: readonly X509Certificate[],
  leaf: string,
  nowMs: number,
): boolean {
  const met = new Set<string>();
  const open = chain.filter((certificate) => fingerprintOf(certificate) === leaf);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const current = at;
    const fingerprint = fingerprintOf(current);
    if (met.has(fingerprint)) continue;
    met.add(fingerprint);
    if (anchors.some((anchor) => fingerprintOf(anchor) === fingerprint || current.checkIssued(anchor))) return true;
    open.push(...chain.filter((certificate) => isValidAt(certificate, nowMs) && current.checkIssued(certificate)));
  }
  return false;
}
