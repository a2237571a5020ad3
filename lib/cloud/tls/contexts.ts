import { createSecureContext, type SecureContext } from "node:tls";
import { cipherList } from "./key-types";
import type { ServerCertificate } from "./select";

/** Returns the TLS context of a certificate; creates it at the first use. */
export type SecureContexts = (certificate: ServerCertificate) => SecureContext;

/**
 * Caches the most recently used contexts, each about 24 KB. Creating a context takes as long as a whole handshake.
 *
 * The function throws the error of `tls.createSecureContext` if certificate and key do not match.
 *
 * @param limit maximum number of cached contexts
 */
export function createSecureContexts(limit: number): SecureContexts {
  // The chain identifies the context, because a certificate has only one key.
  const contexts = new Map<string, SecureContext>();
  return ({ chainPem, privateKeyPem }) => {
    const known = contexts.get(chainPem);
    if (known !== undefined) {
      // A Map keeps the order of insertion, so the first key is the least recently used.
      contexts.delete(chainPem);
      contexts.set(chainPem, known);
      return known;
    }
    const made = createSecureContext({
      cert: chainPem,
      key: privateKeyPem,
      ciphers: cipherList,
      honorCipherOrder: true,
      minVersion: "TLSv1.2",
    });
    contexts.set(chainPem, made);
    const [oldest] = contexts.keys();
    if (contexts.size > limit && oldest !== undefined) contexts.delete(oldest);
    return made;
  };
}
