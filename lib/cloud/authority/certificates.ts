import { type KeyObject, webcrypto } from "node:crypto";
import type { Extension, JsonName, PublicKey } from "@peculiar/x509";
import { algorithmOf, type KeyPair } from "./keys";
import { x509 } from "./library";

// X.509 as RFC 5280 and the Baseline Requirements of the CA/Browser Forum have it.

/** What certificates of authorities and of servers have in common. */
export interface CertificateFields {
  /** Hexadecimal; positive and at most 20 octets (RFC 5280, 4.1.2.2). */
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Who signs. */
export interface Signer {
  /** Common name of its certificate. */
  readonly commonName: string;
  readonly keyPair: KeyPair;
}

/** Longest common name in characters (RFC 5280, appendix A, ub-common-name). */
const longestCommonName = 64;

/** Domain-validated (CA/Browser Forum, Baseline Requirements, 7.1.6.1). */
const domainValidated = "2.23.140.1.2.1";

/** The certificate of an authority, signed by another or by itself. */
export async function makeAuthorityCertificate({
  signer,
  subject,
  pathLength,
  ...fields
}: CertificateFields & {
  readonly signer: Signer;
  readonly subject: Signer;
  /** How many authorities may stand between it and a server's certificate. */
  readonly pathLength?: number;
}): Promise<string> {
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension } = x509();
  const selfSigned = subject === signer;
  return sign(fields, signer, nameOf(subject.commonName), subject.keyPair.publicKey, [
    new BasicConstraintsExtension(true, pathLength, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ...(selfSigned ? [] : [await authorityKeyIdentifier(signer)]),
  ]);
}

/** The certificate of a server. */
export async function makeServerCertificate({
  signer,
  names,
  addresses = [],
  publicKey,
  ...fields
}: CertificateFields & {
  readonly signer: Signer;
  /** DNS names, `*.` allowed, at least one. */
  readonly names: readonly string[];
  /** IP addresses. @default - none */
  readonly addresses?: readonly string[];
  readonly publicKey: KeyObject;
}): Promise<string> {
  const {
    BasicConstraintsExtension,
    CertificatePolicyExtension,
    ExtendedKeyUsage,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    SubjectAlternativeNameExtension,
  } = x509();
  const commonName = names.find((name) => name.length <= longestCommonName);
  // Clients of TLS 1.2 may encrypt to an RSA key instead of having it sign.
  const usage = KeyUsageFlags.digitalSignature | (isRsa(publicKey) ? KeyUsageFlags.keyEncipherment : 0);
  return sign(fields, signer, commonName === undefined ? [] : nameOf(commonName), publicKey, [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(usage, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    await authorityKeyIdentifier(signer),
    // The names are critical where nothing else says whose certificate it is (RFC 5280, 4.2.1.6).
    new SubjectAlternativeNameExtension(
      [
        ...names.map((value) => ({ type: "dns" as const, value })),
        ...addresses.map((value) => ({ type: "ip" as const, value })),
      ],
      commonName === undefined,
    ),
    new CertificatePolicyExtension([domainValidated]),
  ]);
}

async function sign(
  fields: CertificateFields,
  signer: Signer,
  subject: JsonName,
  subjectKey: KeyObject,
  extensions: readonly Extension[],
): Promise<string> {
  const { SubjectKeyIdentifierExtension, X509CertificateGenerator } = x509();
  const publicKey = readPublicKey(subjectKey);
  const certificate = await X509CertificateGenerator.create(
    {
      ...fields,
      subject,
      issuer: nameOf(signer.commonName),
      publicKey,
      signingKey: await signingKeyOf(signer),
      signingAlgorithm: signatureAlgorithmOf(signer.keyPair.privateKey),
      extensions: [...extensions, await SubjectKeyIdentifierExtension.create(publicKey, false, webcrypto)],
    },
    webcrypto,
  );
  return `${certificate.toString("pem").trimEnd()}\n`;
}

function authorityKeyIdentifier({ keyPair }: Signer): Promise<Extension> {
  return x509().AuthorityKeyIdentifierExtension.create(readPublicKey(keyPair.publicKey), false, webcrypto);
}

function readPublicKey(key: KeyObject): PublicKey {
  return new (x509().PublicKey)(key.export({ type: "spki", format: "der" }));
}

const signingKeys = new WeakMap<KeyObject, Promise<webcrypto.CryptoKey>>();

/** The signer's key as the library takes it, converted once. */
function signingKeyOf({ keyPair: { privateKey } }: Signer): Promise<webcrypto.CryptoKey> {
  const known = signingKeys.get(privateKey);
  if (known !== undefined) return known;
  const algorithm = isRsa(privateKey)
    ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
    : { name: "ECDSA", namedCurve: "P-256" };
  const der = privateKey.export({ type: "pkcs8", format: "der" });
  const made = webcrypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  signingKeys.set(privateKey, made);
  return made;
}

function signatureAlgorithmOf(key: KeyObject): { readonly name: string; readonly hash: string } {
  return { name: isRsa(key) ? "RSASSA-PKCS1-v1_5" : "ECDSA", hash: "SHA-256" };
}

function isRsa(key: KeyObject): boolean {
  return algorithmOf(key) === "rsa-2048";
}

function nameOf(commonName: string): JsonName {
  return [{ CN: [commonName] }];
}
