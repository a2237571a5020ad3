/** One element of DER: its tag octet, the position of its content in the octets, and its child elements. */
export interface DerElement {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
  /** Children of a constructed element; empty for other elements. */
  readonly children: readonly DerElement[];
}

const nothing: readonly DerElement[] = [];
const constructed = 0x20;

/** Reads its children when they are first asked for: most parts of a certificate never are. */
class Element implements DerElement {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
  private readonly bytes: Uint8Array;
  private known: readonly DerElement[] | undefined;

  constructor(bytes: Uint8Array, tag: number, start: number, end: number) {
    this.bytes = bytes;
    this.tag = tag;
    this.start = start;
    this.end = end;
    this.known = (tag & constructed) === 0 ? nothing : undefined;
  }

  get children(): readonly DerElement[] {
    this.known ??= readElements(this.bytes, this.start, this.end);
    return this.known;
  }
}

/**
 * Reads consecutive elements of DER. Reading stops at the first invalid octets, so that a damaged certificate gives
 * fewer elements instead of an error.
 *
 * This reader is minimal. Node's own X509Certificate does not expose extensions, and a general ASN.1 parser takes ten
 * times as long as Node takes for the whole certificate.
 */
export function readElements(bytes: Uint8Array, from: number, to: number): readonly DerElement[] {
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
    elements.push(new Element(bytes, tag, start, end));
    at = end;
  }
  return elements;
}

/** Returns the dotted form of an object identifier. */
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

/** Returns the content as text, with one character for each octet. */
export function latin1(bytes: Uint8Array, { start, end }: DerElement): string {
  // A function call accepts this many arguments; certificates hardly ever contain a longer text.
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
