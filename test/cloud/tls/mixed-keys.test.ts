import { openssl } from "../../support/openssl";
import { hostname, makeCertificates, startListener, type TestCertificates } from "../../support/tls-front-end";

// With `SNICallback`, five of these nine cases fail on Node 20 (nodejs/node#54235).

let certificates: TestCertificates;

beforeAll(async () => {
  certificates = await makeCertificates();
});

const rsaOnly = "rsa_pss_rsae_sha256:rsa_pkcs1_sha256";
const ecdsaOnly = "ecdsa_secp256r1_sha256";
const kinds = { RSA: () => certificates.rsa, ECDSA: () => certificates.ecdsa };
const cells = [
  ["RSA", "any client", undefined, "RSA"],
  ["RSA", "one that knows RSA only", rsaOnly, "RSA"],
  ["RSA", "one that knows ECDSA only", ecdsaOnly, "refused"],
  ["ECDSA, RSA", "any client", undefined, "ECDSA"],
  ["ECDSA, RSA", "one that knows RSA only", rsaOnly, "RSA"],
  ["ECDSA, RSA", "one that knows ECDSA only", ecdsaOnly, "ECDSA"],
  ["RSA, ECDSA", "any client", undefined, "ECDSA"],
  ["RSA, ECDSA", "one that knows RSA only", rsaOnly, "RSA"],
  ["RSA, ECDSA", "one that knows ECDSA only", ecdsaOnly, "ECDSA"],
] as const;
const certificatesOf = (listed: string) => listed.split(", ").map((kind) => kinds[kind as keyof typeof kinds]());

describe.each(["TLSv1.3", "TLSv1.2"] as const)("with %s", (version) => {
  test.each(cells)("%s for %s: Node's client", async (listed, _, sigalgs, expected) => {
    await using listener = await startListener(certificates, certificatesOf(listed));
    const { client, reported } = listener;

    const seen = await client({ minVersion: version, maxVersion: version, ...(sigalgs ? { sigalgs } : {}) });
    const [report] = await reported(1);

    if (expected === "refused") {
      expect(seen).toEqual({ refused: expect.stringMatching(/^ERR_SSL_SSL(?:V3|\/TLS)_ALERT_HANDSHAKE_FAILURE$/) });
      expect(report).toMatchObject({ ok: false, serverName: hostname, error: { code: "no-accepted-certificate" } });
    } else {
      expect(seen).toEqual({ commonName: hostname, protocol: version });
      expect(report).toEqual({ ok: true, serverName: hostname, certificateName: kinds[expected]().name, version });
    }
  });

  test.each(cells)("%s for %s: openssl's client", async (listed, _, sigalgs, expected) => {
    await using listener = await startListener(certificates, certificatesOf(listed));
    const { port } = listener;

    const { code, stdout } = await openssl(
      [
        ...["s_client", "-connect", `127.0.0.1:${port}`, "-servername", hostname, "-verify_hostname", hostname],
        ...["-verify_return_error", "-CAfile", "{roots}", version === "TLSv1.3" ? "-tls1_3" : "-tls1_2"],
        ...(sigalgs === undefined ? [] : ["-sigalgs", sigalgs]),
      ],
      { files: { roots: certificates.authority.trustBundlePem } },
    );

    if (expected === "refused") {
      expect(code).toBe(1);
      expect(stdout).toContain("no peer certificate available");
    } else {
      expect(stdout).toMatch(expected === "RSA" ? /^Peer signature type: RSA/m : /^Peer signature type: ECDSA$/m);
      expect(stdout).toContain("Verify return code: 0 (ok)");
      expect(code).toBe(0);
    }
  });
});

test.each([
  ["ECDHE-RSA-AES128-GCM-SHA256", "RSA"],
  ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDSA"],
  ["AES128-SHA", "RSA"],
] as const)("with TLS 1.2, a client that offers only the cipher suite %s gets %s", async (ciphers, expected) => {
  await using listener = await startListener(certificates, [certificates.ecdsa, certificates.rsa]);
  const { client, reported } = listener;

  await client({ maxVersion: "TLSv1.2", ciphers });

  expect(await reported(1)).toMatchObject([{ ok: true, certificateName: kinds[expected]().name }]);
});
