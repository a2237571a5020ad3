import fc from "fast-check";
import { readClientHello } from "../../../lib/cloud/tls/client-hello";
import { type HelloParts, helloBody } from "../../support/client-hello";

const bytes = (hex: string) => Buffer.from(hex, "hex");

test("reads everything by which a server selects from a hello", () => {
  const parts: HelloParts = {
    cipherSuites: [0x1301, 0xc02b],
    serverName: "shop.example.com",
    groups: [29, 23],
    signatureSchemes: [0x0403, 0x0804],
    alpnProtocols: ["h2", "http/1.1"],
    versions: [0x0304, 0x0303],
  };

  expect(readClientHello(helloBody(parts))).toEqual({ hello: parts });
});

test("reads a hello without extensions, as earlier clients send it", () => {
  expect(readClientHello(helloBody({ cipherSuites: [0x002f] }))).toEqual({
    hello: { alpnProtocols: [], versions: [0x0303], cipherSuites: [0x002f] },
  });
});

describe("versions", () => {
  const versionsOf = (parts: HelloParts) => {
    const reading = readClientHello(helloBody(parts));
    return "hello" in reading ? reading.hello.versions : reading;
  };

  test.each([
    ["its version list if present", { legacyVersion: 0x0301, versions: [0x0a0a, 0x0304] }, [0x0a0a, 0x0304]],
    ["its stated version without a list", { legacyVersion: 0x0302 }, [0x0302]],
    // RFC 8446, 4.2.1
    ["TLS 1.2 for a later stated version without a list", { legacyVersion: 0x0304 }, [0x0303]],
  ])("the client offers %s", (_, parts, expected) => {
    expect(versionsOf(parts)).toEqual(expected);
  });
});

test.each([
  ["SHOP.Example.COM", "shop.example.com"],
  ["shop.example.com.", "shop.example.com"],
  ["r\u00e4t", "r\u00e4t"],
  ["a\nb", "a\nb"],
])("reads the host name %j as %j", (serverName, expected) => {
  expect(readClientHello(helloBody({ serverName }))).toMatchObject({ hello: { serverName: expected } });
});

test("ignores unknown extensions", () => {
  const extensions = [
    [0x0a0a, bytes("")],
    [51, bytes("00ff")],
    [0xfe0d, bytes("abcdef")],
  ] as const;

  expect(readClientHello(helloBody({ serverName: "a.example", extensions }))).toMatchObject({
    hello: { serverName: "a.example" },
  });
});

describe("a malformed hello is refused with decode_error", () => {
  const whole = helloBody({ serverName: "a.example", versions: [0x0304] });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a session id that is too long", helloBody({ sessionId: new Uint8Array(33) })],
    ["no cipher suite", helloBody({ cipherSuites: [] })],
    ["no compression", helloBody({ compressions: [] })],
    ["bytes after the extensions", Buffer.concat([whole, bytes("00")])],
    ["half an extension", helloBody({ extensions: [[1, bytes("")]] }).subarray(0, -1)],
    ["an empty host name", helloBody({ serverName: "" })],
    ["a host name with a NUL", helloBody({ serverName: "a\0b" })],
    ["a host name of 256 octets", helloBody({ serverName: "a".repeat(256) })],
    ["a host name of an unknown kind", helloBody({ extensions: [[0, bytes("0004010001aa")]] })],
    ["two host names", helloBody({ extensions: [[0, bytes("000800000161" + "00000162")]] })],
    ["an empty list of host names", helloBody({ extensions: [[0, bytes("0000")]] })],
    ["an empty server_name", helloBody({ extensions: [[0, bytes("")]] })],
    ["bytes after the list of host names", helloBody({ extensions: [[0, bytes("00040000016100")]] })],
    ["no version in its list", helloBody({ versions: [] })],
    ["half a version", helloBody({ extensions: [[43, bytes("03030403")]] })],
    ["no signature scheme in its list", helloBody({ signatureSchemes: [] })],
    ["no group in its list", helloBody({ groups: [] })],
    ["no protocol in its list", helloBody({ alpnProtocols: [] })],
    ["an empty protocol", helloBody({ alpnProtocols: ["h2", ""] })],
  ])("%s", (_, body) => {
    expect(readClientHello(body)).toEqual({ alert: "decode_error", reason: "hello-malformed" });
  });

  test("for every prefix of a valid hello", () => {
    const withoutExtensions = helloBody().length;
    const lengths = Array.from({ length: whole.length }, (_, length) => length);

    const readable = lengths.filter((length) => "hello" in readClientHello(whole.subarray(0, length)));

    expect(readable).toEqual([withoutExtensions]);
  });
});

test("refuses a repeated extension with illegal_parameter", () => {
  const extensions = [
    [99, bytes("")],
    [99, bytes("")],
  ] as const;

  expect(readClientHello(helloBody({ extensions }))).toEqual({
    alert: "illegal_parameter",
    reason: "extension-repeated",
  });
});

describe("for random hellos", () => {
  const number = fc.integer({ min: 0, max: 0xffff });
  const list = fc.array(number, { minLength: 1, maxLength: 40 });
  const parts = fc.record(
    {
      legacyVersion: fc.constantFrom(0x0301, 0x0302, 0x0303),
      sessionId: fc.uint8Array({ maxLength: 32 }),
      cipherSuites: list,
      serverName: fc.stringMatching(/^[a-z0-9]{1,10}(\.[a-z0-9-]{1,10}){0,3}$/),
      groups: list,
      signatureSchemes: list,
      alpnProtocols: fc.array(fc.stringMatching(/^[a-z0-9/.]{1,10}$/), { minLength: 1, maxLength: 5 }),
      versions: list,
    },
    { requiredKeys: ["cipherSuites"] },
  );

  test("decodes its own encoding", () => {
    fc.assert(
      fc.property(parts, ({ legacyVersion = 0x0303, sessionId, ...written }) => {
        const reading = readClientHello(helloBody({ legacyVersion, ...(sessionId ? { sessionId } : {}), ...written }));

        expect(reading).toEqual({ hello: { alpnProtocols: [], versions: [legacyVersion], ...written } });
      }),
    );
  });
});
