import type { KeyObject, X509Certificate } from "node:crypto";
import { InputError, type Problem } from "../errors";
import {
  isCertificateBlock,
  readCertificate,
  readPemBlocks,
  refusalOfCertificate,
  unreadableCertificate,
} from "../x509";
import { publicPartsOf } from "./beside";
import { children, forge, looksLikePkcs12, oidText, parseDer, readPkcs12 } from "./pkcs12";

interface FileContent {
  readonly certificates: readonly X509Certificate[];
  readonly problems: readonly Problem[];
  /** The public parts of private keys in PEM. @default - none */
  readonly publicKeys?: readonly KeyObject[];
}

/** Tag of a SEQUENCE, the first octet of every DER structure read here. */
const sequenceTag = 0x30;
const signedDataOid = "1.2.840.113549.1.7.2";

/**
 * Reads a file by its content, whatever its name: PEM, DER, PKCS#7 (RFC 2315) or PKCS#12.
 *
 * @throws InputError if the file has none of these formats, or cannot be decrypted
 */
export function readContainer(bytes: Uint8Array, passwords: readonly string[]): FileContent {
  const text = decodeText(bytes);
  if (text !== undefined) return readPem(text);
  const single = readCertificate(bytes);
  if (single !== undefined) return { certificates: [single], problems: [] };
  if (bytes[0] !== sequenceTag) throw notACertificate();
  const bundle = readPkcs7(bytes);
  if (bundle !== undefined) return bundle;
  if (looksLikePkcs12(bytes)) return decodeAll(guard(() => readPkcs12(bytes, passwords)));
  if (refusalOfCertificate(bytes) !== undefined)
    return { certificates: [], problems: [unreadableCertificate(bytes, "")] };
  throw notACertificate();
}

/** Returns the text of a PEM file, in UTF-8 or in the UTF-16 that Windows writes. */
function decodeText(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = utf16 ? buffer.toString("utf16le") : buffer.includes("-----BEGIN ") ? buffer.toString("utf8") : "";
  return text.includes("-----BEGIN ") ? text : undefined;
}

function readPem(text: string): FileContent {
  const { blocks, problems } = readPemBlocks(text);
  const certificates: X509Certificate[] = [];
  const found: Problem[] = [...problems];
  for (const block of blocks) {
    if (block.label === "PKCS7" || block.label === "CMS") {
      const bundle = readPkcs7(block.der);
      if (bundle === undefined) found.push(damaged(block.line, "PKCS#7"));
      else certificates.push(...bundle.certificates);
    } else if (isCertificateBlock(block)) {
      const certificate = readCertificate(block.der);
      if (certificate === undefined) found.push(unreadableCertificate(block.der, `line ${block.line}: `));
      else certificates.push(certificate);
    }
  }
  return { certificates, problems: found, publicKeys: publicPartsOf(blocks) };
}

function damaged(line: number, what: string): Problem {
  return { code: "certificate-file-unreadable", message: `line ${line}: this is not ${what}; fetch the file again` };
}

/** Returns the certificates of a signed-data message; undefined if the file is another structure. */
function readPkcs7(bytes: Uint8Array): FileContent | undefined {
  try {
    const { toDer, Class } = forge().asn1;
    const [type, wrapped] = children(parseDer(bytes));
    if (oidText(type) !== signedDataOid) return undefined;
    const signedData = children(wrapped)[0];
    const set = children(signedData).find(
      ({ tagClass, type: tag }) => tagClass === Class.CONTEXT_SPECIFIC && Number(tag) === 0,
    );
    return decodeAll(children(set).map((certificate) => Buffer.from(toDer(certificate).getBytes(), "binary")));
  } catch {
    return undefined;
  }
}

function decodeAll(encoded: readonly Uint8Array[]): FileContent {
  const certificates: X509Certificate[] = [];
  const problems: Problem[] = [];
  for (const [index, der] of encoded.entries()) {
    const certificate = readCertificate(der);
    if (certificate !== undefined) certificates.push(certificate);
    // Other elements are ignored; a malformed certificate is in use somewhere and has to be reported.
    else if (refusalOfCertificate(der) !== undefined)
      problems.push(unreadableCertificate(der, `certificate ${index + 1}: `));
  }
  return { certificates, problems };
}

function guard<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw notACertificate();
  }
}

function notACertificate(): InputError {
  return new InputError(
    "certificate-file-unknown",
    "it is neither PEM, DER, PKCS#7 nor PKCS#12; name certificate files or folders of them",
  );
}
