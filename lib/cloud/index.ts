/**
 * The rehearsal cloud: the services of a migration on one machine, with Google Cloud's wire protocols. All traffic
 * stays on the loopback interface. Without a state file, all data ends with the process.
 *
 * @packageDocumentation
 */
export { type IssuedIdentity, makeClientIdentity } from "./certificate-authority";
export { startCloud } from "./cloud";
export type { ServedRecords } from "./cloud-dns/service";
export type { Cloud, CloudBehavior, CloudEndpoints, CloudOptions, Issued } from "./cloud-model";
export { type FaultPlan, readFaultPlan } from "./faults";
export type { LoggedRequest } from "./front";
export type { FrontEndChange, Listening, Unbound } from "./load-balancer";
export type { OperationTime } from "./operations";
export { fitsStarPattern } from "./star-pattern";
export type { CloudClock } from "./state";
export {
  makeThirdPartyCertificates,
  startThirdPartyServer,
  type ThirdPartyServer,
  type ThirdPartyServerOptions,
} from "./third-party-server";
export type { ClientRequirement, HandshakeCounts } from "./tls";
