export { type Authority, type AuthorityState, createAuthority } from "./certificate-authority";
export type { CopiedCertificate, CopyRequest } from "./issuer";
export type { PublicKeyAlgorithm } from "./keys";
export {
  type IssuedIdentity,
  issueUnder,
  makeClientIdentity,
  makeLoopbackCertificate,
  makePrivateRoot,
  type PrivateRoot,
} from "./private-root";
