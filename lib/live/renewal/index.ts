import { X509Certificate } from "node:crypto";
import type { LiveCertificate, LiveLeaf } from "../../google";
import { assessRenewal, type RenewalFinding, type RenewalObstacle } from "../../renewal";
import { fingerprintOf } from "../../x509";

export { caaRefusal } from "./caa";
export {
  createObstacleReader,
  describeRecord,
  isRenewedByDns,
  isValidatedByDns,
  type RenewalSources,
} from "./obstacles";
export { whyUnreadable } from "./server-fault";

/**
 * Returns what threatens a certificate of Certificate Manager that serves traffic. A certificate that has never been
 * issued has no finding; `wait` examines it.
 *
 * @param now time of the service
 * @param obstacles what the next validation of its domains would meet. @default - not known
 */
export function assessLiveRenewal(
  live: LiveCertificate,
  now: Date,
  obstacles: readonly RenewalObstacle[] = [],
): readonly RenewalFinding[] {
  const leaf = leafOf(live);
  return leaf === undefined ? [] : assessRenewal({ ...live, ...leaf, obstacles }, now);
}

/**
 * Returns the leaf of a certificate that has been issued, also after a renewal failed; undefined for others, and for a
 * certificate that Node can't read.
 */
export function leafOf({ state, certificatePem, leaf }: LiveCertificate): LiveLeaf | undefined {
  if (state === "PROVISIONING" || certificatePem === undefined) return leaf;
  try {
    const certificate = new X509Certificate(certificatePem);
    const { validFrom, validTo } = certificate;
    const fingerprintSha256 = fingerprintOf(certificate);
    return { notBefore: new Date(validFrom), notAfter: new Date(validTo), fingerprintSha256 };
  } catch {
    // The service stores a certificate that Node can't read; a handshake shows whether clients can.
    return undefined;
  }
}
