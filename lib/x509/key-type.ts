import type { X509Certificate } from "node:crypto";
import { type DerElement, derTag, readElements, readOid } from "./der";

const curves: Readonly<Record<string, string>> = {
  "1.2.840.10045.3.1.7": "p256",
  "1.3.132.0.34": "p384",
  "1.3.132.0.35": "p521",
};
const rsaKinds: Readonly<Record<string, string>> = {
  "1.2.840.113549.1.1.1": "rsa",
  "1.2.840.113549.1.1.10": "rsa-pss",
};
const ecPublicKey = "1.2.840.10045.2.1";
const edwardsKinds: Readonly<Record<string, string>> = { "1.3.101.112": "ed25519", "1.3.101.113": "ed448" };

/**
 * Returns the key type of a certificate, for example `rsa-2048`, `rsa-pss-2048`, `ecdsa-p256`, `ed25519`; `unknown` if
 * OpenSSL does not support it.
 *
 * Common types are read from the certificate itself. Creating a key with OpenSSL takes longer than reading everything
 * else.
 *
 * @param publicKey the SubjectPublicKeyInfo
 */
export function readKeyType(raw: Uint8Array, publicKey: DerElement, certificate: X509Certificate): string {
  const algorithm = publicKey.children[0]?.children ?? [];
  const bits = publicKey.children[1];
  const kind = algorithm[0];
  const parameters = algorithm[1];
  const oid = kind?.tag === derTag.oid ? readOid(raw, kind) : "";
  const rsa = rsaKinds[oid];
  if (rsa !== undefined && bits !== undefined) {
    // The first octet of a bit string is the number of unused bits in the last octet.
    const modulus = readElements(raw, bits.start + 1, bits.end)[0]?.children[0];
    if (modulus !== undefined) return `${rsa}-${bitLength(raw, modulus)}`;
  }
  const curve = oid === ecPublicKey && parameters?.tag === derTag.oid ? curves[readOid(raw, parameters)] : undefined;
  return curve === undefined ? (edwardsKinds[oid] ?? askOpenssl(certificate)) : `ecdsa-${curve}`;
}

function bitLength(raw: Uint8Array, { start, end }: DerElement): number {
  let at = start;
  while (at < end && raw[at] === 0) at += 1;
  return at === end ? 0 : (end - at) * 8 - (Math.clz32(raw[at] as number) - 24);
}

function askOpenssl(certificate: X509Certificate): string {
  try {
    const key = certificate.publicKey;
    return key.asymmetricKeyType === "ec"
      ? `ecdsa-${key.asymmetricKeyDetails?.namedCurve}`
      : (key.asymmetricKeyType ?? "unknown");
  } catch {
    return "unknown";
  }
}
