import type { MigrationSpec } from "../../../lib/plan";
import { encryptKey, makeCertificate } from "../../support/make-certificate";
import { type CheckCase, certificate } from "./case";

const pair = makeCertificate(["example.com", "www.example.com"]);
const selfManaged = (change: {
  certificatePem?: string;
  privateKeyPem?: string;
  privateKeyVariable?: string;
}): MigrationSpec => certificate({ kind: "selfManaged", certificatePem: pair.certificatePem, ...change });
const expired = makeCertificate(["example.com"], { notAfter: new Date("2026-11-21T00:00:00Z") });
const variable = { privateKeyVariable: "key" };

export const selfManagedCases: readonly CheckCase[] = [
  { code: "private-key-missing", refused: selfManaged({}), accepted: selfManaged(variable) },
  {
    code: "private-key-variable-invalid",
    refused: selfManaged({ privateKeyVariable: "1key" }),
    accepted: selfManaged({ privateKeyVariable: "key-1" }),
  },
  {
    code: "private-key-in-stack",
    refused: selfManaged({ privateKeyPem: pair.privateKeyPem }),
    accepted: selfManaged({ privateKeyPem: "${var.key}" }),
  },
  {
    code: "private-key-in-certificate",
    refused: selfManaged({ certificatePem: `${pair.certificatePem}${pair.privateKeyPem}`, ...variable }),
    accepted: selfManaged(variable),
  },
  {
    code: "private-key-unusable",
    refused: selfManaged({ privateKeyPem: encryptKey(pair.privateKeyPem, "secret") }),
    accepted: selfManaged({ privateKeyPem: pair.privateKeyPem }),
  },
  {
    code: "private-key-mismatch",
    refused: selfManaged({ privateKeyPem: makeCertificate(["example.com"], { key: 1 }).privateKeyPem }),
    accepted: selfManaged({ privateKeyPem: pair.privateKeyPem.replace(/\n/g, "\r\n") }),
  },
  {
    code: "certificate-pem-unusable",
    refused: certificate({
      kind: "selfManaged",
      domains: ["example.com"],
      certificatePem: pair.privateKeyPem,
      ...variable,
    }),
    accepted: selfManaged(variable),
  },
  {
    code: "certificate-expired",
    refused: selfManaged({
      certificatePem: expired.certificatePem,
      ...variable,
    }),
    accepted: selfManaged({
      certificatePem: makeCertificate(["example.com"], { notAfter: new Date("2026-11-21T00:00:01Z") }).certificatePem,
      ...variable,
    }),
  },
  {
    code: "certificate-expired-without-traffic",
    refused: {
      ...selfManaged({ certificatePem: expired.certificatePem, ...variable }),
      traffic: { to: "previous", previous: { "example.com": { a: ["192.0.2.1"] } } },
    },
    accepted: {
      ...selfManaged(variable),
      traffic: { to: "previous", previous: { "example.com": { a: [] }, "www.example.com": { a: [] } } },
    },
  },
  {
    code: "certificate-expires-soon",
    refused: selfManaged({
      certificatePem: makeCertificate(["example.com"], { notAfter: new Date("2026-12-20T23:59:59Z") }).certificatePem,
      ...variable,
    }),
    accepted: selfManaged({
      certificatePem: makeCertificate(["example.com"], { notAfter: new Date("2026-12-21T00:00:00Z") }).certificatePem,
      ...variable,
    }),
  },
  {
    code: "certificate-not-covering",
    refused: certificate({
      kind: "selfManaged",
      domains: ["api.example.com"],
      certificatePem: pair.certificatePem,
      ...variable,
    }),
    accepted: certificate({
      kind: "selfManaged",
      domains: ["www.example.com"],
      certificatePem: pair.certificatePem,
      ...variable,
    }),
  },
];
