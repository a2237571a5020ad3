/**
 * Text of bytes by the byte order mark before it, which is no part of it: PowerShell's `>` writes UTF-16, or UTF-8 with such a mark. Without one it is UTF-8.
 * What can't be decoded becomes U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
