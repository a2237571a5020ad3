import { decode } from "dns-packet";
import fc from "fast-check";
import { nameOctets } from "../../../../lib/cloud/name-server/domain-name";
import { classIn, typeNumber } from "../../../../lib/cloud/name-server/message-format";
import {
  encodeRrdata,
  formatRrdata,
  isRecordType,
  parseRrdata,
  readRrdata,
  recordTypes,
  type ServedRecordType,
} from "../../../../lib/cloud/name-server/rrdata/rrdata";

/** Returns a response with one record at the root, decoded by another implementation. */
function messageOf(type: ServedRecordType, wire: Buffer): Buffer {
  const fixed = Buffer.alloc(11);
  fixed.writeUInt16BE(typeNumber(type) ?? 0, 1);
  fixed.writeUInt16BE(classIn, 3);
  fixed.writeUInt16BE(wire.length, 9);
  return Buffer.concat([Buffer.from("123484000000000100000000", "hex"), fixed, wire]);
}

/** Data in octets, no name compressed. */
function octetsOf(type: ServedRecordType, text: string): Buffer {
  const parts = encodeRrdata(type, parseRrdata(type, text));
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? nameOctets(part) : part)));
}

function problemOf(type: string, text: string): { code: string; message: string } | undefined {
  const reading = readRrdata(type, text);
  return "problem" in reading ? reading.problem : undefined;
}

describe("values", () => {
  test.each<[ServedRecordType, string, unknown]>([
    ["A", "192.0.2.1", { address: "192.0.2.1" }],
    ["AAAA", "2001:DB8::0:1", { address: "2001:db8::1" }],
    [
      "CAA",
      '0 issue "pki.goog; cansignhttpexchanges=yes"',
      { flags: 0, tag: "issue", value: "pki.goog; cansignhttpexchanges=yes" },
    ],
    ["CAA", '128 issuewild ";"', { flags: 128, tag: "issuewild", value: ";" }],
    ["CAA", "0 issue pki.goog", { flags: 0, tag: "issue", value: "pki.goog" }],
    ["CNAME", "www.example.com.", { target: "www.example.com." }],
    ["DNSKEY", "257 3 13 AQID BA==", { flags: 257, protocol: 3, algorithm: 13, publicKey: "AQIDBA==" }],
    ["DS", "1 13 2 00FF 0a", { keyTag: 1, algorithm: 13, digestType: 2, digest: "00ff0a" }],
    ["MX", "10 mail.example.com.", { preference: 10, exchange: "mail.example.com." }],
    ["MX", "0 .", { preference: 0, exchange: "." }],
    [
      "NAPTR",
      '100 10 "S" "SIP+D2U" "!^.*$!sip:a@b!" _sip._udp.example.com.',
      {
        order: 100,
        preference: 10,
        flags: "S",
        services: "SIP+D2U",
        regexp: "!^.*$!sip:a@b!",
        replacement: "_sip._udp.example.com.",
      },
    ],
    ["NS", "ns1.example.com.", { target: "ns1.example.com." }],
    ["PTR", "host.example.com.", { target: "host.example.com." }],
    [
      "SOA",
      "ns1.example.com. host\\.master.example.com. 4294967295 21600 3600 259200 300",
      {
        primaryServer: "ns1.example.com.",
        mailbox: "host\\.master.example.com.",
        serial: 4294967295,
        refreshSeconds: 21600,
        retrySeconds: 3600,
        expireSeconds: 259200,
        negativeTtlSeconds: 300,
      },
    ],
    ["SRV", "1 2 443 www.example.com.", { priority: 1, weight: 2, port: 443, target: "www.example.com." }],
    ["SSHFP", "4 2 00ff", { algorithm: 4, fingerprintType: 2, fingerprint: "00ff" }],
    ["TLSA", "3 1 1 00ff", { usage: 3, selector: 1, matchingType: 1, data: "00ff" }],
    ["TXT", '"one two" "three"', { strings: ["one two", "three"] }],
    ["TXT", "one two", { strings: ["one", "two"] }],
    ["TXT", '""', { strings: [""] }],
    ["TXT", '"a \\"quoted\\" word, \\\\ and \\065"', { strings: ['a "quoted" word, \\ and A'] }],
    ["TXT", '"é"', { strings: ["\u00c3\u00a9"] }],
    ["TXT", '\t"tab between"\t"words" ', { strings: ["tab between", "words"] }],
    ["TXT", `"${"x".repeat(255)}"`, { strings: ["x".repeat(255)] }],
    ["SPF", '"v=spf1 -all"', { strings: ["v=spf1 -all"] }],
  ])("parses and encodes %s %s", (type, text, value) => {
    expect(parseRrdata(type, text)).toEqual(value);
  });
});

