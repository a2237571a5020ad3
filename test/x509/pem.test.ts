import { certificateBlocksOf, isCertificateBlock, readPemBlocks } from "../../lib/x509";

const block = (label: string, body = "AQID") => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const bytes = Buffer.from([1, 2, 3]);

describe("parsing the blocks of a PEM file", () => {
  test.each([
    ["in the usual form", block("CERTIFICATE")],
    ["with the line ends of Windows", block("CERTIFICATE").replaceAll("\n", "\r\n")],
    ["with the line ends of Mac OS 9", block("CERTIFICATE").replaceAll("\n", "\r")],
    ["after a byte order mark", `\uFEFF${block("CERTIFICATE")}`],
    ["with text around them", `subject=CN=a\n${block("CERTIFICATE")}issuer=CN=b`],
    ["indented, as in YAML", block("CERTIFICATE").replaceAll(/^/gm, "  ")],
    ["in lines of any length", block("CERTIFICATE", "A\nQI\nD")],
    ["without the line end of the last", block("CERTIFICATE").trimEnd()],
    ["with headers", block("CERTIFICATE", "Comment: made manually\n\nAQID")],
  ])("reads blocks %s", (_, text) => {
    const { blocks, problems } = readPemBlocks(text);
    expect(problems).toEqual([]);
    expect(blocks.map(({ label, der, encrypted }) => ({ label, der, encrypted }))).toEqual([
      { label: "CERTIFICATE", der: bytes, encrypted: false },
    ]);
  });

  test("returns blocks in the order of the file, each with its first line number", () => {
    const { blocks } = readPemBlocks(`\n${block("CERTIFICATE")}${block("EC PRIVATE KEY")}`);
    expect(blocks.map(({ label, line }) => [label, line])).toEqual([
      ["CERTIFICATE", 2],
      ["EC PRIVATE KEY", 5],
    ]);
  });

  test.each([
    [block("ENCRYPTED PRIVATE KEY"), true],
    [block("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAQID"), true],
    [block("RSA PRIVATE KEY"), false],
  ])("reports whether keys are encrypted: %j", (text, encrypted) => {
    expect(readPemBlocks(text).blocks.map((found) => found.encrypted)).toEqual([encrypted]);
  });
});

describe("a malformed block is reported with its line, and the next block is still parsed", () => {
  test.each([
    [
      "one that is not base64",
      block("CERTIFICATE", "AQ*D"),
      { code: "certificate-file-pem-damaged", message: "line 1: CERTIFICATE is not base64; fetch the file again" },
    ],
    [
      "one with nothing in it",
      block("CERTIFICATE", ""),
      { code: "certificate-file-pem-damaged", message: "line 1: CERTIFICATE is not base64; fetch the file again" },
    ],
    [
      "one without an end",
      "-----BEGIN CERTIFICATE-----\nAQID\n",
      {
        code: "certificate-file-pem-unfinished",
        message: "line 1: BEGIN CERTIFICATE has no END line; restore the file's end",
      },
    ],
  ])("for %s", (_, broken, problem) => {
    const { blocks, problems } = readPemBlocks(`${broken}${block("PUBLIC KEY")}`);
    expect(problems).toEqual([problem]);
    expect(blocks.map(({ label }) => label)).toEqual(["PUBLIC KEY"]);
  });

  test("for an unfinished block at the end of the file", () => {
    const { blocks, problems } = readPemBlocks(`${block("CERTIFICATE")}-----BEGIN CERTIFICATE-----\nAQ`);
    expect([blocks.length, problems.map(({ code }) => code)]).toEqual([1, ["certificate-file-pem-unfinished"]]);
  });
});

test.each([
  ["CERTIFICATE", true],
  ["X509 CERTIFICATE", true],
  ["TRUSTED CERTIFICATE", true],
  ["CERTIFICATE REQUEST", false],
  ["PRIVATE KEY", false],
])("a block %s is a certificate: %s", (label, is) => {
  expect(readPemBlocks(block(label)).blocks.map(isCertificateBlock)).toEqual([is]);
});

test("keeps only the certificates of a mixed file, in their order", () => {
  const text = `friendlyName: shop\r\n${block("CERTIFICATE")}${block("RSA PRIVATE KEY")}${block("X509 CERTIFICATE", "A\nQI\nE")}-----BEGIN PRIVATE KEY-----\nAQID`;
  expect(certificateBlocksOf(text)).toBe(`${block("CERTIFICATE")}${block("X509 CERTIFICATE", "AQIE")}`);
  expect(certificateBlocksOf(block("PRIVATE KEY"))).toBe("");
});
