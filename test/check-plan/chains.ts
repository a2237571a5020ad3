import { generateKeyPairSync } from "node:crypto";
import { type ChainCertificate, type ChainRequest, makeChainCertificate } from "../support/made-chain";
import { judgedAt } from "./plans";

const dayMs = 24 * 3_600_000;
const dates = { notBefore: new Date(judgedAt.getTime() - dayMs), notAfter: new Date(judgedAt.getTime() + 300 * dayMs) };
const make = (request: ChainRequest) => makeChainCertificate({ ...dates, ...request });

const root = make({ commonName: "Root", isAuthority: true });
const intermediate = make({ commonName: "Intermediate", isAuthority: true, issuer: root });

/** A certificate for servers, issued by {@link intermediate}. */
export function leaf(names: readonly string[], request: Partial<ChainRequest> = {}): string {
  return make({ commonName: names[0] ?? "Leaf", names, issuer: intermediate, ...request }).pem;
}

export const intermediatePem = intermediate.pem;

/** A certificate with its chain, as a CA delivers it. */
export function chain(...names: readonly string[]): string {
  return leaf(names) + intermediatePem;
}

export function selfSigned(...names: readonly string[]): string {
  return make({ commonName: names[0] ?? "Self", names }).pem;
}

export function clientOnly(...names: readonly string[]): string {
  return leaf(names, { usages: ["1.3.6.1.5.5.7.3.2"] }) + intermediatePem;
}

export function forServersAndClients(...names: readonly string[]): string {
  return leaf(names, { usages: ["1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.1"] }) + intermediatePem;
}

/** A certificate with an RSA key of 1024 bits. */
export function weak(...names: readonly string[]): string {
  const keyPem = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  });
  const of: ChainCertificate = { ...intermediate, keyPem: keyPem.toString() };
  return leaf(names, { of }) + intermediatePem;
}

export function rsa(...names: readonly string[]): string {
  return leaf(names, { keyType: "rsa" }) + intermediatePem;
}
