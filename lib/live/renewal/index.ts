import { X509Certificate } from "node:crypto";
import type { LiveCertificate } from "../../google";
import { assessRenewal, type RenewalFinding, type RenewalObstacle, type Validity } from "../../renewal";
import { fingerprintOf } from "../../x509";

export { caaRefusal } from "./caa";
export { createObstacleReader, isRenewedByDns, type RenewalSources } from "./obstacles";

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
  const validity = validityOf(live);
  return validity === undefined ? [] : assessRenewal({ ...live, ...validity, obstacles }, now, live.renewalShare);
}

/**
 * Returns the validity of a certificate that has been issued, also after a renewal failed; undefined for others, and
 * for one that Node can't read.
 */
export function validityOf({
  state,
  certificatePem,
  validity,
}: Pick<LiveCertificate, "state" | "certificatePem" | "validity">): Validity | undefined {
  if (state === "PROVISIONING" || certificatePem === undefined) return validity;
  try {
    const { validFrom, validTo } = new X509Certificate(certificatePem);
    return { notBefore: new Date(validFrom), notAfter: new Date(validTo) };
  } catch {
    // The service stores a certificate that Node can't read; a handshake shows whether clients can.
    return undefined;
  }
}

/** Returns the SHA-256 of an issued certificate in lower-case hexadecimal; undefined as for {@link validityOf}. */
export function liveFingerprint({
  state,
  certificatePem,
  fingerprintSha256,
}: Pick<LiveCertificate, "state" | "certificatePem" | "fingerprintSha256">): string | undefined {
  if (state === "PROVISIONING" || certificatePem === undefined) return fingerprintSha256;
  try {
    return fingerprintOf(new X509Certificate(certificatePem));
  } catch {
    return undefined;
  }
}
