import { createHash } from "node:crypto";
import { isObject, type Json } from "../front";

/** Returns a hash of a resource in Base64, the API's format. Labels have a hash of their own. */
export function fingerprintOf(resource: Json): string {
  const { fingerprint: _, labels: __, labelFingerprint: ___, ...rest } = resource;
  return hash(rest);
}

export function labelFingerprintOf(labels: unknown): string {
  return hash(labels ?? {});
}

/** Returns a hash that does not depend on the order of members. */
function hash(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (isObject(inner) ? sorted(inner) : inner));
  return createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
}

function sorted(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
