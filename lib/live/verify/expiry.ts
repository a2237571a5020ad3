import { findingOf, type VerifyFinding } from "./fallback";
import type { VerifyResult } from "./results";

/** Managed certificates are renewed a month before they end: who has less left is not renewed, or by hand. */
const soonMs = 14 * 24 * 3_600_000;

/** Certificates that are served and end soon, each told once. */
export function expiryFindings(results: readonly VerifyResult[], now: Date): readonly VerifyFinding[] {
  const told = new Map<string, VerifyFinding>();
  for (const result of results) {
    if (!result.ok) continue;
    const { notAfter, fingerprintSha256, serialNumber } = result.certificate;
    if (told.has(fingerprintSha256) || Date.parse(notAfter) - now.getTime() > soonMs) continue;
    told.set(
      fingerprintSha256,
      findingOf("expires-soon", result.hostname, `serial ${serialNumber} ends at ${notAfter}`),
    );
  }
  return [...told.values()];
}
