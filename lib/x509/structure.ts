import type { X509Certificate } from "node:crypto";
import { type DerElement, derTag, latin1, readElements, readOid } from "./der";

/** The parts of a certificate (RFC 5280, 4.1) that are read here. */
export interface CertificateStructure {
  /** The whole certificate in DER. Positions of elements are relative to its first octet. */
  readonly raw: Uint8Array;
  readonly serialNumber: DerElement;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly subject: DerElement;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: DerElement;
  /** The content of each extension, by object identifier. */
  readonly extensions: ReadonlyMap<string, readonly DerElement[]>;
}

const versionTag = 0xa0;
const extensionsTag = 0xa3;

/**
 * The certificate that was read last, because it is described next. To remember all of them took a twentieth of the
 * inventory of 1,000 files.
 */
let latest: { readonly certificate: X509Certificate; readonly structure: CertificateStructure } | undefined;

/**
 * Returns the parts of a certificate; undefined if a part is missing or a date is invalid.
 *
 * @param octets octets of the certificate, if the caller has them; octets after the certificate are ignored
 */
export function structureOf(certificate: X509Certificate, octets?: Uint8Array): CertificateStructure | undefined {
  if (latest?.certificate === certificate) return latest.structure;
  const der = octets ?? certificate.raw;
  // Slicing a plain Uint8Array is faster than slicing a Buffer.
  const structure = readStructure(new Uint8Array(der.buffer, der.byteOffset, der.byteLength));
  if (structure !== undefined) latest = { certificate, structure };
  return structure;
}

/** Returns whether octets have the structure of a certificate, whatever its content. */
export function hasCertificateForm(der: Uint8Array): boolean {
  try {
    return readStructure(new Uint8Array(der.buffer, der.byteOffset, der.byteLength)) !== undefined;
  } catch {
    return false;
  }
}

function readStructure(der: Uint8Array): CertificateStructure | undefined {
  const certificate = readElements(der, 0, der.length)[0];
  const fields = certificate?.children[0]?.children;
  if (certificate === undefined || fields === undefined) return undefined;
  // Certificates of version 1 have no version field.
  const first = fields[0]?.tag === versionTag ? 1 : 0;
  const serialNumber = fields[first];
  const validity = fields[first + 3]?.children;
  const subject = fields[first + 4];
  const publicKey = fields[first + 5];
  const notBefore = readTime(der, validity?.[0]);
  const notAfter = readTime(der, validity?.[1]);
  if (serialNumber === undefined || subject === undefined || publicKey === undefined) return undefined;
  if (notBefore === undefined || notAfter === undefined) return undefined;
  const raw = der.subarray(0, certificate.end);
  const extensions = readExtensions(raw, fields[fields.length - 1]);
  return { raw, serialNumber, notBefore, notAfter, subject, publicKey, extensions };
}

function readExtensions(raw: Uint8Array, last: DerElement | undefined): ReadonlyMap<string, readonly DerElement[]> {
  const extensions = new Map<string, readonly DerElement[]>();
  if (last?.tag !== extensionsTag) return extensions;
  for (const { children } of last.children[0]?.children ?? []) {
    const type = children[0];
    const value = children[children.length - 1];
    if (type?.tag === derTag.oid && value?.tag === derTag.octetString) {
      extensions.set(readOid(raw, type), readElements(raw, value.start, value.end));
    }
  }
  return extensions;
}

/** Some older certificates omit the seconds, or contain fractions and time zones. */
const timeForm = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)(\.\d+)?)?(?:Z|([+-]\d\d)(\d\d))$/;

/**
 * Reads UTCTime or GeneralizedTime. RFC 5280 (4.1.2.5) requires seconds, no fraction and `Z`. Other forms are read as
 * OpenSSL reads them.
 */
function readTime(der: Uint8Array, element: DerElement | undefined): Date | undefined {
  if (element === undefined) return undefined;
  const isShort = element.tag === derTag.utcTime;
  if (!isShort && element.tag !== derTag.generalizedTime) return undefined;
  const text = latin1(der, element);
  const match = timeForm.exec(isShort ? `${text < "5" ? "20" : "19"}${text}` : text);
  if (match === null || (isShort && match[7] !== undefined)) return undefined;
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6] ?? 0);
  const date = new Date(0);
  date.setUTCFullYear(Number(match[1]), month - 1, day);
  // Date would otherwise move a day after the end of the month into the next month.
  if (date.getUTCMonth() !== month - 1) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const timeMs = (hour * 60 + minute) * 60_000 + second * 1_000 + Math.floor(Number(match[7] ?? 0) * 1_000);
  return new Date(date.getTime() + timeMs - offsetMs(match[8], match[9]));
}

function offsetMs(hours: string | undefined, minutes: string | undefined): number {
  if (hours === undefined) return 0;
  return (Number(hours) * 60 + Number(`${hours[0]}${minutes}`)) * 60_000;
}
