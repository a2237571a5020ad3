import { encode } from "dns-packet";
import fc from "fast-check";
import { type DnsQuestion, encodeQuery, readAnswer } from "../../lib/dns/message";

const question: DnsQuestion = { name: "shop.com", type: "A", recursive: true, checkingDisabled: false };
const genuine = encode({
  type: "response",
  id: 7,
  questions: [{ type: "A", name: "shop.com" }],
  answers: [
    { type: "A", name: "shop.com", ttl: 60, data: "192.0.2.1" },
    { type: "CNAME", name: "www.shop.com", ttl: 60, data: "shop.com" },
  ],
});

test("decodes or ignores arbitrary octets, and never throws", () => {
  const anything = fc.uint8Array({ maxLength: 300 }).map((octets) => Buffer.from([0, 7, ...octets]));
  const damaged = fc
    .tuple(fc.nat(genuine.length - 1), fc.nat(255), fc.nat(genuine.length))
    .map(([place, octet, length]) => {
      const copy = Buffer.from(genuine);
      copy[place] = octet;
      return copy.subarray(0, length);
    });
  fc.assert(
    fc.property(fc.oneof(anything, damaged), (octets) => {
      const read = readAnswer(octets, question, 7);
      expect(read === undefined || read === "unreadable" || Array.isArray(read.answers)).toBe(true);
    }),
  );
});

test("encodes recursion desired, checking disabled and the EDNS payload size in a query", () => {
  const flags = (change: Partial<DnsQuestion>) => encodeQuery({ ...question, ...change }, 7).readUInt16BE(2);
  expect(flags({})).toBe(0x0100);
  expect(flags({ recursive: false, checkingDisabled: true })).toBe(0x0010);
  // The OPT record at the end: root, type 41, 1,232 octets.
  expect(encodeQuery(question, 7).subarray(-11, -6).toString("hex")).toBe("00002904d0");
});
