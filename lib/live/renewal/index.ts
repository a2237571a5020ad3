import { X509Certificate } from "node:crypto";
import type { LiveCertificate } from "../../google";
import { assessRenewal, type RenewalFinding, type Validity } from "../../renewal";

/**
 * Returns what threatens a certificate of Certificate Manager that serves traffic. A certificate that has never been
 * issued has no finding; `wait` examines it.
 *
 * @param now time of the service
 */
export function assessLiveRenewal(live: LiveCertificate, now: Date): readonly RenewalFinding[] {
  const validity = validityOf(live);
  return validity === undefined ? [] : assessRenewal({ ...live, ...validity }, now, live.renewalShare);
}

/**
 * Returns the validity of a certificate that has been issued, also after a renewal failed; undefined for others, and
 * for one that Node can't read.
 */
export function validityOf({
  certificatePem,
  validity,
}: Pick<LiveCertificate, "certificatePem" | "validity">): Validity | undefined {
  if (certificatePem === undefined) return validity;
  try {
    const { validFrom, validTo } = new X509Certificate(certificatePem);
    return { notBefore: new Date(validFrom), notAfter: new Date(validTo) };
  } catch {
    // The service stores a certificate that Node can't read; a handshake shows whether clients can.
    return undefined;
  }
}
