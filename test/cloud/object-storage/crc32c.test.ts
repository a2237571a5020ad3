import { crc32cOf } from "../../../lib/cloud/object-storage/crc32c";

test.each([
  ["no bytes", Buffer.alloc(0), 0x00000000],
  ["the digits 1 to 9 (the check value of the algorithm)", Buffer.from("123456789"), 0xe3069283],
  ["32 bytes of zeros (RFC 3720, appendix B.4)", Buffer.alloc(32), 0x8a9136aa],
  ["32 bytes of ones (RFC 3720, appendix B.4)", Buffer.alloc(32, 0xff), 0x62a8ab43],
])("has the published checksum of %s", (_, content, expected) => {
  expect(Buffer.from(crc32cOf(content), "base64").readUInt32BE()).toBe(expected);
});
