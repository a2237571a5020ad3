import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { type AuthorityState, createAuthority } from "../../../lib/cloud/certificate-authority";
import { InputError } from "../../../lib/errors";
import { keyMatches, readCertificateChain } from "../../../lib/x509";
import { openssl } from "../../support/openssl";

const noon = new Date("2026-11-21T12:00:00.750Z");
/** The Unix time for openssl's option -attime. */
const noonInSeconds = String(Math.floor(noon.getTime() / 1000));
const authority = createAuthority({ commonName: "Rehearsal Cloud", now: () => noon });
const algorithms = ["ecdsa-p256", "rsa-2048"] as const;

/** Issues a certificate of 90 days for a domain and its wildcard. */
async function issueWith(publicKeyAlgorithm: (typeof algorithms)[number]) {
  const { issue } = await authority;
  return issue({ names: ["example.com", "*.example.com"], publicKeyAlgorithm, validDays: 90 });
}

describe.each(algorithms)("a certificate for %s", (publicKeyAlgorithm) => {
  const issued = issueWith(publicKeyAlgorithm);

  test("passes openssl's strict RFC 5280 checks for a name under its wildcard", async () => {
    const { certificatePem, chainPem } = await issued;
    const { trustBundlePem } = await authority;
    const args = ["-x509_strict", "-purpose", "sslserver", "-policy_check", "-verify_hostname", "www.example.com"];
    const date = ["-attime", noonInSeconds];
    const files = { roots: trustBundlePem, chain: chainPem, leaf: certificatePem };

    const result = await openssl(
      ["verify", ...args, ...date, "-CAfile", "{roots}", "-untrusted", "{chain}", "{leaf}"],
      {
        files,
      },
    );

    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/: OK\n$/) });
  });

  test("has the requested names, dates and key", async () => {
    const { certificatePem, chainPem, privateKeyPem, notBefore, notAfter, serial } = await issued;

    const { leaf, certificates, problems } = readCertificateChain(chainPem);

    expect(problems).toEqual([]);
    expect(leaf).toMatchObject({
      dnsNames: ["*.example.com", "example.com"],
      commonName: "example.com",
      serialNumber: serial,
      notBefore,
      notAfter,
      keyType: publicKeyAlgorithm,
      isAuthority: false,
      selfSigned: false,
      mustStaple: false,
      validation: "DV",
      pem: certificatePem,
    });
    expect(certificates.map(({ isAuthority }) => isAuthority)).toEqual([false, true]);
    expect(keyMatches(certificatePem, privateKeyPem)).toBe("matches");
  });
});

describe.each(algorithms)("the kind of key of a certificate for %s", (publicKeyAlgorithm) => {
  const issued = issueWith(publicKeyAlgorithm);

  test("is the kind of every key of its chain, for clients that support no other kind", async () => {
    const text = await Promise.all(
      (await authority).trustBundlePem
        .concat((await issued).chainPem)
        .split(/(?<=-----END CERTIFICATE-----\n)/)
        .map(async (pem) => (await openssl(["x509", "-noout", "-text", "-in", "{pem}"], { files: { pem } })).stdout),
    );
    const kind = publicKeyAlgorithm === "rsa-2048" ? /sha256WithRSAEncryption/ : /ecdsa-with-SHA256/;

    expect(text.filter((certificate) => kind.test(certificate))).toHaveLength(3);
  });

  test("allows the usages of a server, and no others", async () => {
    const files = { leaf: (await issued).certificatePem };
    const { stdout } = await openssl(
      ["x509", "-noout", "-in", "{leaf}", "-ext", "basicConstraints,keyUsage,extendedKeyUsage"],
      { files },
    );

    expect(stdout.split("\n").map((line) => line.trim())).toEqual([
      "X509v3 Basic Constraints: critical",
      "CA:FALSE",
      "X509v3 Key Usage: critical",
      publicKeyAlgorithm === "rsa-2048" ? "Digital Signature, Key Encipherment" : "Digital Signature",
      "X509v3 Extended Key Usage:",
      "TLS Web Server Authentication",
      "",
    ]);
  });
});

