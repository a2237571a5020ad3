import { X509Certificate } from "node:crypto";
import { describeFound } from "../../../lib/migrate/inventory/describe";
import { describeCertificate } from "../../../lib/x509";
import { openssl } from "../../support/openssl";

test.each([
  ["rsa:1024", ["weak-key"]],
  ["rsa:2048", []],
])("a key of %s has the problems %j of its own", async (key, expected) => {
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
