import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeCertificate, isCertificateBlock, readCertificate, readPemBlocks } from "../../lib/x509";
import { der } from "../support/der";
import { makeOddCertificate, makeOddCertificates, seededRandom } from "../support/odd-certificates";
import { factsHere, readWithOpenssl } from "../support/openssl-facts";

const root = join(__dirname, "..", "..");

test("parses every certificate of the fixtures and examples as openssl does", () => {
  const files = ["test/fixtures", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")),
  );
  const pems = files.filter((text) => text.includes("-----BEGIN CERTIFICATE-----"));
  const ders = pems.flatMap((text) =>
    readPemBlocks(text)
      .blocks.filter(isCertificateBlock)
      .map((block) => block.der),
  );
  expect(ders.length).toBeGreaterThan(15);
  expect(ders.map(factsHere)).toEqual(readWithOpenssl(ders));
});

/** Whether Node's OpenSSL refuses times without seconds, as in Node 22 and 24; the command's version can differ. */
const isStrict = !process.versions.openssl.startsWith("3.0.");

describe("unusual certificates", () => {
  const all = makeOddCertificates(40, seededRandom(7));
  const odd = all.filter((certificate) => !isStrict || readCertificate(certificate.der) !== undefined);

  test("can all be parsed, except those whose times OpenSSL 3.5 refuses", () => {
    expect(odd.length).toBe(isStrict ? 35 : 40);
  });

  test("are parsed as openssl does", () => {
    const ders = odd.map((certificate) => certificate.der);
    expect(ders.map(factsHere)).toEqual(readWithOpenssl(ders));
  });

  test("count as self-signed only if their own key signed them", () => {
    const read = odd.map((certificate) => describeCertificate(readCertificate(certificate.der)!).selfSigned);
    expect(read).toEqual(odd.map(({ selfSigned }) => selfSigned));
    expect(read).toEqual(expect.arrayContaining([true, false]));
  });

  test("are unchanged after a round trip through PEM", () => {
    for (const certificate of odd) {
      const { pem } = describeCertificate(readCertificate(certificate.der)!);
      expect(readPemBlocks(pem).blocks.map((block) => block.der)).toEqual([certificate.der]);
    }
  });
});

describe("a certificate", () => {
  const utcTime = (text: string) => der(0x17, Buffer.from(text));
  const generalizedTime = (text: string) => der(0x18, Buffer.from(text));
  const good = utcTime("260101000000Z");

  test.each([
    ["the thirtieth of February", utcTime("260230000000Z")],
    ["the thirteenth month", utcTime("261301000000Z")],
    ["the twenty-fifth hour", utcTime("260101250000Z")],
    ["the last second of a leap", utcTime("261231235960Z")],
    ["no zone", utcTime("260101000000")],
    ["letters", generalizedTime("2026010100000xZ")],
    ["a fraction where there may be none", utcTime("260101000000.5Z")],
    ["nothing", utcTime("")],
    ["another type", der(0x16, Buffer.from("260101000000Z"))],
  ])("is malformed if its date is %s, as for openssl", (_, time) => {
    const certificates = [
      makeOddCertificate({ notBefore: time, notAfter: good }),
      makeOddCertificate({ notBefore: good, notAfter: time }),
    ];
    expect(certificates.map((certificate) => readCertificate(certificate))).toEqual([undefined, undefined]);
    expect(readWithOpenssl(certificates)).toEqual([undefined, undefined]);
  });

  test.each([
    ["260101000000Z", "2026-01-01T00:00:00.000Z"],
    ...(isStrict ? [] : [["2601010000Z", "2026-01-01T00:00:00.000Z"]]),
    ["500101000000Z", "1950-01-01T00:00:00.000Z"],
    ["491231235959Z", "2049-12-31T23:59:59.000Z"],
    ["260101003000+0130", "2025-12-31T23:00:00.000Z"],
    ["99991231235959Z", "9999-12-31T23:59:59.000Z"],
    ["20240229120000Z", "2024-02-29T12:00:00.000Z"],
    ["20260101000000.25Z", "2026-01-01T00:00:00.250Z"],
    ["20260101000000-0800", "2026-01-01T08:00:00.000Z"],
  ])("from %s is valid from %s", (text = "", iso = "") => {
    const time = /^\d{14}/.test(text) ? generalizedTime(text) : utcTime(text);
    const certificate = readCertificate(makeOddCertificate({ notBefore: time, notAfter: good }));
    expect(describeCertificate(certificate!).notBefore.toISOString()).toBe(iso);
  });

  test.each([
    ["a BMPString of an odd number of octets", der(0x1e, Buffer.from("004100", "hex"))],
    ["a UniversalString with an invalid character", der(0x1c, Buffer.from("0000004100110000", "hex"))],
    ["a UTF8String that is not UTF-8", der(0x0c, Buffer.from("41ff", "hex"))],
  ])("is malformed if a name is %s, as for openssl", (_, commonName) => {
    const certificate = makeOddCertificate({ notBefore: good, notAfter: good, commonName });
    expect([readCertificate(certificate), ...readWithOpenssl([certificate])]).toEqual([undefined, undefined]);
  });

  test("is parsed without the octets that follow it", () => {
    const certificate = makeOddCertificate({ notBefore: good, notAfter: good });
    expect(factsHere(Buffer.concat([certificate, Buffer.from("more")]))).toEqual(factsHere(certificate));
  });
});
