import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

// Apart from the certificates, because public types refer to keys and must not refer to the library for X.509.

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

export function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): PublicKeyAlgorithm | undefined {
  if (asymmetricKeyType === "rsa" && asymmetricKeyDetails?.modulusLength === 2048) return "rsa-2048";
  if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") return "ecdsa-p256";
  return undefined;
}

export function exportPrivateKey({ privateKey }: KeyPair): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Reads a key pair from its private key in PEM. @throws the error of `node:crypto` for an invalid key */
export function importPrivateKey(pem: string): KeyPair {
  const privateKey = createPrivateKey(pem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

export interface Signer {
  readonly commonName: string;
  /** Whole subject of the signer's certificate, on one line. @default - only the common name */
  readonly distinguishedName?: string;
  readonly keyPair: KeyPair;
}
