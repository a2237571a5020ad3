import type { SecureContextOptions } from "node:tls";

/** Key types that a client may support. */
export type KeyFamily = "rsa" | "ecdsa";

const suites13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
const rsaInChains = "rsa_pkcs1_sha256:rsa_pkcs1_sha384:rsa_pkcs1_sha512";

interface FamilyTable {
  /** Before TLS 1.3, the cipher suites choose the key. */
  readonly ciphers: string;
  readonly signatures: string;
  /** Signature algorithms of keys that hardly any server has, and no load balancer of Google. */
  readonly rare: string;
}

const families: Readonly<Record<KeyFamily, FamilyTable>> = {
  rsa: {
    ciphers: `${suites13}:ECDHE+aRSA:DHE+aRSA:kRSA`,
    signatures: "rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512",
    rare: "rsa_pss_pss_sha256:rsa_pss_pss_sha384:rsa_pss_pss_sha512",
  },
  ecdsa: {
    ciphers: `${suites13}:ECDHE+aECDSA`,
    signatures: "ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384:ecdsa_secp521r1_sha512",
    rare: "ed25519:ed448",
  },
};

/**
 * Returns the options of a client that accepts keys of one family only. In TLS 1.3, a server's key cannot sign with
 * PKCS #1 v1.5 (RFC 8446, 4.2.3). Offering PKCS #1 v1.5 for ECDSA therefore only allows chains of CAs with RSA keys.
 *
 * @param withRare whether Ed25519, Ed448 and keys for RSASSA-PSS only are accepted as well
 */
export function onlyFamily(
  family: KeyFamily,
  { withRare = false }: { readonly withRare?: boolean } = {},
): SecureContextOptions {
  const { ciphers, signatures, rare } = families[family];
  return { ciphers, sigalgs: [signatures, ...(withRare ? [rare] : []), rsaInChains].join(":") };
}

/** Returns the family of a key type such as `rsa-2048`; undefined for other types. */
export function familyOf(keyType: string): KeyFamily | undefined {
  if (keyType.startsWith("rsa")) return "rsa";
  return keyType.startsWith("ecdsa") ? "ecdsa" : undefined;
}
