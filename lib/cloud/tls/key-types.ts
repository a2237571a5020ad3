import type { ClientHello } from "./client-hello";

/** A cipher suite of TLS 1.2, whose name contains the server's kind of key. */
interface CipherSuite {
  readonly number: number;
  /** Name in OpenSSL. */
  readonly name: string;
  readonly authentication: "ecdsa" | "rsa";
}

/**
 * The suites of Google Cloud's `COMPATIBLE` SSL policy for TLS 1.2, most preferred first, without 3DES, which OpenSSL
 * no longer supports.
 *
 * The front end offers only these suites, so that the ClientHello determines which kinds of keys a client can use.
 */
const tls12Suites: readonly CipherSuite[] = [
  { number: 0xc02b, name: "ECDHE-ECDSA-AES128-GCM-SHA256", authentication: "ecdsa" },
  { number: 0xcca9, name: "ECDHE-ECDSA-CHACHA20-POLY1305", authentication: "ecdsa" },
  { number: 0xc02c, name: "ECDHE-ECDSA-AES256-GCM-SHA384", authentication: "ecdsa" },
  { number: 0xc02f, name: "ECDHE-RSA-AES128-GCM-SHA256", authentication: "rsa" },
  { number: 0xcca8, name: "ECDHE-RSA-CHACHA20-POLY1305", authentication: "rsa" },
  { number: 0xc030, name: "ECDHE-RSA-AES256-GCM-SHA384", authentication: "rsa" },
  { number: 0xc009, name: "ECDHE-ECDSA-AES128-SHA", authentication: "ecdsa" },
  { number: 0xc00a, name: "ECDHE-ECDSA-AES256-SHA", authentication: "ecdsa" },
  { number: 0xc013, name: "ECDHE-RSA-AES128-SHA", authentication: "rsa" },
  { number: 0xc014, name: "ECDHE-RSA-AES256-SHA", authentication: "rsa" },
  { number: 0x009c, name: "AES128-GCM-SHA256", authentication: "rsa" },
  { number: 0x009d, name: "AES256-GCM-SHA384", authentication: "rsa" },
  { number: 0x002f, name: "AES128-SHA", authentication: "rsa" },
  { number: 0x0035, name: "AES256-SHA", authentication: "rsa" },
];

/** Suites of TLS 1.3, which do not depend on the kind of key. */
const tls13Suites = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];

/** Cipher list for `tls.createSecureContext`. */
export const cipherList = [...tls13Suites, ...tls12Suites.map(({ name }) => name)].join(":");

const authentications = new Map(tls12Suites.map(({ number, authentication }) => [number, authentication]));

function offersAuthentication(suites: readonly number[], authentication: "ecdsa" | "rsa"): boolean {
  return suites.some((suite) => authentications.get(suite) === authentication);
}

/**
 * Versions that the front end supports. The service's default policy also allows TLS 1.0 and 1.1, but Node's OpenSSL
 * does not support them by default.
 */
const versions = { "TLSv1.3": 0x0304, "TLSv1.2": 0x0303 } as const;

type TlsVersion = keyof typeof versions;

/** Returns the TLS version that client and front end will use; undefined without a common version. */
export function commonVersion(hello: ClientHello): TlsVersion | undefined {
  return (["TLSv1.3", "TLSv1.2"] as const).find((version) => hello.versions.includes(versions[version]));
}

/**
 * Signature schemes of RSA keys, with SHA-256 or better (RFC 8446, 4.2.3). In TLS 1.3, RSA certificates sign with PSS
 * only.
 */
const rsaPss = [0x0804, 0x0805, 0x0806];
const rsaAny = [...rsaPss, 0x0401, 0x0501, 0x0601];
/** ECDSA schemes: each requires one curve in TLS 1.3 and allows any curve in TLS 1.2. */
const ecdsaSchemes = { p256: 0x0403, p384: 0x0503, p521: 0x0603 } as const;
const curveGroups = { p256: 23, p384: 24, p521: 25 } as const;

type Curve = keyof typeof curveGroups;

/**
 * Returns whether a client supports a server with this kind of key, in the TLS version that will be used.
 *
 * @param keyType for example `rsa-2048` and `ecdsa-p256`; false for kinds other than RSA and these three curves
 */
export function acceptsKeyType(hello: ClientHello, keyType: string): boolean {
  const version = commonVersion(hello);
  const [kind, detail = ""] = keyType.split("-");
  // A missing list means SHA-1, which is obsolete.
  const schemes = hello.signatureSchemes ?? [];
  if (version === undefined) return false;
  if (kind === "rsa" && /^\d+$/.test(detail))
    return version === "TLSv1.3"
      ? shareOne(schemes, rsaPss)
      : offersAuthentication(hello.cipherSuites, "rsa") && shareOne(schemes, rsaAny);
  if (kind !== "ecdsa" || !isCurve(detail)) return false;
  if (version === "TLSv1.3") return schemes.includes(ecdsaSchemes[detail]);
  return (
    offersAuthentication(hello.cipherSuites, "ecdsa") &&
    shareOne(schemes, Object.values(ecdsaSchemes)) &&
    (hello.groups === undefined || hello.groups.includes(curveGroups[detail]))
  );
}

function isCurve(text: string): text is Curve {
  return Object.hasOwn(curveGroups, text);
}

function shareOne(some: readonly number[], others: readonly number[]): boolean {
  return some.some((keyType) => others.includes(keyType));
}
