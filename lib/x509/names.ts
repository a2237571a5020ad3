import { isIP } from "node:net";
import { readHostname } from "../hostnames";
import { type DerElement, derTag, latin1, readElements, readOid } from "./der";

/**
 * Attributes of a distinguished name by object identifier; of several of one kind the last, which is the most specific one.
 *
 * @param name content of the name
 */
export function readAttributes(name: Uint8Array): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const relative of readElements(name)) {
    for (const attribute of readElements(relative.content)) {
      const parts = readElements(attribute.content);
      const type = parts[0];
      const value = parts[1];
      if (type?.tag === derTag.oid && value !== undefined) attributes.set(readOid(type.content), readText(value));
    }
  }
  return attributes;
}

/**
 * Text of any of the string types of ASN.1; Teletex is read as Latin-1, which is what was written in it. A text that breaks the rules of its type has
 * kept OpenSSL from reading the certificate.
 */
function readText({ tag, content }: DerElement): string {
  if (tag === derTag.bmpString) return Buffer.from(content).swap16().toString("utf16le");
  if (tag === derTag.universalString) return readUcs4(Buffer.from(content));
  const text = latin1(content);
  const isAscii = tag !== derTag.utf8String || /^[\0-\x7f]*$/.test(text);
  return isAscii ? text : Buffer.from(content).toString("utf8");
}

function readUcs4(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) text += String.fromCodePoint(bytes.readUInt32BE(at));
  return text;
}

/** The name that a common name stands for where there are no alternative names; none where it is no host name. */
export function nameFromCommonName(commonName: string | undefined): readonly string[] {
  if (commonName === undefined || isIP(commonName) !== 0) return [];
  const read = readHostname(commonName);
  return "hostname" in read ? [read.hostname] : [];
}

/**
 * DNS names and IP addresses among the subject alternative names, each once and sorted; DNS names in lower case without trailing dot.
 *
 * @param extension value of the extension
 */
export function readAlternativeNames(extension: Uint8Array): {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
} {
  const dnsTag = 0x82;
  const ipTag = 0x87;
  const dns = new Set<string>();
  const ip = new Set<string>();
  for (const { tag, content } of readElements(readElements(extension)[0]?.content ?? new Uint8Array())) {
    if (tag === dnsTag) dns.add(latin1(content).toLowerCase().replace(/\.$/, ""));
    else if (tag === ipTag) ip.add(readAddress(content));
  }
  return { dns: [...dns].sort(), ip: [...ip].sort() };
}

/** Hexadecimal where it is no address, as in name constraints. */
function readAddress(content: Uint8Array): string {
  if (content.length === 4) return content.join(".");
  if (content.length !== 16) return Buffer.from(content).toString("hex");
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((content[index * 2] as number) << 8) | (content[index * 2 + 1] as number)).toString(16),
  );
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
