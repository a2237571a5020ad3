import { createSecureContext, type SecureContext, type SecureContextOptions, type SecureVersion } from "node:tls";

/** Kinds of keys that a client may be able to check; other ones, such as Ed25519, no load balancer of Google serves. */
export type KeyFamily = "rsa" | "ecdsa";

/** A client by what it can do: one of today, one that takes keys of one family alone, or one that speaks a single version of TLS. */
export type ClientKind = "modern" | KeyFamily | SecureVersion;

const rsaInChains = "rsa_pkcs1_sha256:rsa_pkcs1_sha384:rsa_pkcs1_sha512";
const suites13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

/**
 * In TLS 1.3 the key of a server can't sign with PKCS #1 v1.5 (RFC 8446, 4.2.3): naming that for ECDSA lets authorities with RSA keys stand behind it
 * and nothing else. Before 1.3 the cipher suites choose.
 */
const families: Readonly<Record<KeyFamily, SecureContextOptions>> = {
  rsa: {
    ciphers: `${suites13}:ECDHE+aRSA:DHE+aRSA:kRSA`,
    sigalgs: `rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512:${rsaInChains}`,
  },
  ecdsa: {
    ciphers: `${suites13}:ECDHE+aECDSA`,
    sigalgs: `ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384:ecdsa_secp521r1_sha512:${rsaInChains}`,
  },
};

/**
 * The clients of a run; each is made when it is first asked for, since making one costs as much as a handshake.
 *
 * @param ca every root to trust, in PEM; Node's own where there are none
 */
export function createClients(ca: readonly string[] | undefined): (kind: ClientKind) => SecureContext {
  const made = new Map<ClientKind, SecureContext>();
  return (kind) => {
    const context =
      made.get(kind) ?? createSecureContext({ ...optionsOf(kind), ...(ca === undefined ? {} : { ca: [...ca] }) });
    made.set(kind, context);
    return context;
  };
}

function optionsOf(kind: ClientKind): SecureContextOptions {
  if (kind === "modern") return {};
  if (kind === "rsa" || kind === "ecdsa") return families[kind];
  // At OpenSSL's usual level of security there is nothing before 1.2.
  return { minVersion: kind, maxVersion: kind, ciphers: "DEFAULT:@SECLEVEL=0" };
}

/** The family of a key type such as `rsa-2048`; nothing for other kinds. */
export function familyOf(keyType: string): KeyFamily | undefined {
  if (keyType.startsWith("rsa")) return "rsa";
  return keyType.startsWith("ecdsa") ? "ecdsa" : undefined;
}
