import { createSecureContext, type SecureContext } from "node:tls";
import { cipherList } from "./cipher-suites";
import type { ServerCertificate } from "./select";

/** Finds the context of a certificate, making it when it is first wanted. */
export type SecureContexts = (certificate: ServerCertificate) => SecureContext;

/**
 * Keeps the contexts that were used last, each some 24 KB. Making one takes as long as a whole handshake.
 *
 * The function throws the error of `tls.createSecureContext` where certificate and key don't fit together.
 *
 * @param limit how many are kept
 */
export function createSecureContexts(limit: number): SecureContexts {
  // The key need not be looked at: a certificate has only one.
  const contexts = new Map<string, SecureContext>();
  return ({ chainPem, privateKeyPem }) => {
    const known = contexts.get(chainPem);
    if (known !== undefined) {
      // A Map keeps the order of insertion, so that the first key is the one not wanted for longest.
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
