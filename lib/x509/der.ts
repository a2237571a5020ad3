/** One element of DER: its tag byte, and where its content lies. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * The elements that follow one another in a piece of DER. Reading stops where the bytes make no sense, so that a damaged
 * certificate gives fewer elements rather than an error.
 *
 * Simple on purpose, as all that is built on it: most runs read so few certificates that making fast code of them would take longer than running
 * the slow one.
 *
 * Only this much is read here, because Node's own X509Certificate hands out no extensions, and a general ASN.1 parser takes
 * ten times as long as Node takes for the whole certificate.
 */
export function readElements(bytes: Uint8Array): readonly DerElement[] {
  const elements: DerElement[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const tag = bytes[at] as number;
    const first = bytes[at + 1] as number;
    let start = at + 2;
    let length = first;
    if (first >= 0x80) {
      const count = first & 0x7f;
      if (count === 0 || count > 4 || start + count > bytes.length) break;
      length = 0;
      for (let index = 0; index < count; index += 1) length = length * 256 + (bytes[start + index] as number);
      start += count;
    }
    if ((tag & 0x1f) === 0x1f || start + length > bytes.length) break;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** Dotted form of an object identifier. */
export function readOid(content: Uint8Array): string {
  let text = "";
  let value = 0;
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] as number;
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (text !== "") text += `.${value}`;
    else {
      const root = value < 40 ? 0 : value < 80 ? 1 : 2;
      text = `${root}.${value - root * 40}`;
    }
    value = 0;
  }
  return text;
}

/** Text of one octet a character. */
export function latin1(content: Uint8Array): string {
  // So many arguments fit into any call; certificates hardly ever hold a longer text.
  return content.length <= 1_024
    ? Reflect.apply(String.fromCharCode, undefined, content)
    : Buffer.from(content).toString("latin1");
}

export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  universalString: 0x1c,
  bmpString: 0x1e,
} as const;
