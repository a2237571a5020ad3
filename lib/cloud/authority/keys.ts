import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** The kinds of keys that the service issues certificates for. */
export type PublicKeyAlgorithm = "ecdsa-p256" | "rsa-2048";

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const generate = promisify(generateKeyPair);

/** A new key pair. ECDSA costs a tenth of a millisecond, RSA a sixth of a second, both off the main thread. */
export function makeKeyPair(algorithm: PublicKeyAlgorithm): Promise<KeyPair> {
  return algorithm === "rsa-2048" ? generate("rsa", { modulusLength: 2048 }) : generate("ec", { namedCurve: "P-256" });
}

/** What kind of key it is; nothing where it is none of {@link PublicKeyAlgorithm}. */
export function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): PublicKeyAlgorithm | undefined {
  if (asymmetricKeyType === "rsa" && asymmetricKeyDetails?.modulusLength === 2048) return "rsa-2048";
  if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") return "ecdsa-p256";
  return undefined;
}

/** PKCS #8. */
export function exportPrivateKey({ privateKey }: KeyPair): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** @throws the error of `node:crypto` where the text is no private key */
export function importPrivateKey(pem: string): KeyPair {
  const privateKey = createPrivateKey(pem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
