import fc from "fast-check";
import { canonicalName, readDomainName } from "../../../lib/cloud/name-server";
import {
  isDomainAtOrBelow,
  isLabelStart,
  nameOctets,
  parentName,
  readName,
} from "../../../lib/cloud/name-server/domain-name";
import { cursorOver, UnreadableMessage } from "../../../lib/cloud/name-server/message-format";

const label = fc.uint8Array({ minLength: 1, maxLength: 12 });
const labels = fc.array(label, { maxLength: 8 });

/** A name as octets, from its labels. */
function octetsOf(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...parts.flatMap((part) => [Buffer.of(part.length), part]), Buffer.of(0)]);
}

function codeOf(text: string): string | undefined {
  const reading = readDomainName(text);
  return "problem" in reading ? reading.problem.code : undefined;
}

describe("text", () => {
  test.each([
    ["www.example.com.", "www.example.com."],
    [".", "."],
    ["*.Example.COM.", "*.Example.COM."],
    ["_acme-challenge.example.com.", "_acme-challenge.example.com."],
    ["a\\.b.example.", "a\\.b.example."],
    ["\\097bc.", "abc."],
    ["with\\032space.", "with\\032space."],
    ["with\\ space.", "with\\032space."],
    ["semi;colon.", "semi\\;colon."],
    [`${"a".repeat(63)}.`, `${"a".repeat(63)}.`],
    [`${`${"a".repeat(49)}.`.repeat(5)}aaa.`, `${`${"a".repeat(49)}.`.repeat(5)}aaa.`],
  ])("%s is parsed as the name %s", (text, name) => {
    expect(readDomainName(text)).toEqual({ name });
  });

  test.each([
    ["", "dns-name-empty"],
    ["www.example.com", "dns-name-relative"],
    ["www..example.com.", "dns-name-empty-label"],
    [".example.com.", "dns-name-empty-label"],
    ["..", "dns-name-empty-label"],
    ["bücher.example.", "dns-name-bad-character"],
    ["two words.", "dns-name-bad-character"],
    ["tab\t.", "dns-name-bad-character"],
    ["\\256.", "dns-name-bad-escape"],
    ["\\12.", "dns-name-bad-escape"],
    ["\\é.", "dns-name-bad-escape"],
    ["end\\", "dns-name-bad-escape"],
    ["end\\.", "dns-name-relative"],
    [`${"a".repeat(64)}.`, "dns-name-label-too-long"],
    [`${`${"a".repeat(49)}.`.repeat(5)}aaaa.`, "dns-name-too-long"],
  ])("%j is refused with %s", (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  test("the error states the name, the mistake and a remedy", () => {
    expect(readDomainName("www.example.com")).toEqual({
      problem: {
        code: "dns-name-relative",
        message: "domain name 'www.example.com' is relative: end it with a dot",
      },
    });
  });
});

test("every name has exactly one text form", () => {
  fc.assert(
    fc.property(labels, (parts) => {
      const octets = octetsOf(parts);
      const text = readName(cursorOver(octets));

      expect(text).toMatch(/^[!-~]+$/);
      expect(readDomainName(text)).toEqual({ name: text });
      expect(nameOctets(text)).toEqual(octets);
    }),
  );
});

test("a parsed name is unchanged after encoding and decoding", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "B", "-", ".", "\\", "0", "5", "2", ";", " ") }), (text) => {
      const reading = readDomainName(text);
      if ("problem" in reading) return;

      expect(readName(cursorOver(nameOctets(reading.name)))).toBe(reading.name);
    }),
  );
});

test("compression pointers refer to earlier names", () => {
  const message = Buffer.from("\x03com\0\x07example\xc0\0\x03www\xc0\x05", "latin1");

  expect(readName({ octets: message, at: 15, end: message.length })).toBe("www.example.com.");
});

test("decoding continues after the first pointer of a compressed name", () => {
  const cursor = { octets: Buffer.from("\x01a\0\xc0\0\x01b\xc0\x03!", "latin1"), at: 5, end: 10 };

  expect([readName(cursor), cursor.at]).toEqual(["b.a.", 9]);
});

test.each([
  ["a pointer to itself", "\xc0\x00", 0],
  ["a pointer forward", "\xc0\x02\x01a\0", 0],
  ["pointers in a circle", "\xc0\x02\xc0\x00", 2],
  ["a label and a pointer back to it", "\x01a\xc0\x00", 0],
  ["a label beyond the end of the message", "\x05abc", 0],
  ["no root", "\x01a", 0],
  ["nothing", "", 0],
  ["half a pointer", "\x01a\xc0", 0],
  ["a label of a reserved kind", "\x41a\0", 0],
  ["a name of 256 octets", `${`\x3f${"a".repeat(63)}`.repeat(4)}\0`, 0],
])("decoding fails on %s", (_, octets, at) => {
  const message = Buffer.from(octets, "latin1");

  expect(() => readName({ octets: message, at, end: message.length })).toThrow(UnreadableMessage);
});

test("decoding fails on more pointers than a name can have labels", () => {
  const message = Buffer.alloc(2 + 2 * 200);
  for (let index = 1; index <= 200; index++) message.writeUInt16BE(0xc000 | (2 * index - 2), 2 * index);

  expect(readName({ octets: message, at: 2 * 127, end: message.length })).toBe(".");
  expect(() => readName({ octets: message, at: 2 * 128, end: message.length })).toThrow(UnreadableMessage);
});

test("decoding fails on a pointer where compression is not allowed", () => {
  expect(() => readName({ octets: Buffer.from("\0\xc0\0", "latin1"), at: 1, end: 3 }, "uncompressed")).toThrow(
    UnreadableMessage,
  );
});

test("decoding ends with a name or an error for arbitrary octets", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (octets, at) => {
      const cursor = { octets: Buffer.from(octets), at, end: octets.length };
      let name: string | undefined;
      try {
        name = readName(cursor);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableMessage);
      }
      if (name !== undefined) expect(nameOctets(name).length).toBeLessThanOrEqual(255);
    }),
  );
});

describe("relations", () => {
  test.each([
    ["www.example.com.", "example.com."],
    ["com.", "."],
    [".", undefined],
    ["a\\.b.example.", "example."],
    ["a\\\\.b.", "b."],
  ])("the parent of %s is %s", (name, parent) => {
    expect(parentName(name)).toBe(parent);
  });

  test.each([
    ["www.example.com.", "example.com.", true],
    ["example.com.", "example.com.", true],
    ["example.com.", ".", true],
    ["example.com.", "www.example.com.", false],
    ["notexample.com.", "example.com.", false],
    ["not\\.example.com.", "example.com.", false],
    ["not\\\\.example.com.", "example.com.", true],
  ])("%s at or below %s is %s", (name, ancestor, expected) => {
    expect(isDomainAtOrBelow(name, ancestor)).toBe(expected);
  });

  test("labels are separated by dots that are not escaped", () => {
    const name = "a\\.b.c\\\\.d.";

    expect([...name].map((_, index) => index).filter((index) => isLabelStart(name, index))).toEqual([0, 5, 9]);
  });

  test("names are compared case-insensitively", () => {
    expect(canonicalName("WWW.Example.COM.")).toBe("www.example.com.");
  });
});
