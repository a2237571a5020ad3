import { createSecureContext, type SecureContext, type SecureContextOptions, type SecureVersion } from "node:tls";
import { type KeyFamily, onlyFamily } from "../../tls/key-families";

/** A client by what it can do: one of today, one that takes keys of one family alone, or one that speaks a single version of TLS. */
export type ClientKind = "modern" | KeyFamily | SecureVersion;

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
  if (kind === "rsa" || kind === "ecdsa") return onlyFamily(kind);
  // At OpenSSL's usual level of security there is nothing before 1.2.
  return { minVersion: kind, maxVersion: kind, ciphers: "DEFAULT:@SECLEVEL=0" };
}
