import type { SecureContextOptions } from "node:tls";

/** Kinds of keys that a client may be able to check. */
export type KeyFamily = "rsa" | "ecdsa";

const suites13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
const rsaInChains = "rsa_pkcs1_sha256:rsa_pkcs1_sha384:rsa_pkcs1_sha512";

interface FamilyTable {
  /** Before TLS 1.3 the cipher suites choose the key. */
  readonly ciphers: string;
  readonly signatures: string;
  /** Those of keys that hardly any server has, and no load balancer of Google. */
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
 * A client that takes keys of one family alone. In TLS 1.3 the key of a server can't sign with PKCS #1 v1.5 (RFC 8446, 4.2.3): naming that for ECDSA lets
 * authorities with RSA keys stand behind it and nothing else.
 *
 * @param withRare whether Ed25519, Ed448 and keys for RSASSA-PSS alone are taken as well
 */
export function onlyFamily(
  family: KeyFamily,
  { withRare = false }: { readonly withRare?: boolean } = {},
): SecureContextOptions {
  const { ciphers, signatures, rare } = families[family];
  return { ciphers, sigalgs: [signatures, ...(withRare ? [rare] : []), rsaInChains].join(":") };
}

/** The family of a key type such as `rsa-2048`; nothing for other kinds. */
export function familyOf(keyType: string): KeyFamily | undefined {
  if (keyType.startsWith("rsa")) return "rsa";
  return keyType.startsWith("ecdsa") ? "ecdsa" : undefined;
}
