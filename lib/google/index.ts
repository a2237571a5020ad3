export {
  type CertificateReader,
  certificateReader,
  type LiveAuthorization,
  type LiveEntry,
  type LiveMap,
  type ResourceLister,
  resourceLister,
} from "./certificate-manager";
export { type LiveRecordSet, type LiveZone, listRecordSets, listZones } from "./dns-zones";
export { gkeOwnerOf, type OwnershipTraces } from "./gke-owner";
export type { AuthorizationAttempt, LiveCertificate, LiveLeaf } from "./live-certificate";
export {
  type LiveAddress,
  type LiveForwardingRule,
  type LiveProxy,
  type LiveSslCertificate,
  type LoadBalancerReader,
  loadBalancerReader,
} from "./load-balancers";
export {
  type LiveAuthority,
  type LiveCaPool,
  type LiveIssuanceConfig,
  type PrivateCaReader,
  privateCaReader,
  type RoleBinding,
} from "./private-cas";
export { entryList, type ProjectLister, type ProjectListName, projectLister, projectLists } from "./project-lists";
export { type ProjectQuota, type ProjectReader, projectReader } from "./projects";
export { type ReportsCredentials, type ReportsCredentialsOptions, reportsCredentials } from "./reports-credentials";
export { createRestApi, type RestApi, type RestOptions } from "./rest";
