export {
  type AuthorizationAttempt,
  type CertificateReader,
  certificateReader,
  type LiveCertificate,
} from "./certificate-manager";
export {
  type LiveAuthorization,
  type LiveEntry,
  type LiveMap,
  type ResourceLister,
  resourceLister,
} from "./live-resources";
