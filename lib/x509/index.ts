export { type CaaVerdict, caaConditions, googleIdentity, readCaa } from "./caa";
export {
  type CertificateChain,
  certificatesIn,
  type DescribedCertificate,
  findLeaves,
  isIssuedByOneOf,
  isOutOfOrder,
  keyMatches,
  readCertificate,
  readCertificateChain,
  refusalOfCertificate,
  unreadableCertificate,
} from "./chain";
export { type CertificateFacts, describeCertificate, fingerprintOf } from "./facts";
export { excludedByConstraints } from "./name-constraints";
export { ocspFault, reportsRevocation } from "./ocsp";
export { certificateBlocksOf, isCertificateBlock, type PemBlock, readPemBlocks } from "./pem";
