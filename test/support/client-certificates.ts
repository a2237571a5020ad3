import { type ChainCertificate, type ChainRequest, makeChainCertificate } from "./made-chain";

/** Extended key usage of certificates of clients. */
export const clientUsage = "1.3.6.1.5.5.7.3.2";

/** A root, an intermediate, and certificates of clients of the intermediate. */
export function makeClientPki() {
  const root = makeChainCertificate({ commonName: "Clients Root", isAuthority: true });
  const intermediate = makeChainCertificate({ commonName: "Clients Intermediate", isAuthority: true, issuer: root });
  const client = (more: Partial<ChainRequest> = {}) =>
    makeChainCertificate({ commonName: "client", issuer: intermediate, usages: [clientUsage], ...more });
  return { root, intermediate, client };
}

/** Options of Node's TLS client for a certificate and further certificates that it sends. */
export function asClient({ pem, keyPem }: ChainCertificate, ...others: readonly ChainCertificate[]) {
  return { cert: [pem, ...others.map((other) => other.pem)].join(""), key: keyPem };
}
