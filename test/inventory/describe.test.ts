import { X509Certificate } from "node:crypto";
import { inventoryToSpec } from "../../lib/inventory";
import { describeFound } from "../../lib/inventory/describe";
import { describeCertificate, readCertificate } from "../../lib/x509";
import { makeChainCertificate } from "../support/made-chain";
import { openssl } from "../support/openssl";

test.each([
  ["rsa:1024", ["weak-key"]],
  ["rsa:2048", []],
])("reports for a key of %s the problems %j", async (key, expected) => {
  const names = ["-subj", "/CN=a.example.com", "-addext", "subjectAltName=DNS:a.example.com"];
  const made = await openssl([
    "req",
    "-x509",
    "-newkey",
    key,
    "-nodes",
    "-keyout",
    "/dev/null",
    "-days",
    "90",
    ...names,
  ]);
  const facts = describeCertificate(new X509Certificate(made.stdout));
  const place = { kind: "file", path: "weak.pem", index: 0 } as const;
  const codes = describeFound(facts, place, new Date()).problems.map(({ code }) => code);
  expect(codes.filter((code) => code !== "self-signed")).toEqual(expected);
});

test.each([
  [0.5, "it expires within a day: "],
  [1.5, "it expires in 1 day: "],
  [29.5, "it expires in 29 days: "],
  [30.5, undefined],
])("reports for an expiry in %d days %j", (days, expected) => {
  const now = new Date("2026-11-21T12:00:00Z");
  const notAfter = new Date(now.getTime() + days * 86_400_000);
  const { der } = makeChainCertificate({ commonName: "a", names: ["a.example.com"], notBefore: now, notAfter });
  const place = { kind: "file", path: "a.pem", index: 0 } as const;
  const { problems } = describeFound(describeCertificate(new X509Certificate(der)), place, now);
  const { message } = problems.find(({ code }) => code === "expires-soon") ?? {};
  expect(message?.slice(0, expected?.length)).toBe(expected);
});

describe("a non-ASCII name in a certificate, which no client accepts", () => {
  const inLatin1 = (octets: Buffer) => octets.toString("latin1");
  const { der } = makeChainCertificate({
    commonName: "a",
    names: [
      "shop.example.com",
      inLatin1(Buffer.from("B\u00fccher.example.com")),
      inLatin1(Buffer.from("\u202eb.example.com")),
      "caf\u00e9.example.com",
    ],
  });
  const place = { kind: "file", path: "a.pem", index: 0 } as const;
  const found = describeFound(describeCertificate(new X509Certificate(der)), place, new Date());
  const left = "is not in ASCII, no client takes it for that name, and it is left out:";
  const expected = [
    `its name 'B\u00fccher.example.com' ${left} add xn--bcher-kva.example.com to the domains if that is meant`,
    `its name 'caf\ufffd.example.com' ${left} find out what is meant`,
    `its name '\\u{202e}b.example.com' ${left} find out what is meant`,
  ];

  test("is reported with the intended A-label if it is valid UTF-8", () => {
    const messages = found.problems.filter(({ code }) => code === "name-not-ascii").map(({ message }) => message);
    expect(messages.sort()).toEqual([...expected].sort());
  });

  test("is in no domains and in no spec, because it could be a name without a valid certificate", () => {
    expect(found.domains).toEqual(["shop.example.com"]);
    const made = inventoryToSpec({ certificates: [found], errors: [], hosts: [], names: [], findings: [] }, "shop");
    expect(made?.spec.certificates.map(({ domains }) => domains)).toEqual([["shop.example.com"]]);
    expect(made?.spec.mustServe).toEqual(["shop.example.com"]);
    expect([...(made?.notices ?? [])].sort()).toEqual(expected.map((message) => `a.pem: ${message}`).sort());
  });
});

test.each([
  ["only in the common name", { commonName: "a.example.com" }, true],
  ["in the alternative names as well", { commonName: "a.example.com", names: ["a.example.com"] }, false],
  ["that is not a hostname", { commonName: "Jane Doe" }, false],
])("reports a name %s: %s", (_, request, isReported) => {
  const x509 = readCertificate(makeChainCertificate(request).der);
  if (x509 === undefined) throw new Error("the certificate can't be read");
  const { problems } = describeFound(describeCertificate(x509), { kind: "file", path: "a.pem", index: 0 }, new Date());
  const found = problems
    .filter(({ code }) => code === "common-name-only")
    .map(({ severity, message }) => [severity, message]);
  const message = "its name a.example.com is only in its common name: clients have not accepted it for years";
  expect(found).toEqual(isReported ? [["warning", message]] : []);
});
