import { isIP } from "node:net";
import { readHostname } from "../hostnames";
import { type DerElement, derTag, latin1, readOid } from "./der";

/**
 * Returns the attributes of a distinguished name by object identifier. If an attribute occurs several times, the last
 * value counts, which is the most specific.
 */
export function readAttributes(raw: Uint8Array, name: DerElement): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const relative of name.children) {
    for (const { children } of relative.children) {
      const type = children[0];
      const value = children[1];
      if (type?.tag === derTag.oid && value !== undefined) attributes.set(readOid(raw, type), readText(raw, value));
    }
  }
  return attributes;
}

/**
 * Decodes text of any of the string types of ASN.1. Teletex is decoded as Latin-1, which certificates contain in
 * practice. Text that violates its type never gets here, because OpenSSL refuses the certificate.
 */
function readText(raw: Uint8Array, element: DerElement): string {
  const { tag, start, end } = element;
  if (tag === derTag.bmpString) return Buffer.from(raw.subarray(start, end)).swap16().toString("utf16le");
  if (tag === derTag.universalString) return readUcs4(Buffer.from(raw.subarray(start, end)));
  const text = latin1(raw, element);
  return tag !== derTag.utf8String || isAscii(text) ? text : Buffer.from(text, "latin1").toString("utf8");
}

function readUcs4(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) text += String.fromCodePoint(bytes.readUInt32BE(at));
  return text;
}

/** Returns the DNS name of a common name, for certificates without alternative names; empty if it is not a hostname. */
export function nameFromCommonName(commonName: string | undefined): readonly string[] {
  if (commonName === undefined || isIP(commonName) !== 0) return [];
  const read = readHostname(commonName);
  return "hostname" in read ? [read.hostname] : [];
}

/** The content of the subject alternative names, sorted and without duplicates. */
export interface AlternativeNames {
  /** In lower case without trailing dot. */
  readonly dns: readonly string[];
  /** Names that are not ASCII, which no client accepts as a name. Decoded as UTF-8; U+FFFD replaces invalid octets. */
  readonly nonAsciiDns: readonly string[];
  readonly ip: readonly string[];
}

/** Reads the subject alternative names. @param extension the content of the extension */
export function readAlternativeNames(raw: Uint8Array, extension: readonly DerElement[]): AlternativeNames {
  const dnsTag = 0x82;
  const ipTag = 0x87;
  const dns = new Set<string>();
  const nonAsciiDns = new Set<string>();
  const ip = new Set<string>();
  for (const name of extension[0]?.children ?? []) {
    if (name.tag === dnsTag) {
      const text = latin1(raw, name);
      if (isAscii(text)) dns.add(text.toLowerCase().replace(/\.$/, ""));
      else nonAsciiDns.add(Buffer.from(text, "latin1").toString("utf8"));
    } else if (name.tag === ipTag) ip.add(readAddress(raw.subarray(name.start, name.end)));
  }
  return { dns: [...dns].sort(), nonAsciiDns: [...nonAsciiDns].sort(), ip: [...ip].sort() };
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Formats an IP address; hexadecimal if the octets are not an address, as in name constraints. */
function readAddress(content: Uint8Array): string {
  if (content.length === 4) return content.join(".");
  if (content.length !== 16) return Buffer.from(content).toString("hex");
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((content[index * 2] as number) << 8) | (content[index * 2 + 1] as number)).toString(16),
  );
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
