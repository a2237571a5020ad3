import type { X509Certificate } from "node:crypto";
import { derTag, readElements, readOid } from "./der";

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
 * What kind of key a certificate has, as in `rsa-2048`, `rsa-pss-2048`, `ecdsa-p256`, `ed25519`; `unknown` where OpenSSL does not know it.
 *
 * The usual ones are told from the certificate itself, because having OpenSSL make a key of it takes longer than everything else that is read.
 *
 * @param publicKey content of the SubjectPublicKeyInfo
 */
export function readKeyType(publicKey: Uint8Array, certificate: X509Certificate): string {
  const parts = readElements(publicKey);
  const bits = parts[1];
  const algorithm = readElements(parts[0]?.content ?? new Uint8Array());
  const kind = algorithm[0];
  const parameters = algorithm[1];
  const oid = kind?.tag === derTag.oid ? readOid(kind.content) : "";
  const rsa = rsaKinds[oid];
  if (rsa !== undefined) {
    // The first octet of a bit string says how many bits of the last don't count.
    const key = readElements(bits?.content.subarray(1) ?? new Uint8Array())[0];
    const modulus = readElements(key?.content ?? new Uint8Array())[0];
    if (modulus !== undefined) return `${rsa}-${bitLength(modulus.content)}`;
  }
  const curve = oid === ecPublicKey && parameters?.tag === derTag.oid ? curves[readOid(parameters.content)] : undefined;
  return curve === undefined ? (edwardsKinds[oid] ?? askOpenssl(certificate)) : `ecdsa-${curve}`;
}

function bitLength(integer: Uint8Array): number {
  let start = 0;
  while (start < integer.length && integer[start] === 0) start += 1;
  return start === integer.length ? 0 : (integer.length - start) * 8 - (Math.clz32(integer[start] as number) - 24);
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