describe("validity", () => {
  test("begins with the whole second of the clock and lasts the requested days, both ends included", async () => {
    const { issue } = await authority;

    const { notBefore, notAfter } = await issue({
      names: ["a.example"],
      publicKeyAlgorithm: "ecdsa-p256",
      validDays: 1,
    });

    expect([notBefore, notAfter].map((date) => date.toISOString())).toEqual([
      "2026-11-21T12:00:00.000Z",
      "2026-11-22T11:59:59.000Z",
    ]);
  });

  test("can be in the past, for an expired certificate", async () => {
    const { issue } = await authority;
    const notBefore = new Date("2026-08-01T00:00:00Z");

    const { certificatePem } = await issue({
      names: ["a.example"],
      publicKeyAlgorithm: "ecdsa-p256",
      validDays: 30,
      notBefore,
    });

    expect(new Date(new X509Certificate(certificatePem).validTo)).toEqual(new Date("2026-08-30T23:59:59Z"));
  });
});

describe("keys", () => {
  test("are new for each ECDSA certificate and shared between RSA certificates", async () => {
    const { issue } = await authority;
    const keysOf = async (publicKeyAlgorithm: (typeof algorithms)[number]) => {
      const request = { names: ["a.example"], publicKeyAlgorithm, validDays: 1 };
      const issued = await Promise.all([issue(request), issue(request)]);
      return new Set(issued.map(({ privateKeyPem }) => privateKeyPem)).size;
    };

    expect(await keysOf("ecdsa-p256")).toBe(2);
    expect(await keysOf("rsa-2048")).toBe(1);
  });

  test("can be passed by the caller", async () => {
    const { issue } = await authority;
    const keyPair = generateKeyPairSync("ec", { namedCurve: "P-256" });

    const { certificatePem } = await issue({
      names: ["a.example"],
      publicKeyAlgorithm: "ecdsa-p256",
      validDays: 1,
      keyPair,
    });

    expect(new X509Certificate(certificatePem).checkPrivateKey(keyPair.privateKey)).toBe(true);
  });
});

describe("serial numbers", () => {
  test("are unique", async () => {
    const { issue } = await authority;
    const request = { names: ["a.example"], publicKeyAlgorithm: "ecdsa-p256", validDays: 1 } as const;

    const serials = (await Promise.all(Array.from({ length: 20 }, () => issue(request)))).map(({ serial }) => serial);

    expect(new Set(serials).size).toBe(20);
  });

  test.each([
    [0x00, "40000000000000000000000000000000"],
    [0xff, "7fffffffffffffffffffffffffffffff"],
  ])("with octets %d are positive and 16 octets long", async (octet, expected) => {
    const random = (count: number) => new Uint8Array(count).fill(octet);
    const { issue } = await createAuthority({
      commonName: "x",
      now: () => noon,
      random,
      state: (await authority).state,
    });

    const { serial, certificatePem } = await issue({
      names: ["a.example"],
      publicKeyAlgorithm: "ecdsa-p256",
      validDays: 1,
    });

    expect(serial).toBe(expected);
    expect(new X509Certificate(certificatePem).serialNumber.toLowerCase()).toBe(expected);
  });
});

describe("names", () => {
  const longName = `${"a".repeat(60)}.${"b".repeat(60)}.example`;

  test("are critical alternative names if no name is short enough for the common name", async () => {
    const { issue, trustBundlePem } = await authority;
    const issued = await issue({ names: [longName], publicKeyAlgorithm: "ecdsa-p256", validDays: 90 });
    const files = { roots: trustBundlePem, chain: issued.chainPem, leaf: issued.certificatePem };
    const strict = ["-x509_strict", "-attime", noonInSeconds, "-verify_hostname", longName];

    const verified = await openssl(["verify", ...strict, "-CAfile", "{roots}", "-untrusted", "{chain}", "{leaf}"], {
      files,
    });
    const shown = await openssl(["x509", "-noout", "-subject", "-ext", "subjectAltName", "-in", "{leaf}"], { files });

    expect(verified.code).toBe(0);
    expect(shown.stdout).toBe(`subject=\nX509v3 Subject Alternative Name: critical\n    DNS:${longName}\n`);
  });

  test("use the first name that is short enough as the common name", async () => {
    const { issue } = await authority;

    const { certificatePem } = await issue({
      names: [longName, "*.b.example", "a.example"],
      publicKeyAlgorithm: "ecdsa-p256",
      validDays: 90,
    });

    expect(new X509Certificate(certificatePem).subject).toBe("CN=*.b.example");
  });

  test("are unique in the certificate", async () => {
    const { issue } = await authority;

    const { certificatePem } = await issue({
      names: ["a.example", "a.example"],
      publicKeyAlgorithm: "ecdsa-p256",
      validDays: 90,
    });

    expect(new X509Certificate(certificatePem).subjectAltName).toBe("DNS:a.example");
  });
});

