/** Reversed polynomial of CRC32C (RFC 3720, appendix B.4), which Node's `zlib.crc32` does not calculate. */
const polynomial = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ polynomial : remainder >>> 1;
  return remainder;
});

/** Returns the CRC32C checksum of content as the service writes it: four bytes, the highest first, in Base64. */
export function crc32cOf(content: Uint8Array): string {
  let checksum = 0xffffffff;
  for (const byte of content) checksum = (checksum >>> 8) ^ (table[(checksum ^ byte) & 0xff] ?? 0);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(~checksum >>> 0);
  return bytes.toString("base64");
}
