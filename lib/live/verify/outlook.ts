import type { X509Certificate } from "node:crypto";
import { certificatesIn, fingerprintOf, readCertificateChain } from "../../x509";
import type { ServingFailure } from "./codes";
import type { ServedCertificate } from "./served-certificate";

/**
 * Whether a failure passes by itself. `final`: it can't, as what is served is what the plan uploads, and nothing else is on its way. `open`: it may, as with
 * fronts that have yet to follow a change. `unknown`: the certificate is at fault, and nobody here knows whether another one is on its way.
 */
export type Outlook = "final" | "open" | "unknown";

/** What a name failed with, and what is known of its certificates. */
export interface OutlookQuestion {
  readonly code: ServingFailure;
  /** What was served, where it came to that. */
  readonly served?: Pick<ServedCertificate, "fingerprintSha256" | "notBefore">;
  /**
   * The one certificate that is uploaded for the name, leaf and chain in PEM, by whoever knows it: the plan, Certificate Manager. Where they differ, a change is
   * on its way. Empty where nobody does, or where it is not the only one.
   */
  readonly uploads: readonly string[];
  readonly nowMs: number;
  /** Until when it is tried. */
  readonly deadlineMs: number;
}

/** What to do about a failure that does not pass by itself. */
export const finalRemedies: Readonly<Partial<Record<ServingFailure, string>>> = {
  "name-mismatch": "upload a certificate that has the name, or have Google manage one for it, and apply",
  "certificate-expired": "upload a renewed certificate and apply; look at the clock of this machine",
  "certificate-not-yet-valid":
    "upload a certificate that is valid today, or verify again when this one is; look at the clock of this machine",
  "chain-expired":
    "upload the certificate with the intermediates that its authority hands out today behind it, and apply",
  "staple-missing": "upload a certificate without the must-staple extension, or have Google manage one, and apply",
  "self-signed": "upload a certificate of an authority and apply; where clients trust this one, give it with --ca",
  "chain-incomplete":
    "with a private authority give its root with --ca; else upload the certificate with its intermediates behind it, and apply",
  "untrusted-chain":
    "with a private authority give its root with --ca; else upload the certificate with its intermediates behind it, or one of a public authority, and apply",
};

/** Failures for which the leaf alone is to blame, today and later. */
const isOfLeaf: ReadonlySet<ServingFailure> = new Set([
  "name-mismatch",
  "certificate-expired",
  "self-signed",
  "staple-missing",
]);

/** @param trusted every root that clients trust, in PEM; nothing where it is not known, as with the machine's own */
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
    if (code === "certificate-not-yet-valid") return Date.parse(served.notBefore) > deadlineMs ? "final" : "open";
    if (trusted === undefined) return "unknown";
    // The same certificate may have been uploaded again with what was missing behind it, and fronts have yet to follow.
    const anchors = trusted.flatMap(chainOf).filter((one) => isValidAt(one, nowMs));
    const isWhole = uploads.map(chainOf).some((chain) => leadsTo(anchors, chain, served.fingerprintSha256, nowMs));
    return isWhole ? "open" : "final";
  };
}

function isValidAt({ validTo }: X509Certificate, nowMs: number): boolean {
  return Date.parse(validTo) >= nowMs;
}

/** Whether a client might find a way from the leaf to an anchor; signatures are not checked, as it is about ways that are none in any case. */
function leadsTo(
  anchors: readonly X509Certificate[],
  chain: readonly X509Certificate[],
  leaf: string,
  nowMs: number,
): boolean {
  const met = new Set<string>();
  const open = chain.filter((one) => fingerprintOf(one) === leaf);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const current = at;
    const fingerprint = fingerprintOf(current);
    if (met.has(fingerprint)) continue;
    met.add(fingerprint);
    if (anchors.some((one) => fingerprintOf(one) === fingerprint || current.checkIssued(one))) return true;
    open.push(...chain.filter((one) => isValidAt(one, nowMs) && current.checkIssued(one)));
  }
  return false;
}
