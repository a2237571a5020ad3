export { type Authority, type AuthorityState, createAuthority } from "./authority";
export type { PublicKeyAlgorithm } from "./keys";
export { makeLoopbackCertificate } from "./loopback";
