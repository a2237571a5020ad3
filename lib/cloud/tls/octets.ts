/**
 * Reads numbers and vectors in sequence, in the format of TLS (RFC 8446, section 3). Beyond the end, all values are
 * zero or empty and `overrun` becomes true, so that one check at the end is enough.
 */
export interface OctetReader {
  readonly uint8: () => number;
  readonly uint16: () => number;
  readonly octets: (count: number) => Uint8Array;
  /** Returns a vector with a length of one octet. */
  readonly vector8: () => Uint8Array;
  /** Returns a vector with a length of two octets. */
  readonly vector16: () => Uint8Array;
  readonly atEnd: () => boolean;
  readonly overrun: () => boolean;
}

export function readOctets(source: Uint8Array): OctetReader {
  let at = 0;
  let overrun = false;
  const uint8 = (): number => {
    const octet = source[at];
    if (octet === undefined) {
      overrun = true;
      return 0;
    }
    at += 1;
    return octet;
  };
  const uint16 = () => uint8() * 256 + uint8();
  const octets = (count: number): Uint8Array => {
    if (count > source.length - at) {
      overrun = true;
      at = source.length;
      return new Uint8Array();
    }
    at += count;
    return source.subarray(at - count, at);
  };
  return {
    uint8,
    uint16,
    octets,
    vector8: () => octets(uint8()),
    vector16: () => octets(uint16()),
    atEnd: () => at === source.length,
    overrun: () => overrun,
  };
}
