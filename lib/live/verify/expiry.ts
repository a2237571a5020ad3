import { findingOf, type VerifyFinding } from "./fallback";
import type { VerifyResult } from "./results";

/**
 * Google renews managed certificates a month before they expire. A certificate with less time left is not renewed, or
 * is renewed manually.
 */
const soonMs = 14 * 24 * 3_600_000;

/** Returns findings for served certificates that expire soon, one for each certificate. */
export function expiryFindings(results: readonly VerifyResult[], now: Date): readonly VerifyFinding[] {
  const expiring = new Map<string, VerifyFinding>();
  for (const result of results) {
    if (!result.ok) continue;
    const { notAfter, fingerprintSha256, serialNumber } = result.certificate;
    if (expiring.has(fingerprintSha256) || Date.parse(notAfter) - now.getTime() > soonMs) continue;
    expiring.set(
      fingerprintSha256,
      findingOf("expires-soon", result.hostname, `serial ${serialNumber} ends at ${notAfter}`),
    );
  }
  return [...expiring.values()];
}
