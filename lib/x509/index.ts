export {
  type CertificateChain,
  type DescribedCertificate,
  findLeaves,
  keyMatches,
  readCertificate,
  readCertificateChain,
} from "./chain";
export { type CertificateFacts, describeCertificate } from "./facts";
export { isCertificateBlock, type PemBlock, readPemBlocks } from "./pem";