describe("fails", () => {
  const good = { names: ["a.example"], publicKeyAlgorithm: "ecdsa-p256", validDays: 90 } as const;

  test.each([
    ["without a name", { names: [] }, ["authority-no-names"]],
    [
      "for each invalid name",
      {
        names: ["A.example", "a..example", "*", "a.example", "x,y", "a.*.example", "a.example.", `${"a".repeat(64)}.b`],
      },
      Array.from({ length: 7 }, () => "authority-bad-name"),
    ],
    ["for zero days", { validDays: 0 }, ["authority-bad-validity"]],
    ["for less than a second", { validDays: 1e-9 }, ["authority-bad-validity"]],
    ["for a time that is not a number", { validDays: Number.NaN }, ["authority-bad-validity"]],
    ["for longer than the CA is valid", { validDays: 4000 }, ["authority-outlived"]],
    ["from before the CA", { notBefore: new Date("2020-01-01") }, ["authority-outlived"]],
    [
      "with an unsupported key type",
      { keyPair: generateKeyPairSync("rsa", { modulusLength: 2048 }) },
      ["authority-key-mismatch"],
    ],
    ["with all reasons at once", { names: [], validDays: -1 }, ["authority-no-names", "authority-bad-validity"]],
  ])("%s", async (_, change, codes) => {
    const { issue } = await authority;

    const refusal = await issue({ ...good, ...change }).catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(InputError);
    expect((refusal as InputError).problems.map(({ code }) => code)).toEqual(codes);
  });

  test.each([
    ["without a name of its own", ""],
    ["with one that leaves no room in a subject", "x".repeat(41)],
  ])("%s", async (_, commonName) => {
    await expect(createAuthority({ commonName, now: () => noon })).rejects.toMatchObject({
      code: "authority-bad-common-name",
    });
  });

  test("with an error that states the remedy", async () => {
    const { issue } = await authority;

    await expect(issue({ ...good, names: ["a b\u0007"] })).rejects.toThrow(
      "'a b\\u{7}' is not a DNS name in lower-case A-labels: write it as in 'shop.example.com' or '*.example.com'",
    );
  });
});

describe("stored as text", () => {
  test("the CA keeps its roots", async () => {
    const { state, trustBundlePem } = await authority;
    const kept = JSON.parse(JSON.stringify(state)) as AuthorityState;

    const later = await createAuthority({ commonName: "Rehearsal Cloud", now: () => noon, state: kept });
    const issued = await later.issue({ names: ["a.example"], publicKeyAlgorithm: "rsa-2048", validDays: 90 });

    expect(later.trustBundlePem).toBe(trustBundlePem);
    expect(later.state).toEqual(kept);
    const files = { roots: trustBundlePem, chain: issued.chainPem, leaf: issued.certificatePem };
    const strict = ["-x509_strict", "-attime", noonInSeconds];
    const { stdout } = await openssl(["verify", ...strict, "-CAfile", "{roots}", "-untrusted", "{chain}", "{leaf}"], {
      files,
    });
    expect(stdout).toMatch(/: OK\n$/);
  });

  test.each([
    ["a malformed certificate", (root: AuthorityState["rsa-2048"]) => ({ ...root, certificatePem: "x" })],
    ["a malformed key", (root: AuthorityState["rsa-2048"]) => ({ ...root, privateKeyPem: "x" })],
    [
      "the key of another certificate",
      (root: AuthorityState["rsa-2048"], other: AuthorityState["rsa-2048"]) => ({
        ...root,
        privateKeyPem: other.privateKeyPem,
      }),
    ],
  ])("fails with %s", async (_, damage) => {
    const { state } = await authority;
    const damaged = { ...state, "rsa-2048": damage(state["rsa-2048"], state["ecdsa-p256"]) };

    await expect(createAuthority({ commonName: "x", now: () => noon, state: damaged })).rejects.toMatchObject({
      code: "authority-state-unreadable",
    });
  });
});
