export { assessStatus, balancerAddresses, eachStatus, hostnamesOf, recordStanding } from "./assess";
export { type StatusOwnCode, statusCodes } from "./codes";
export { type ObservedMigration, pairUp, verifyOnce } from "./handshakes";
export { type HostnameStatus, type Observed, type StepState, type StepStatus, stepNames } from "./model";
export { askingOnce, type Observation, type ObserveOptions, observeAll } from "./observe";
export { assessRenewals } from "./renewals";
export { readVerification, type StatusVerification, type VerifiedServing } from "./verification";
export {
  countSteps,
  type HostnamesSnapshot,
  type StatusChange,
  type StatusWatchOptions,
  type StepCounts,
  statusChanges,
  watchStatus,
} from "./watch";
