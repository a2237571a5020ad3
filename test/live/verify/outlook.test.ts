import type { ServingFailure } from "../../../lib/live/verify";
import { createOutlook, type Outlook } from "../../../lib/live/verify/outlook";
import { readCertificateChain } from "../../../lib/x509";
import { makeCertificate, makeChain } from "../../support/make-certificate";

const nowMs = Date.parse("2026-11-21T00:00:00Z");
const deadlineMs = nowMs + 600_000;
const later = new Date("2060-01-01T00:00:00Z");
const chain = makeChain("example.com", later);
const expired = makeChain("example.com", new Date("2021-01-01T00:00:00Z"));
const [leafPem = "", intermediatePem = ""] = chain.certificatePem.split(/(?<=-----END CERTIFICATE-----\r?\n)/);
const other = makeCertificate(["example.com"], { key: 1 });

const servedOf = (pem: string) => {
  const { leaf } = readCertificateChain(pem);
  if (leaf === undefined) throw new Error("there is no leaf");
  return { fingerprintSha256: leaf.fingerprintSha256, notBefore: leaf.notBefore.toISOString() };
};

interface Case {
  readonly code?: ServingFailure;
  /** The served certificate. @default the first of the uploads */
  readonly served?: string;
  readonly uploads?: readonly string[];
  readonly trusted?: readonly string[] | undefined;
}

function outlookOf({ code = "untrusted-chain", uploads = [chain.certificatePem], ...given }: Case): Outlook {
  const served = servedOf(given.served ?? uploads[0] ?? chain.certificatePem);
  const trusted = "trusted" in given ? given.trusted : [other.certificatePem];
  return createOutlook(trusted)({ code, served, uploads, nowMs, deadlineMs });
}

describe("an uploaded certificate is served, and waiting does not help", () => {
  test.each<[string, Case]>([
    ["that has not the name", { code: "name-mismatch" }],
    ["that has expired", { code: "certificate-expired" }],
    [
      "that signed itself and is not trusted",
      { code: "self-signed", uploads: [makeCertificate(["a.example"]).certificatePem] },
    ],
    [
      "that becomes valid when the time is over",
      {
        code: "certificate-not-yet-valid",
        uploads: [makeCertificate(["example.com"], { notBefore: new Date(deadlineMs + 60_000) }).certificatePem],
      },
    ],
    ["of an untrusted CA", { code: "untrusted-chain" }],
    [
      "without the intermediate that would lead to a root",
      { code: "chain-incomplete", uploads: [leafPem], trusted: [chain.rootPem] },
    ],
    [
      "with an intermediate that has expired",
      { code: "chain-expired", uploads: [expired.certificatePem], trusted: [expired.rootPem] },
    ],
    ["as plan and Certificate Manager both have it", { uploads: [chain.certificatePem, chain.certificatePem] }],
  ])("a certificate %s", (_, given) => {
    expect(outlookOf(given)).toBe("final");
  });
});

describe("the failure may be temporary, and is retried", () => {
  test.each<[string, Case]>([
    ["while another certificate is served", { code: "name-mismatch", served: other.certificatePem }],
    [
      "while Certificate Manager has another one than the plan",
      { code: "name-mismatch", uploads: [leafPem, other.certificatePem] },
    ],
    ["where the chain that is uploaded leads to a root: fronts may have an older one", { trusted: [chain.rootPem] }],
    [
      "where one of both chains leads to a root",
      { code: "chain-incomplete", uploads: [leafPem, chain.certificatePem], trusted: [chain.rootPem] },
    ],
    ["where the leaf itself is trusted", { trusted: [leafPem] }],
    ["where the intermediate is trusted", { uploads: [leafPem], trusted: [intermediatePem] }],
    [
      "until the certificate becomes valid",
      {
        code: "certificate-not-yet-valid",
        uploads: [makeCertificate(["example.com"], { notBefore: new Date(nowMs + 60_000) }).certificatePem],
      },
    ],
    [
      "until the certificate becomes valid, at the latest at the time of the last attempt",
      {
        code: "certificate-not-yet-valid",
        uploads: [makeCertificate(["example.com"], { notBefore: new Date(deadlineMs) }).certificatePem],
      },
    ],
    ...(["connection-refused", "handshake-refused", "other-certificate", "http-server-error", "timeout"] as const).map(
      (code): [string, Case] => [`after ${code}`, { code }],
    ),
  ])("%s", (_, given) => {
    expect(outlookOf(given)).toBe("open");
  });

  test("if no certificate was served", () => {
    const question = { code: "untrusted-chain", uploads: [leafPem], nowMs, deadlineMs } as const;
    expect(createOutlook([])(question)).toBe("open");
  });
});

describe("the cause is unknown", () => {
  test.each<[string, Case]>([
    ["where no upload is known", { code: "name-mismatch", uploads: [] }],
    ["where an upload can't be read", { code: "name-mismatch", served: leafPem, uploads: ["-----BEGIN"] }],
    ["of chains, where it is not known what is trusted", { trusted: undefined }],
  ])("%s", (_, given) => {
    expect(outlookOf(given)).toBe("unknown");
  });

  test("but a missing name is missing, whatever CAs are trusted", () => {
    expect(outlookOf({ code: "name-mismatch", trusted: undefined })).toBe("final");
  });
});
