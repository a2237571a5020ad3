import { createHash } from "node:crypto";
import type { Json } from "../front";

/** A hash of what a resource is; labels have their own. Base64, as the API has it. */
export function fingerprintOf(resource: Json): string {
  const { fingerprint: _, labels: __, labelFingerprint: ___, ...rest } = resource;
  return hash(rest);
}

export function labelFingerprintOf(labels: unknown): string {
  const entries = Object.entries((labels ?? {}) as Json);
  return hash(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest().subarray(0, 8).toString("base64");
}
