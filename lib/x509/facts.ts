import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { readHostname } from "../hostnames";
import { type DerElement, derTag, readElements, readOid } from "./der";

/** What a migration needs to know of a certificate. */
export interface CertificateFacts {
  /**
   * DNS names that it is for: the subject alternative names in lower case without trailing dot, sorted, each once; where there is no such extension,
   * the common name if it is a host name.
   */
  readonly dnsNames: readonly string[];
  /** IP addresses among the subject alternative names. */
  readonly ipAddresses: readonly string[];
  readonly hasSanExtension: boolean;
  readonly commonName?: string;
  /** Distinguished name on one line. */
  readonly subject: string;
  /** Distinguished name on one line. */
  readonly issuer: string;
  /** Lower-case hexadecimal without leading zeros. */
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** As in `rsa-2048`, `ecdsa-p256`, `ed25519`. */
  readonly keyType: string;
  readonly selfSigned: boolean;
  /** Whether it may issue others. */
  readonly isAuthority: boolean;
  /** Whether clients want a stapled OCSP answer (RFC 7633), which Google's load balancers don't give. */
  readonly mustStaple: boolean;
  /** What the authority validated, by the policies of the CA/Browser Forum. */
  readonly validation?: "DV" | "OV" | "IV" | "EV";
  /** Lower-case hexadecimal. */
  readonly fingerprintSha256: string;
  readonly pem: string;
}

const oid = {
  commonName: "2.5.4.3",
  subjectAlternativeName: "2.5.29.17",
  certificatePolicies: "2.5.29.32",
  tlsFeature: "1.3.6.1.5.5.7.1.24",
} as const;

const validations: Readonly<Record<string, "DV" | "OV" | "IV" | "EV">> = {
  "2.23.140.1.1": "EV",
  "2.23.140.1.2.1": "DV",
  "2.23.140.1.2.2": "OV",
  "2.23.140.1.2.3": "IV",
};

const statusRequestFeature = 5;
const curves: Readonly<Record<string, string>> = { prime256v1: "p256", secp384r1: "p384", secp521r1: "p521" };

/** Reads the facts of a certificate. */
export function describeCertificate(certificate: X509Certificate): CertificateFacts {
  const { subject, extensions } = readStructure(certificate.raw);
  const commonName = readCommonName(subject);
  const san = extensions.get(oid.subjectAlternativeName);
  const names = san === undefined ? { dns: [], ip: [] } : readAlternativeNames(san);
  const validation = readPolicies(extensions.get(oid.certificatePolicies));
  return {
    dnsNames: san === undefined ? nameFromCommonName(commonName) : names.dns,
    ipAddresses: names.ip,
    hasSanExtension: san !== undefined,
    ...(commonName === undefined ? {} : { commonName }),
    // An empty name is no text at all.
    subject: (certificate.subject ?? "").split("\n").join(", "),
    issuer: (certificate.issuer ?? "").split("\n").join(", "),
    serialNumber: certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, ""),
    notBefore: new Date(certificate.validFrom),
    notAfter: new Date(certificate.validTo),
    keyType: keyTypeOf(certificate),
    selfSigned: isSelfSigned(certificate),
    isAuthority: certificate.ca,
    mustStaple: hasStatusRequest(extensions.get(oid.tlsFeature)),
    ...(validation === undefined ? {} : { validation }),
    fingerprintSha256: certificate.fingerprint256.replace(/:/g, "").toLowerCase(),
    pem: certificate.toString(),
  };
}

interface Structure {
  readonly subject: Uint8Array;
  readonly extensions: ReadonlyMap<string, Uint8Array>;
}

