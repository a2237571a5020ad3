export { type CaaVerdict, googleIdentity, readCaa } from "./caa";
export {
  type CertificateChain,
  certificatesIn,
  type DescribedCertificate,
  findLeaves,
  keyMatches,
  readCertificate,
  readCertificateChain,
  refusalOfCertificate,
  unreadableCertificate,
} from "./chain";
export { type CertificateFacts, describeCertificate, fingerprintOf } from "./facts";
export { ocspFault } from "./ocsp";
export { certificateBlocksOf, isCertificateBlock, type PemBlock, readPemBlocks } from "./pem";
