export {
  type AuthorizationAttempt,
  type CertificateReader,
  certificateReader,
  type LiveCertificate,
} from "./certificate-manager";
