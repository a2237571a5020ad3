import { durationMs } from "../../issuance-policy";
import { projectIn } from "../../resource-names";
import { makePrivateRoot, type PrivateRoot, type PublicKeyAlgorithm } from "../certificate-authority";
import { CloudError } from "../cloud-error";
import { type Call, invalidField, isJsonObject, type Json } from "../front";
import type { Clock } from "../state";

export type CaState = "ENABLED" | "DISABLED" | "STAGED" | "DELETED";

export interface CertificateAuthority extends Json {
  readonly name: string;
  readonly state: CaState;
  readonly pemCaCertificates: readonly string[];
  /** RFC 3339; set for a deleted CA. */
  readonly expireTime?: string;
}

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

export const gracePeriodMs = 30 * dayMs;

export function checkNewAuthority({ body }: Call): void {
  const { type, config, keySpec, lifetime } = body;
  if (type === "SUBORDINATE")
    throw new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate subordinate CAs: create a root");
  if (type !== "SELF_SIGNED") throw invalidField("certificate_authority.type", "is required");
  if (commonNameOf(config) === "")
    throw invalidField("certificate_authority.config.subject_config.subject.common_name", "is required");
  if (member(member(config, "x509Config"), "caOptions").isCa !== true)
    throw invalidField("certificate_authority.config.x509_config.ca_options.is_ca", "must be true");
  if (!isJsonObject(keySpec) || (keySpec.algorithm === undefined && keySpec.cloudKmsKeyVersion === undefined))
    throw invalidField("certificate_authority.key_spec", "needs an algorithm, or a key version of Cloud KMS");
  if (keySpec.cloudKmsKeyVersion !== undefined)
    throw new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate keys of Cloud KMS: give an algorithm");
  if (durationMs(String(lifetime)) === undefined)
    throw invalidField("certificate_authority.lifetime", "is not a duration in seconds, for example 315360000s");
}

/**
 * Creates the root of a CA. RSA keys have 2048 bits whatever the requested size, because longer keys take seconds to
 * generate.
 */
export function makeRootOf(body: Json, clock: Clock): Promise<PrivateRoot> {
  const { config, keySpec, lifetime } = body;
  const { algorithm } = keySpec as Json;
  // Clients check against the machine's time, while the cloud's time may be far ahead.
  const beginMs = Math.min(clock.now().getTime(), Date.now()) - dayMs;
  return makePrivateRoot({
    distinguishedName: distinguishedNameOf(config),
    publicKeyAlgorithm: String(algorithm).startsWith("EC_") ? "ecdsa-p256" : "rsa-2048",
    notBefore: new Date(beginMs),
    notAfter: new Date(clock.now().getTime() + (durationMs(String(lifetime)) ?? 0)),
  });
}

export function leafValidity(clock: Clock, lifetimeMs: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const nowMs = clock.now().getTime();
  return { notBefore: new Date(Math.min(nowMs, Date.now()) - hourMs), notAfter: new Date(nowMs + lifetimeMs) };
}

export function newAuthority(
  { body }: Call,
  name: string,
  tier: unknown,
  certificatePem: string,
): CertificateAuthority {
  const folder = `http://privateca-content-${projectIn(name)}.storage.googleapis.com/${name.split("/").at(-1)}`;
  return {
    ...body,
    name,
    tier,
    state: "STAGED",
    pemCaCertificates: [certificatePem],
    accessUrls: { caCertificateAccessUrl: `${folder}/ca.crt`, crlAccessUrls: [`${folder}/crl.crl`] },
  };
}

/** Kind of a leaf's key, by the name in issuance configs. */
export const leafKeys: Readonly<Record<"RSA_2048" | "ECDSA_P256", PublicKeyAlgorithm>> = {
  RSA_2048: "rsa-2048",
  ECDSA_P256: "ecdsa-p256",
};

/** Attributes of a distinguished name with their members in the API, in the usual order. */
const attributes = [
  ["C", "countryCode"],
  ["ST", "province"],
  ["L", "locality"],
  ["O", "organization"],
  ["OU", "organizationalUnit"],
  ["CN", "commonName"],
] as const;

function distinguishedNameOf(config: unknown): string {
  const subject = member(member(config, "subjectConfig"), "subject");
  return attributes.flatMap(([key, name]) => (subject[name] ? [`${key}=${subject[name]}`] : [])).join(", ");
}

function commonNameOf(config: unknown): string {
  return String(member(member(config, "subjectConfig"), "subject").commonName ?? "");
}

function member(value: unknown, name: string): Json {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : {};
}