/** RFC 5280, 4.1: the subject is the sixth field of the signed part, or the fifth where no version is stated. */
function readStructure(raw: Uint8Array): Structure {
  const certificate = readElements(raw)[0];
  const signed = readElements(certificate?.content ?? new Uint8Array())[0];
  const fields = readElements(signed?.content ?? new Uint8Array());
  const versionTag = 0xa0;
  const extensionsTag = 0xa3;
  const subjectIndex = fields[0]?.tag === versionTag ? 5 : 4;
  const wrapped = fields.find(({ tag }) => tag === extensionsTag);
  const sequence = readElements(wrapped?.content ?? new Uint8Array())[0];
  const extensions = new Map<string, Uint8Array>();
  for (const extension of readElements(sequence?.content ?? new Uint8Array())) {
    const parts = readElements(extension.content);
    const value = parts.at(-1);
    if (parts[0]?.tag === derTag.oid && value?.tag === derTag.octetString) {
      extensions.set(readOid(parts[0].content), value.content);
    }
  }
  return { subject: fields[subjectIndex]?.content ?? new Uint8Array(), extensions };
}

/** The last common name of the subject, which is the most specific one. */
function readCommonName(subject: Uint8Array): string | undefined {
  let commonName: string | undefined;
  for (const relative of readElements(subject)) {
    for (const attribute of readElements(relative.content)) {
      const [type, value] = readElements(attribute.content);
      if (type?.tag === derTag.oid && value !== undefined && readOid(type.content) === oid.commonName) {
        commonName = readText(value);
      }
    }
  }
  return commonName;
}

function readText({ tag, content }: DerElement): string {
  const bmpString = 0x1e;
  if (tag === bmpString) return Buffer.from(content).swap16().toString("utf16le");
  return Buffer.from(content).toString(tag === derTag.utf8String ? "utf8" : "latin1");
}

function nameFromCommonName(commonName: string | undefined): readonly string[] {
  if (commonName === undefined || isIP(commonName) !== 0) return [];
  const read = readHostname(commonName);
  return "hostname" in read ? [read.hostname] : [];
}

function readAlternativeNames(extension: Uint8Array): {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
} {
  const dnsTag = 0x82;
  const ipTag = 0x87;
  const dns = new Set<string>();
  const ip = new Set<string>();
  for (const { tag, content } of readElements(readElements(extension)[0]?.content ?? new Uint8Array())) {
    if (tag === dnsTag) dns.add(Buffer.from(content).toString("latin1").toLowerCase().replace(/\.$/, ""));
    else if (tag === ipTag) ip.add(readAddress(content));
  }
  return { dns: [...dns].sort(), ip: [...ip].sort() };
}

function readAddress(content: Uint8Array): string {
  if (content.length === 4) return content.join(".");
  if (content.length !== 16) return Buffer.from(content).toString("hex");
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((content[index * 2] as number) << 8) | (content[index * 2 + 1] as number)).toString(16),
  );
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function readPolicies(extension: Uint8Array | undefined): CertificateFacts["validation"] {
  if (extension === undefined) return undefined;
  for (const policy of readElements(readElements(extension)[0]?.content ?? new Uint8Array())) {
    const identifier = readElements(policy.content)[0];
    const found = identifier === undefined ? undefined : validations[readOid(identifier.content)];
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasStatusRequest(extension: Uint8Array | undefined): boolean {
  if (extension === undefined) return false;
  const features = readElements(readElements(extension)[0]?.content ?? new Uint8Array());
  return features.some(
    ({ tag, content }) => tag === derTag.integer && content.length === 1 && content[0] === statusRequestFeature,
  );
}

function keyTypeOf(certificate: X509Certificate): string {
  try {
    const key = certificate.publicKey;
    const details = key.asymmetricKeyDetails;
    switch (key.asymmetricKeyType) {
      case "rsa":
      case "rsa-pss":
        return `${key.asymmetricKeyType}-${details?.modulusLength}`;
      case "ec":
        return `ecdsa-${curves[details?.namedCurve ?? ""] ?? details?.namedCurve}`;
      default:
        return key.asymmetricKeyType ?? "unknown";
    }
  } catch {
    // A key of a kind that OpenSSL does not know.
    return "unknown";
  }
}

function isSelfSigned(certificate: X509Certificate): boolean {
  if (certificate.issuer !== certificate.subject) return false;
  try {
    return certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}
