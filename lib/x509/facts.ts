import { createHash, type X509Certificate } from "node:crypto";
import { BugError } from "../errors";
import { defined } from "../json/defined";
import { type DerElement, derTag, readOid } from "./der";
import { readKeyType } from "./key-type";
import { nameFromCommonName, readAlternativeNames, readAttributes } from "./names";
import { toPem } from "./pem";
import { type CertificateStructure, structureOf } from "./structure";

/** The facts of a certificate that a migration needs. */
export interface CertificateFacts {
  /**
   * DNS names of the certificate: the subject alternative names in lower case without trailing dot, sorted, without
   * duplicates. If the extension is missing, the common name if it is a hostname.
   */
  readonly dnsNames: readonly string[];
  /**
   * Subject alternative names that are not ASCII, although RFC 5280, 4.2.1.6 requires ASCII. Clients request A-labels
   * and compare octets, so that the certificate covers none of these names. Decoded as UTF-8; U+FFFD replaces invalid
   * octets.
   */
  readonly nonAsciiDnsNames: readonly string[];
  /** IP addresses among the subject alternative names. */
  readonly ipAddresses: readonly string[];
  readonly hasSanExtension: boolean;
  readonly commonName?: string;
  /** Distinguished name on one line. */
  readonly subject: string;
  /** Distinguished name on one line. */
  readonly issuer: string;
  /** Lower-case hexadecimal without leading zeros; negative numbers begin with `-`. */
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** For example `rsa-2048`, `ecdsa-p256`, `ed25519`. */
  readonly keyType: string;
  readonly selfSigned: boolean;
  /** Whether the certificate may issue others. */
  readonly isAuthority: boolean;
  /** Whether clients require a stapled OCSP response (RFC 7633), which Google's load balancers do not send. */
  readonly mustStaple: boolean;
  /**
   * Validation type by the policies of the CA/Browser Forum (baseline requirements, 7.1.6.1). If a certificate has only
   * policies of its own CA, the type is determined by its subject.
   */
  readonly validation?: "DV" | "OV" | "IV" | "EV";
  /** Lower-case hexadecimal. */
  readonly fingerprintSha256: string;
  readonly pem: string;
}

const oid = {
  commonName: "2.5.4.3",
  serialNumber: "2.5.4.5",
  organizationName: "2.5.4.10",
  jurisdictionCountry: "1.3.6.1.4.1.311.60.2.1.3",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  certificatePolicies: "2.5.29.32",
  tlsFeature: "1.3.6.1.5.5.7.1.24",
} as const;

const validations: Readonly<Record<string, "DV" | "OV" | "IV" | "EV">> = {
  "2.23.140.1.1": "EV",
  "2.23.140.1.2.1": "DV",
  "2.23.140.1.2.2": "OV",
  "2.23.140.1.2.3": "IV",
};

/** Numbers of the TLS extensions `status_request` and `status_request_v2`. */
const stapleFeatures = new Set([5, 17]);

/**
 * Reads the facts of a certificate.
 *
 * Most facts are read from its octets: querying Node for each of them would take longer than Node takes to read the
 * whole certificate.
 *
 * @param certificate a certificate that {@link readCertificate} returned
 */
export function describeCertificate(certificate: X509Certificate): CertificateFacts {
  const structure = structureOf(certificate);
  if (structure === undefined) throw new BugError("a certificate that was not looked at is to be described");
  const { raw, extensions } = structure;
  const subject = readAttributes(raw, structure.subject);
  const commonName = subject.get(oid.commonName);
  const san = extensions.get(oid.subjectAlternativeName);
  const names =
    san === undefined
      ? { dns: nameFromCommonName(commonName), nonAsciiDns: [], ip: [] }
      : readAlternativeNames(raw, san);
  const validation = readValidation(raw, extensions.get(oid.certificatePolicies), subject);
  return {
    dnsNames: names.dns,
    nonAsciiDnsNames: names.nonAsciiDns,
    ipAddresses: names.ip,
    hasSanExtension: san !== undefined,
    ...defined({ commonName }),
    subject: onOneLine(certificate.subject),
    issuer: onOneLine(certificate.issuer),
    serialNumber: readInteger(raw, structure.serialNumber),
    notBefore: structure.notBefore,
    notAfter: structure.notAfter,
    keyType: readKeyType(raw, structure.publicKey, certificate),
    selfSigned: isSelfSigned(certificate),
    isAuthority: isAuthority(raw, extensions),
    mustStaple: wantsStaple(raw, extensions.get(oid.tlsFeature)),
    ...defined({ validation }),
    fingerprintSha256: createHash("sha256").update(raw).digest("hex"),
    // Computed on access, because most callers do not need it.
    get pem() {
      return toPem("CERTIFICATE", raw);
    },
  };
}

/** Returns the SHA-256 of the whole certificate, in lower-case hexadecimal. */
export function fingerprintOf({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(":", "").toLowerCase();
}

/**
 * Joins a distinguished name, for which Node writes one line for each part. Node returns undefined for an empty name.
 */
function onOneLine(name: string | undefined): string {
  return (name ?? "").split("\n").join(", ");
}

function readInteger(raw: Uint8Array, { start, end }: DerElement): string {
  const hex = Buffer.from(raw.buffer, raw.byteOffset + start, end - start).toString("hex");
  if (((raw[start] ?? 0) & 0x80) === 0) return hex.replace(/^0+(?=.)/, "");
  const magnitude = (1n << BigInt((end - start) * 8)) - BigInt(`0x${hex}`);
  return `-${magnitude.toString(16)}`;
}

function readValidation(
  raw: Uint8Array,
  extension: readonly DerElement[] | undefined,
  subject: ReadonlyMap<string, string>,
): CertificateFacts["validation"] {
  if (extension === undefined) return undefined;
  for (const policy of extension[0]?.children ?? []) {
    const identifier = policy.children[0];
    const found = identifier === undefined ? undefined : validations[readOid(raw, identifier)];
    if (found !== undefined) return found;
  }
  if (subject.has(oid.jurisdictionCountry) && subject.has(oid.serialNumber)) return "EV";
  return subject.has(oid.organizationName) ? "OV" : undefined;
}

function wantsStaple(raw: Uint8Array, extension: readonly DerElement[] | undefined): boolean {
  const features = extension?.[0]?.children ?? [];
  return features.some(
    ({ tag, start, end }) => tag === derTag.integer && end - start === 1 && stapleFeatures.has(raw[start] as number),
  );
}

/**
 * Returns whether a certificate is a CA certificate (RFC 5280, 4.2.1.9): `cA` is asserted, and a key usage, if present,
 * contains `keyCertSign`.
 */
function isAuthority(raw: Uint8Array, extensions: CertificateStructure["extensions"]): boolean {
  const asserted = extensions.get(oid.basicConstraints)?.[0]?.children[0];
  if (asserted?.tag !== derTag.boolean || raw[asserted.start] === 0) return false;
  const usage = extensions.get(oid.keyUsage);
  if (usage === undefined) return true;
  const keyCertSign = 0x04;
  const bits = usage[0];
  return (
    bits?.tag === derTag.bitString && bits.end - bits.start > 1 && ((raw[bits.start + 1] as number) & keyCertSign) !== 0
  );
}

function isSelfSigned(certificate: X509Certificate): boolean {
  if (certificate.issuer !== certificate.subject) return false;
  try {
    return certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}