describe("canonical text", () => {
  test.each<[ServedRecordType, string, string]>([
    ["AAAA", "2001:0DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["AAAA", "::", "::"],
    ["AAAA", "1::", "1::"],
    ["AAAA", "::1", "::1"],
    ["AAAA", "1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["AAAA", "1:0:0:2:0:0:3:4", "1::2:0:0:3:4"],
    ["AAAA", "1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
    ["AAAA", "::ffff:192.0.2.1", "::ffff:c000:201"],
    ["CAA", "0   issue pki.goog", '0 issue "pki.goog"'],
    ["TXT", "unquoted words", '"unquoted" "words"'],
    ["TXT", '"é"', '"\\195\\169"'],
    ["TXT", '"back\\\\slash \\"quote\\""', '"back\\\\slash \\"quote\\""'],
    ["MX", "010 mail.example.com.", "10 mail.example.com."],
    ["DS", "1 13 2 00FF", "1 13 2 00ff"],
    ["CNAME", "\\119ww.Example.com.", "www.Example.com."],
  ])("writes %s %s as %s", (type, text, canonical) => {
    expect(readRrdata(type, text)).toEqual({ rrdata: canonical });
  });
});

test.each([
  ["A", "192.0.2.256", "rrdata-bad-ipv4"],
  ["A", "192.0.2.01", "rrdata-bad-ipv4"],
  ["A", "192.0.2", "rrdata-bad-ipv4"],
  ["A", "2001:db8::1", "rrdata-bad-ipv4"],
  ["A", "", "rrdata-incomplete"],
  ["A", "192.0.2.1 192.0.2.2", "rrdata-too-long"],
  ["AAAA", "192.0.2.1", "rrdata-bad-ipv6"],
  ["AAAA", "fe80::1%eth0", "rrdata-bad-ipv6"],
  ["AAAA", "2001:db8:::1", "rrdata-bad-ipv6"],
  ["CNAME", "www.example.com", "dns-name-relative"],
  ["CNAME", "a..b.", "dns-name-empty-label"],
  ["CNAME", "www.example.com. 300", "rrdata-too-long"],
  ["CAA", "256 issue ca.example", "rrdata-bad-number"],
  ["CAA", "0 is-sue ca.example", "rrdata-bad-caa-tag"],
  ["CAA", "0 issue", "rrdata-incomplete"],
  ["CAA", "0 issue ca.example ; policy", "rrdata-too-long"],
  ["MX", "mail.example.com.", "rrdata-bad-number"],
  ["MX", "-1 mail.example.com.", "rrdata-bad-number"],
  ["MX", "65536 mail.example.com.", "rrdata-bad-number"],
  ["SOA", "ns1.example.com. hostmaster.example.com. 4294967296 1 1 1 1", "rrdata-bad-number"],
  ["SOA", "ns1.example.com. hostmaster.example.com. 1 1 1 1", "rrdata-incomplete"],
  ["DS", "1 13 2 00f", "rrdata-bad-binary"],
  ["DNSKEY", "257 3 13 AQI", "rrdata-bad-binary"],
  ["TXT", '"open', "rrdata-open-quote"],
  ["TXT", 'in"side', "rrdata-open-quote"],
  ["TXT", '"one""two"', "rrdata-open-quote"],
  ["TXT", "ends in \\", "rrdata-open-quote"],
  ["TXT", '"\\256"', "rrdata-bad-escape"],
  ["TXT", '"\\1"', "rrdata-bad-escape"],
  ["TXT", '"line\nbreak"', "rrdata-control-character"],
  ["TXT", "", "rrdata-incomplete"],
  ["TXT", `"${"x".repeat(256)}"`, "rrdata-string-too-long"],
  ["TXT", `"${"x".repeat(255)}" `.repeat(256), "rrdata-too-long"],
  ["TXT", '"x" '.repeat(75_001), "rrdata-too-long"],
  ["HTTPS", "1 . alpn=h2", "rrdata-unknown-type"],
  ["toString", "x", "rrdata-unknown-type"],
])("refuses %s %j with %s", (type, text, code) => {
  expect(problemOf(type, text)?.code).toBe(code);
});

test.each<[type: ServedRecordType, text: string]>([
  ["TXT", "x".repeat(9_000_000)],
  ["TXT", `"${"x".repeat(9_000_000)}"`],
  ["TXT", `"${"x".repeat(9_000_000)}`],
  ["DNSKEY", `1 2 3 ${"A".repeat(9_000_000)}`],
  ["CNAME", "a.".repeat(4_500_000)],
])("%s: refuses a text that is far too long before it is parsed", (type, text) => {
  const { code, message = "" } = problemOf(type, text) ?? {};

  expect(code).toBe("rrdata-too-long");
  expect(message).toMatch(/^record data '.{1,130}…' \(9\d{6} characters\) is longer than a record can be/);
});

test("TXT: parses the longest data with each octet as three digits", () => {
  const text = Array.from({ length: 255 }, () => `"${"\\001".repeat(255)}"`).join(" ");

  expect(readRrdata("TXT", text)).toEqual({ rrdata: text });
});

test.each([
  [
    "TXT",
    `"${"x".repeat(256)}" short`,
    "has a string of 256 octets: a string has at most 255; split it into several, each in quotation marks",
  ],
  ["MX", "70000 mail.example.com.", "has '70000' for a number: use 0 to 65535"],
])("%s: the error states the mistake and the allowed values", (type, text, end) => {
  const message = problemOf(type, text)?.message ?? "";

  expect(message.startsWith("record data '")).toBe(true);
  expect(message.endsWith(end)).toBe(true);
});

test("lists the supported types for an unknown type", () => {
  expect(problemOf("LOC", "x")?.message).toBe(
    "records of type 'LOC' can't be served: use one of A, AAAA, CAA, CNAME, DNSKEY, DS, MX, NAPTR, NS, PTR, SOA, SPF, SRV, SSHFP, TLSA, TXT",
  );
});

const name = fc
  .array(fc.stringMatching(/^[a-z0-9_-]{1,10}$/), { minLength: 1, maxLength: 4 })
  .map((labels) => `${labels.join(".")}.`);
const octets = fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 40 });
const [uint8, uint16, uint32] = [fc.nat(0xff), fc.nat(0xffff), fc.nat(0x7fffffff)];

const values: { readonly [T in ServedRecordType]?: fc.Arbitrary<unknown> } = {
  A: fc.record({ address: fc.ipV4() }),
  AAAA: fc.record({ address: fc.ipV6() }),
  CAA: fc.record({ flags: uint8, tag: fc.constantFrom("issue", "issuewild", "iodef"), value: octets }),
  CNAME: fc.record({ target: name }),
  MX: fc.record({ preference: uint16, exchange: name }),
  SOA: fc.record({
    primaryServer: name,
    mailbox: name,
    serial: uint32,
    refreshSeconds: uint32,
    retrySeconds: uint32,
    expireSeconds: uint32,
    negativeTtlSeconds: uint32,
  }),
  SRV: fc.record({ priority: uint16, weight: uint16, port: uint16, target: name }),
  TXT: fc.record({ strings: fc.array(octets, { minLength: 1, maxLength: 5 }) }),
};

describe("text, values and octets are equivalent", () => {
  test.each(Object.keys(values) as ServedRecordType[])("for %s", (type) => {
    fc.assert(
      fc.property(values[type]!, (value) => {
        const text = formatRrdata(type, value as Parameters<typeof formatRrdata<typeof type>>[1]);
        const canonical = formatRrdata(type, parseRrdata(type, text));
        const wire = octetsOf(type, text);

        expect(text).toMatch(/^[ -~]+$/);
        expect(octetsOf(type, canonical)).toEqual(wire);
        expect(decode(messageOf(type, wire)).answers).toMatchObject([{ type, name: "." }]);
        if (type !== "AAAA") expect(canonical).toBe(text);
      }),
    );
  });

  test("parses or refuses arbitrary text", () => {
    const unit = fc.constantFrom(...' "\\;.0159aZ-', "é", "\n", "example.com.");
    fc.assert(
      fc.property(fc.constantFrom(...recordTypes), fc.string({ unit, maxLength: 30 }), (type, text) => {
        const reading = readRrdata(type, text);
        if ("problem" in reading) expect(reading.problem.message).toMatch(/^[^\n]+$/);
        else expect(readRrdata(type, reading.rrdata)).toEqual(reading);
      }),
    );
  });
});

describe("encoding", () => {
  test.each<[ServedRecordType, string, string]>([
    ["A", "192.0.2.1", "c0000201"],
    ["CAA", '0 issue "ca"', "0005697373756563 61"],
    ["TXT", '"ab" ""', "02616200"],
    ["SRV", "1 2 3 a.", "000100020003016100"],
    ["DS", "1 2 3 ff", "00010203ff"],
  ])("of %s %s is %s", (type, text, hex) => {
    expect(octetsOf(type, text).toString("hex")).toBe(hex.replace(" ", ""));
  });

  test("compresses names of earlier types, but not of later types", () => {
    const kinds = (type: ServedRecordType, text: string) =>
      encodeRrdata(type, parseRrdata(type, text)).map((part) => typeof part);

    expect(kinds("MX", "1 a.")).toEqual(["object", "string"]);
    expect(kinds("SRV", "1 2 3 a.")).toEqual(["object", "object", "object", "object"]);
  });
});

test("distinguishes supported types from others", () => {
  expect(["A", "TXT", "HTTPS", "constructor"].map(isRecordType)).toEqual([true, true, false, false]);
});
