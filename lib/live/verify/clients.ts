import { createSecureContext, type SecureContext, type SecureContextOptions, type SecureVersion } from "node:tls";
import { type KeyFamily, onlyFamily } from "../../tls/key-families";

/**
 * A kind of client: a modern client, a client that accepts keys of only one type, or a client that speaks only one
 * version of TLS.
 */
export type ClientKind = "modern" | KeyFamily | SecureVersion;

/** A client certificate in the options of Node. */
export interface ClientIdentity {
  /** The certificate, then its chain. */
  readonly cert: string;
  readonly key: string;
}

/**
 * Returns a function that creates the clients of a run. Each client is created on first use, because this costs as much
 * as a handshake.
 *
 * @param ca every root to trust, in PEM; undefined for Node's own roots
 * @param identity certificate with its chain and its key, in PEM, which the clients present to a server that requests
 * one; undefined for clients without a certificate
 */
export function createClients(
  ca: readonly string[] | undefined,
  identity?: ClientIdentity,
): (kind: ClientKind) => SecureContext {
  const made = new Map<ClientKind, SecureContext>();
  return (kind) => {
    const context =
      made.get(kind) ??
      createSecureContext({ ...optionsOf(kind), ...identity, ...(ca === undefined ? {} : { ca: [...ca] }) });
    made.set(kind, context);
    return context;
  };
}

function optionsOf(kind: ClientKind): SecureContextOptions {
  if (kind === "modern") return {};
  if (kind === "rsa" || kind === "ecdsa") return onlyFamily(kind);
  // OpenSSL's default security level disables all versions before TLS 1.2.
  return { minVersion: kind, maxVersion: kind, ciphers: "DEFAULT:@SECLEVEL=0" };
}
