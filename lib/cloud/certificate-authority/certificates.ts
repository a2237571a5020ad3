import { type KeyObject, randomBytes, webcrypto } from "node:crypto";
import type { Extension, JsonName, PublicKey } from "@peculiar/x509";
import { algorithmOf, type Signer } from "./keys";

export const dayMs = 86_400_000;

/** Returns the date without its fraction of a second, which certificates can't represent. */
export function wholeSecond(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000);
}

/** Returns the last second of a validity in days; both ends are inclusive (RFC 5280, 4.1.2.5). */
export function lastSecond(notBefore: Date, days: number): Date {
  return wholeSecond(new Date(notBefore.getTime() + days * dayMs - 1000));
}

/** Returns the library that writes X.509. Loads it when the first CA is created, because loading takes 100 ms. */
export function x509(): typeof import("@peculiar/x509") {
  // Must be loaded first: the library requires it while loading.
  require("reflect-metadata");
  return require("@peculiar/x509") as typeof import("@peculiar/x509");
}

// Follows X.509 as in RFC 5280 and the Baseline Requirements of the CA/Browser Forum.

interface CertificateFields {
  /** Serial number in hexadecimal; positive and at most 20 octets (RFC 5280, 4.1.2.2). */
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Longest common name in characters (RFC 5280, appendix A, ub-common-name). */
const longestCommonName = 64;

/** OID of domain-validated certificates (CA/Browser Forum, Baseline Requirements, 7.1.6.1). */
const domainValidated = "2.23.140.1.2.1";

/** Returns 126 random bits after two fixed bits, for a positive number of constant length (RFC 5280, 4.1.2.2). */
export function newSerialNumber(random: (count: number) => Uint8Array = randomBytes): string {
  const octets = Buffer.from(random(16));
  octets[0] = ((octets[0] as number) & 0x3f) | 0x40;
  return octets.toString("hex");
}

/** Creates the certificate of a CA, signed by another CA or self-signed. */
export async function makeAuthorityCertificate({
  signer,
  subject,
  pathLength,
  ...fields
}: CertificateFields & {
  readonly signer: Signer;
  readonly subject: Signer;
  /** Maximum number of intermediate certificate authorities between this certificate and a server's certificate. */
  readonly pathLength?: number;
}): Promise<string> {
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension } = x509();
  const selfSigned = subject === signer;
  return sign(fields, signer, nameOfSigner(subject), subject.keyPair.publicKey, [
    new BasicConstraintsExtension(true, pathLength, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ...(selfSigned ? [] : [await authorityKeyIdentifier(signer)]),
  ]);
}

export async function makeServerCertificate({
  signer,
  names,
  addresses = [],
  publicKey,
  usage: extendedUsage = "serverAuth",
  ...fields
}: CertificateFields & {
  readonly signer: Signer;
  /** DNS names, at least one name; `*.` is allowed. */
  readonly names: readonly string[];
  readonly addresses?: readonly string[];
  readonly publicKey: KeyObject;
  readonly usage?: "serverAuth" | "clientAuth";
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
  // Clients of TLS 1.2 may use an RSA key for encryption instead of signatures.
  const usage = KeyUsageFlags.digitalSignature | (isRsa(publicKey) ? KeyUsageFlags.keyEncipherment : 0);
  return sign(fields, signer, commonName === undefined ? [] : nameOf(commonName), publicKey, [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(usage, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage[extendedUsage]]),
    await authorityKeyIdentifier(signer),
    // The names are critical if the certificate has no subject (RFC 5280, 4.2.1.6).
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
      issuer: nameOfSigner(signer),
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

/** Returns the signer's key in the format of the library; converts each key once. */
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

/** Attributes of distinguished names that are copied. */
const attribute = /^(C|ST|L|O|OU|CN)=(.+)$/;

function nameOfSigner({ commonName, distinguishedName }: Signer): JsonName {
  if (distinguishedName === undefined) return nameOf(commonName);
  const parts = distinguishedName.split(/, (?=[A-Za-z]+=)/).flatMap((part) => {
    const [, key = "", value = ""] = attribute.exec(part) ?? [];
    return key === "" ? [] : [{ [key]: [value] }];
  });
  return parts.length === 0 ? nameOf(distinguishedName) : parts;
}

function nameOf(commonName: string): JsonName {
  return [{ CN: [commonName] }];
}
