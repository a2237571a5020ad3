/** One element of DER: its tag octet, where its content lies among the octets it was read from, and the elements in it. */
export interface DerElement {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
  /** Of a constructed element; empty for others. */
  readonly children: readonly DerElement[];
}

const nothing: readonly DerElement[] = [];
const constructed = 0x20;
/** Certificates nest twelve deep where they are oddest. */
const maxDepth = 32;

/**
 * The elements that follow one another in a stretch of DER, with all that is in them. Reading stops where the octets make no sense, so that a damaged
 * certificate gives fewer elements rather than an error.
 *
 * Only this much is read here, because Node's own X509Certificate hands out no extensions, and a general ASN.1 parser takes
 * ten times as long as Node takes for the whole certificate.
 */
export function readElements(bytes: Uint8Array, from: number, to: number, depth = 0): readonly DerElement[] {
  if (depth === maxDepth) return nothing;
  const elements: DerElement[] = [];
  let at = from;
  while (at + 2 <= to) {
    const tag = bytes[at] as number;
    let length = bytes[at + 1] as number;
    let start = at + 2;
    if (length >= 0x80) {
      const count = length & 0x7f;
      if (count === 0 || count > 4 || start + count > to) break;
      length = 0;
      for (const last = start + count; start < last; start += 1) length = length * 256 + (bytes[start] as number);
    }
    const end = start + length;
    if ((tag & 0x1f) === 0x1f || end > to) break;
    const children = (tag & constructed) === 0 ? nothing : readElements(bytes, start, end, depth + 1);
    elements.push({ tag, start, end, children });
    at = end;
  }
  return elements;
}

/** Dotted form of an object identifier. */
export function readOid(bytes: Uint8Array, { start, end }: DerElement): string {
  let text = "";
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
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

/** Content as text of one octet a character. */
export function latin1(bytes: Uint8Array, { start, end }: DerElement): string {
  // So many arguments fit into any call; certificates hardly ever hold a longer text.
  return end - start <= 1_024
    ? Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, end))
    : Buffer.from(bytes.subarray(start, end)).toString("latin1");
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
