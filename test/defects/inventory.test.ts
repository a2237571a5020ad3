import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { der } from "../support/der";
import { runCli } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { makeOddCertificate } from "../support/odd-certificates";
import { serveOddCertificates } from "../support/odd-tls-server";
import { serveTcp, serveTls } from "../support/tls-servers";

/**
 * Defects of certificates in files and on servers, and harmless ones beside them: what `inventory` has to report, and
 * what not.
 */
jest.setTimeout(30_000);

let folder: string;
const path = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "defects-inventory-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface InventoryResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of everything that is an error: the code, and what to do. */
  readonly errors: readonly { readonly code: string; readonly remedy?: string; readonly message: string }[];
}

async function take(...words: readonly string[]): Promise<InventoryResult> {
  const text = await runCli(["inventory", ...words, "--timeout", "2s"], {
    now: () => new Date("2026-11-21T12:00:00Z"),
  });
  const json = JSON.parse(
    (
      await runCli(["inventory", ...words, "--timeout", "2s", "--json"], {
        now: () => new Date("2026-11-21T12:00:00Z"),
      })
    ).stdout,
  );
  type Item = { code: string; severity?: string; remedy?: string; message: string };
  const all = [
    ...(json.findings as Item[]),
    ...(json.certificates as { problems: Item[] }[]).flatMap(({ problems }) => problems),
  ].filter(({ severity }) => severity === "error");
  return { ...text, errors: [...all, ...(json.errors as Item[])] };
}

const expired = () =>
  makeCertificate(["old.example.com"], {
    notAfter: new Date("2026-11-20T00:00:00Z"),
    notBefore: new Date("2025-01-01T00:00:00Z"),
  });
const toDer = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
const toPem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
const malformed = (...octets: readonly number[]) =>
  makeOddCertificate({
    notBefore: der(0x17, Buffer.from("250101000000Z")),
    notAfter: der(0x17, Buffer.from("350101000000Z")),
    commonName: der(0x0c, Buffer.from(octets)),
  });

test.each<readonly [string, string, () => string | Buffer]>([
  ["in PEM", "expired.pem", () => expired().certificatePem],
  ["in DER", "expired.der", () => toDer(expired().certificatePem)],
  [
    "beside one that is valid",
    "both.pem",
    () => expired().certificatePem + makeCertificate(["new.example.com"], { key: 1 }).certificatePem,
  ],
  [
    "since a second ago",
    "just.pem",
    () => makeCertificate(["just.example.com"], { notAfter: new Date("2026-11-21T11:59:59Z") }).certificatePem,
  ],
])("finds an expired certificate %s, with what to do", async (_, name, content) => {
  writeFileSync(path(name), content());
  const { exitCode, stdout, errors } = await take(path(name));
  expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["expired"]]);
  expect(stdout).toMatch(/what to do\n {2}expired: \S/);
  expect(errors[0]?.remedy).toMatch(/renew/);
});

test("finds an expired certificate that a server presents", async () => {
  const { certificatePem, privateKeyPem } = expired();
  await using server = await serveTls({ cert: certificatePem, key: privateKeyPem });
  const { exitCode, errors } = await take(`127.0.0.1:${server.port}`);
  expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, expect.arrayContaining(["expired"])]);
});

test.each<readonly [string, string]>([
  ["SMTP, which greets first", "220 mail.example.com ESMTP\r\n"],
  ["IMAP, which greets first", "* OK IMAP4rev1 ready\r\n"],
  ["POP3, which greets first", "+OK ready\r\n"],
  ["HTTP without TLS", "HTTP/1.1 400 Bad Request\r\n\r\n"],
])("finds a server of %s", async (_, probe) => {
  await using server = await serveTcp((socket) => socket.write(probe));
  const { exitCode, errors } = await take(`127.0.0.1:${server.port}`);
  expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["plaintext-answer"]]);
});

test.each(["[::1]", "127.0.0.1"])("finds that nothing listens at %s, without advice about DNS", async (host) => {
  const { exitCode, stdout, errors } = await take(`${host}:1`);
  expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["connection-refused"]]);
  expect(stdout).toContain(host === "[::1]" ? "[2001:db8::1]:8443" : "192.0.2.1:8443");
  expect(stdout).not.toMatch(/out of DNS|provider/);
});

