import { offersAuthentication } from "./cipher-suites";
import type { ClientHello } from "./client-hello";

/** Versions that the front end speaks: TLS 1.0 and 1.1, which the service's default policy still allows, are beyond Node's OpenSSL as it comes. */
const versions = { "TLSv1.3": 0x0304, "TLSv1.2": 0x0303 } as const;

export type TlsVersion = keyof typeof versions;

/** The version that client and front end will speak; nothing where they have none in common. */
export function commonVersion(hello: ClientHello): TlsVersion | undefined {
  return (["TLSv1.3", "TLSv1.2"] as const).find((version) => hello.versions.includes(versions[version]));
}

/** Signatures with RSA keys, SHA-256 and better (RFC 8446, 4.2.3). In TLS 1.3 certificates' keys sign by PSS only. */
const rsaPss = [0x0804, 0x0805, 0x0806];
const rsaAny = [...rsaPss, 0x0401, 0x0501, 0x0601];
/** In TLS 1.3 each goes with one curve, in TLS 1.2 with any. */
const ecdsaSchemes = { p256: 0x0403, p384: 0x0503, p521: 0x0603 } as const;
const curveGroups = { p256: 23, p384: 24, p521: 25 } as const;

type Curve = keyof typeof curveGroups;

/**
 * Whether a client can check a server that proves itself with such a key, in the version that will be spoken.
 *
 * @param keyType as in `rsa-2048` and `ecdsa-p256`; kinds other than RSA and these three curves are accepted by nobody
 */
export function acceptsKeyType(hello: ClientHello, keyType: string): boolean {
  const version = commonVersion(hello);
  const [kind, detail = ""] = keyType.split("-");
  // Who doesn't say anything means SHA-1, which nobody signs with any more.
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
