export {
  type AuthorizationAttempt,
  type CertificateReader,
  certificateReader,
  type LiveCertificate,
} from "./certificate-manager";
export { type LiveZone, listZones } from "./dns-zones";
export {
  type LiveAuthorization,
  type LiveEntry,
  type LiveMap,
  type ResourceLister,
  resourceLister,
} from "./live-resources";
export {
  type LiveAddress,
  type LiveForwardingRule,
  type LiveProxy,
  type LiveSslCertificate,
  type LoadBalancerReader,
  loadBalancerReader,
} from "./load-balancers";
export { type ProjectQuota, type ProjectReader, projectReader } from "./projects";
export { createRestApi, type RestApi } from "./rest";
