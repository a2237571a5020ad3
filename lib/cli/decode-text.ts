/**
 * Decodes bytes by their byte order mark and drops the mark: PowerShell's `>` writes UTF-16, or UTF-8 with a byte order
 * mark. Bytes without a mark are UTF-8. Invalid sequences become U+FFFD.
 */
export function decodeText(bytes: Buffer): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return decodeUtf16(bytes.subarray(2), "little");
  if (first === 0xfe && second === 0xff) return decodeUtf16(bytes.subarray(2), "big");
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  return bytes.toString("utf8", isMarked ? 3 : 0);
}

/** Decodes with `Buffer`, because a `TextDecoder` refuses UTF-16 of several hundred megabytes. */
function decodeUtf16(bytes: Buffer, endian: "little" | "big"): string {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const units = endian === "little" ? whole : Buffer.from(whole).swap16();
  return units.toString("utf16le") + (whole.length === bytes.length ? "" : "\uFFFD");
}
