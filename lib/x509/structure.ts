import { type DerElement, derTag, readElements, readOid } from "./der";

/** The parts of a certificate (RFC 5280, 4.1) that are read here; each is the content of its element. */
export interface CertificateStructure {
  readonly serialNumber: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  /** Values by object identifier. */
  readonly extensions: ReadonlyMap<string, Uint8Array>;
}

const nothing = new Uint8Array();
const versionTag = 0xa0;
const extensionsTag = 0xa3;

/** Reads the parts of a certificate; nothing where they are not all there, or where a date makes no sense. */
export function readStructure(raw: Uint8Array): CertificateStructure | undefined {
  const certificate = readElements(raw)[0];
  const signed = readElements(certificate?.content ?? nothing)[0];
  const fields = readElements(signed?.content ?? nothing);
  // Certificates of version 1 don't state it.
  const first = fields[0]?.tag === versionTag ? 1 : 0;
  const [serialNumber, , , validity, subject, publicKey] = fields.slice(first);
  const [notBefore, notAfter] = readElements(validity?.content ?? nothing).map(readTime);
  if (serialNumber === undefined || subject === undefined || publicKey === undefined) return undefined;
  if (notBefore === undefined || notAfter === undefined) return undefined;
  return {
    serialNumber: serialNumber.content,
    notBefore,
    notAfter,
    subject: subject.content,
    publicKey: publicKey.content,
    extensions: readExtensions(fields.find(({ tag }) => tag === extensionsTag)),
  };
}

function readExtensions(wrapped: DerElement | undefined): ReadonlyMap<string, Uint8Array> {
  const sequence = readElements(wrapped?.content ?? nothing)[0];
  const extensions = new Map<string, Uint8Array>();
  for (const extension of readElements(sequence?.content ?? nothing)) {
    const parts = readElements(extension.content);
    const value = parts.at(-1);
    if (parts[0]?.tag === derTag.oid && value?.tag === derTag.octetString) {
      extensions.set(readOid(parts[0].content), value.content);
    }
  }
  return extensions;
}

const timeForm = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:\.\d+)?(?:Z|([+-])(\d\d)(\d\d))$/;

/**
 * UTCTime or GeneralizedTime. RFC 5280 (4.1.2.5) wants seconds, no fraction and `Z`; older certificates have been made otherwise, and OpenSSL reads
 * them.
 */
function readTime({ tag, content }: DerElement): Date | undefined {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
  const yearDigits = tag === derTag.utcTime ? 2 : tag === derTag.generalizedTime ? 4 : 0;
  const match = timeForm.exec(text.slice(yearDigits));
  const given = text.slice(0, yearDigits);
  if (yearDigits === 0 || match === null || !/^\d+$/.test(given)) return undefined;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 6).map((digits) => Number(digits ?? 0));
  const year = yearDigits === 4 ? Number(given) : Number(given) + (Number(given) < 50 ? 2000 : 1900);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // What is beyond the month's end would be taken for a day of the next.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetMinutes = (Number(match[7] ?? 0) * 60 + Number(match[8] ?? 0)) * (match[6] === "-" ? -1 : 1);
  date.setUTCHours(hour, minute - offsetMinutes, second);
  return date;
}
