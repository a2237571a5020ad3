import type { ClientHello } from "../../../lib/cloud/tls/client-hello";
import { acceptsKeyType, commonVersion } from "../../../lib/cloud/tls/key-types";

const ecdsaSuite = 0xc02b;
const rsaSuite = 0xc02f;
const staticRsaSuite = 0x009c;
const p256 = 23;
const p384 = 24;

/** A TLS 1.2 client that supports every key type. */
const old: ClientHello = {
  alpnProtocols: [],
  versions: [0x0303],
  cipherSuites: [ecdsaSuite, rsaSuite],
  signatureSchemes: [0x0403, 0x0804, 0x0401],
  groups: [29, p256, p384],
};
/** A TLS 1.3 client that supports every key type. */
const modern: ClientHello = { ...old, versions: [0x0304, 0x0303], cipherSuites: [0x1301, ecdsaSuite, rsaSuite] };

test.each([
  [[0x0a0a, 0x0304, 0x0303], "TLSv1.3"],
  [[0x0303, 0x0304], "TLSv1.3"],
  [[0x0303, 0x0302], "TLSv1.2"],
  [[0x0302, 0x0301], undefined],
  [[0x0305], undefined],
])("with clients that offer %j chooses %s", (versions, expected) => {
  expect(commonVersion({ ...modern, versions })).toBe(expected);
});

test.each([
  ["a modern client", "ecdsa-p256", true, modern],
  ["a modern client", "rsa-2048", true, modern],
  ["a modern client", "rsa-4096", true, modern],
  ["an old client", "ecdsa-p256", true, old],
  ["an old client", "rsa-2048", true, old],
  ["any client", "ed25519", false, modern],
  ["any client", "rsa-pss-2048", false, modern],
  ["any client", "ecdsa-secp256k1", false, modern],
  ["any client", "ecdsa-toString", false, modern],
  ["any client", "unknown", false, modern],
  ["a client without a common version", "rsa-2048", false, { ...modern, versions: [0x0302] }],

  ["TLS 1.3 without ECDSA", "ecdsa-p256", false, { ...modern, signatureSchemes: [0x0804] }],
  ["TLS 1.3 without RSA", "rsa-2048", false, { ...modern, signatureSchemes: [0x0403] }],
  [
    "TLS 1.3 with RSA by PKCS #1 only, which is for certificates there",
    "rsa-2048",
    false,
    { ...modern, signatureSchemes: [0x0401] },
  ],
  ["TLS 1.3, whose suites are independent of keys", "ecdsa-p256", true, { ...modern, cipherSuites: [0x1301] }],
  ["TLS 1.3, whose groups do not limit the curves of certificates", "ecdsa-p256", true, { ...modern, groups: [29] }],
  ["TLS 1.3 with P-256 for P-384", "ecdsa-p384", false, modern],
  ["TLS 1.3 with P-384 for it", "ecdsa-p384", true, { ...modern, signatureSchemes: [0x0503] }],

  ["TLS 1.2 without a suite for ECDSA", "ecdsa-p256", false, { ...old, cipherSuites: [rsaSuite] }],
  ["TLS 1.2 without a suite for RSA", "rsa-2048", false, { ...old, cipherSuites: [ecdsaSuite] }],
  ["TLS 1.2 with a suite of TLS 1.3 only", "ecdsa-p256", false, { ...old, cipherSuites: [0x1301] }],
  ["TLS 1.2 with encryption to the key", "rsa-2048", true, { ...old, cipherSuites: [staticRsaSuite] }],
  ["TLS 1.2 with a suite that is not served here", "ecdsa-p256", false, { ...old, cipherSuites: [0xc0ac] }],
  ["TLS 1.2 without a signature of ECDSA", "ecdsa-p256", false, { ...old, signatureSchemes: [0x0401] }],
  ["TLS 1.2 without a signature of RSA", "rsa-2048", false, { ...old, signatureSchemes: [0x0403] }],
  ["TLS 1.2 with SHA-1 only", "rsa-2048", false, { ...old, signatureSchemes: [0x0201, 0x0203] }],
  ["TLS 1.2 with RSA by PKCS #1", "rsa-2048", true, { ...old, signatureSchemes: [0x0601] }],
  ["TLS 1.2 with another hash than the curve's own", "ecdsa-p256", true, { ...old, signatureSchemes: [0x0503] }],
  ["TLS 1.2 without the curve", "ecdsa-p256", false, { ...old, groups: [29, p384] }],
  ["TLS 1.2 with the curve", "ecdsa-p384", true, { ...old, groups: [p384] }],
] as const)("%s accepts a key of %s: %s", (_, keyType, expected, hello) => {
  expect(acceptsKeyType(hello, keyType)).toBe(expected);
});

test("a client of TLS 1.2 that lists no groups accepts any curve", () => {
  const { groups: _, ...hello } = old;

  expect(acceptsKeyType(hello, "ecdsa-p256")).toBe(true);
});

test.each(["ecdsa-p256", "rsa-2048"])(
  "a client that lists no signature algorithms implies SHA-1, and accepts no %s",
  (keyType) => {
    const { signatureSchemes: _, ...hello } = old;

    expect(acceptsKeyType(hello, keyType)).toBe(false);
  },
);
