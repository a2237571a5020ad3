import { createHash } from "node:crypto";
import { isObject, type Json } from "../front";

/** A hash of what a resource is; labels have their own. Base64, as the API has it. */
export function fingerprintOf(resource: Json): string {
  const { fingerprint: _, labels: __, labelFingerprint: ___, ...rest } = resource;
  return hash(rest);
}

export function labelFingerprintOf(labels: unknown): string {
  return hash(labels ?? {});
}

/** The order in which members stand means nothing. */
function hash(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (isObject(inner) ? sorted(inner) : inner));
  return createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
}

function sorted(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
