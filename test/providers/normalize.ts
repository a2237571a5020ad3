import { unrecorded } from "./intended-differences";
import type { SentRequest } from "./recorder";

/** Members whose values the service generates. */
const madeUp: Readonly<Record<string, string>> = {
  fingerprint: "(fingerprint)",
  labelFingerprint: "(label fingerprint)",
  pemPrivateKey: "(private key)",
  pemCertificate: "(certificate)",
  privateKey: "(private key)",
  certificate: "(certificate)",
};

/**
 * Returns requests in a form that is the same in every run: without unrecorded requests, keys, certificates and
 * fingerprints, and with sorted members of objects.
 */
export function normalizeRequests(sent: readonly SentRequest[]): readonly SentRequest[] {
  return sent
    .filter((request) => !unrecorded.some(({ fits }) => fits(request)))
    .map(({ httpMethod, target, body, status }) => ({
      httpMethod,
      target,
      ...(body === undefined ? {} : { body: normalizeValue(body) }),
      status,
    }));
}

/** Replaces identifiers and addresses that the service generates. */
function normalizeText(text: string): string {
  if (text.includes("-----BEGIN")) return "(PEM)";
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, "(uuid)")
    .replace(/^https?:\/\/127\.0\.0\.1:\d+\//, "(endpoint)/")
    .replace(/^2001:db8:[0-9a-f:]+$/, "(IPv6 address)");
}

function normalizeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalizeValue);
  if (typeof value === "string") return normalizeText(value);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, member]) => [
      name,
      typeof member === "string" && madeUp[name] !== undefined ? madeUp[name] : normalizeValue(member),
    ]),
  );
}
