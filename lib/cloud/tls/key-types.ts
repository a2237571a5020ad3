import { offersAuthentication } from "./cipher-suites";
import type { ClientHello } from "./client-hello";

/**
 * Versions that the front end supports. The service's default policy also allows TLS 1.0 and 1.1, but Node's OpenSSL
 * does not support them by default.
 */
const versions = { "TLSv1.3": 0x0304, "TLSv1.2": 0x0303 } as const;

export type TlsVersion = keyof typeof versions;

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
  if (kind === "rsa" && /^\d+$/.test(detail)) {
    return version === "TLSv1.3"
      ? shareOne(schemes, rsaPss)
      : offersAuthentication(hello.cipherSuites, "rsa") && shareOne(schemes, rsaAny);
  }
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
  return some.some((one) => others.includes(one));
}
