export {
  type Authority,
  type AuthorityOptions,
  type AuthorityState,
  type CertificateRequest,
  createAuthority,
  type IssuedCertificate,
} from "./authority";
export type { KeyPair, PublicKeyAlgorithm } from "./keys";
