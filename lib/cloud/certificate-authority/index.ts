export { type Authority, type AuthorityState, createAuthority } from "./certificate-authority";
export { type ClientIdentity, makeClientIdentity } from "./client-identity";
export type { CopiedCertificate, CopyRequest } from "./copies";
export type { PublicKeyAlgorithm } from "./keys";
export { makeLoopbackCertificate } from "./loopback";
export { issueUnder, makePrivateRoot, type PrivateRoot } from "./private-root";