test.each<readonly [string, string, string | Buffer | undefined]>([
  ["file-missing", "none.pem", undefined],
  ["certificate-file-unknown", "notes.bin", Buffer.from([0, 1, 2, 3])],
  ["certificate-file-pem-unfinished", "cut.pem", "-----BEGIN CERTIFICATE-----\nMIIB"],
  ["certificate-file-without-leaf", "key.pem", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n"],
])("finds %s, and reports it by code in JSON and on the terminal", async (code, name, content) => {
  if (content !== undefined) writeFileSync(path(name), content);
  const { exitCode, stderr, errors } = await take(path(name));
  expect([exitCode, errors.map((one) => one.code)]).toEqual([4, [code]]);
  expect(stderr).toContain(`[${code}]`);
});

test.each<readonly [string, string, () => string | Buffer]>([
  ["a stray continuation octet, in PEM", "utf8.pem", () => toPem(malformed(0x41, 0x80))],
  ["an octet of Latin-1, in DER", "latin1.der", () => malformed(0x4d, 0xfc, 0x6c)],
  ["an overlong form, in PEM", "overlong.pem", () => toPem(malformed(0xc0, 0x80))],
])("finds a common name that is invalid UTF-8, by %s, and still reads the certificate", async (_, name, content) => {
  writeFileSync(path(name), content());
  const { exitCode, errors } = await take(path(name));
  expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["certificate-file-unreadable"]]);
  expect(errors[0]?.message).not.toMatch(/is not an X\.509|neither PEM/);
  expect(errors[0]?.message).toMatch(/utf8/i);
  // It is one for OpenSSL's own parser of ASN.1.
  const bytes = name.endsWith(".der") ? (content() as Buffer) : toDer(content() as string);
  expect(execFileSync("openssl", ["asn1parse", "-inform", "DER"], { input: bytes }).toString()).toContain("UTF8STRING");
});

test.each<readonly [string, string, () => string | Buffer]>([
  ["a certificate that is valid", "valid.pem", () => makeCertificate(["valid.example.com"]).certificatePem],
  [
    "a certificate that is valid, in DER",
    "valid.der",
    () => toDer(makeCertificate(["valid.example.com"]).certificatePem),
  ],
  [
    "a certificate that expires in a week",
    "soon.pem",
    () => makeCertificate(["soon.example.com"], { notAfter: new Date("2026-11-28T00:00:00Z") }).certificatePem,
  ],
  ["a common name in valid UTF-8", "umlaut.der", () => malformed(0x4d, 0xc3, 0xbc, 0x6c)],
])("accepts %s", async (_, name, content) => {
  writeFileSync(path(name), content());
  const { exitCode, errors } = await take(path(name));
  expect([exitCode, errors]).toEqual([0, []]);
});

test("accepts a server of TLS", async () => {
  const { certificatePem, privateKeyPem } = makeCertificate(["valid.example.com"]);
  await using server = await serveTls({ cert: certificatePem, key: privateKeyPem });
  const { errors } = await take(`127.0.0.1:${server.port}`);
  expect(errors).toEqual([]);
});

test.each<readonly [string, "TLSv1.2" | "TLSv1.3", readonly number[]]>([
  ["a stray continuation octet, by TLS 1.2", "TLSv1.2", [0x41, 0x80]],
  ["a stray continuation octet, by TLS 1.3", "TLSv1.3", [0x41, 0x80]],
  ["an octet of Latin-1, by TLS 1.3", "TLSv1.3", [0x4d, 0xfc, 0x6c]],
])("finds a server whose common name is invalid UTF-8: %s", async (_, version, octets) => {
  await using server = await serveOddCertificates([malformed(...octets)], version);
  const { exitCode, stdout, errors } = await take(`127.0.0.1:${server.port}`);
  expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["certificate-malformed"]]);
  expect(errors[0]?.message).toMatch(/serves a malformed X\.509 certificate \(.*utf8/i);
  expect(stdout).toMatch(/certificate-malformed: ask the certificate authority for a new certificate/);
});

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "finds a malformed certificate behind a valid certificate in a chain, by %s",
  async (version) => {
    const sound = toDer(makeCertificate(["valid.example.com"]).certificatePem);
    await using server = await serveOddCertificates([sound, malformed(0xc0, 0x80)], version);
    const { errors } = await take(`127.0.0.1:${server.port}`);
    expect(errors.map(({ code, message }) => [code, /certificate 2 of the chain/.test(message)])).toEqual([
      ["certificate-malformed", true],
    ]);
  },
);

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "accepts a common name in valid UTF-8 from a server that closes the connection, by %s",
  async (version) => {
    await using server = await serveOddCertificates([malformed(0x4d, 0xc3, 0xbc, 0x6c)], version);
    const { errors } = await take(`127.0.0.1:${server.port}`);
    expect(errors.map(({ code }) => code)).not.toContain("certificate-malformed");
  },
);
