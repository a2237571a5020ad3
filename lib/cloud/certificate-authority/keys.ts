import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** The kinds of keys for which the service issues certificates. */
export type PublicKeyAlgorithm = "ecdsa-p256" | "rsa-2048";

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const generate = promisify(generateKeyPair);

/** Creates a key pair. ECDSA takes 0.1 ms, RSA about 170 ms; both run off the main thread. */
export function makeKeyPair(algorithm: PublicKeyAlgorithm): Promise<KeyPair> {
  return algorithm === "rsa-2048" ? generate("rsa", { modulusLength: 2048 }) : generate("ec", { namedCurve: "P-256" });
}

/** Returns the algorithm of a key; undefined if {@link PublicKeyAlgorithm} does not contain it. */
export function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): PublicKeyAlgorithm | undefined {
  if (asymmetricKeyType === "rsa" && asymmetricKeyDetails?.modulusLength === 2048) return "rsa-2048";
  if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") return "ecdsa-p256";
  return undefined;
}

/** Returns the private key in PKCS #8. */
export function exportPrivateKey({ privateKey }: KeyPair): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/**
 * Reads a key pair from its private key in PEM.
 *
 * @throws the error of `node:crypto` if the text is not a valid private key
 */
export function importPrivateKey(pem: string): KeyPair {
  const privateKey = createPrivateKey(pem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
