export { assessStatus, balancerAddresses, hostnamesOf } from "./assess";
export { type StatusOwnCode, statusCodes } from "./codes";
export { type HostnameStatus, type Observed, type StepState, type StepStatus, stepNames } from "./model";
export { type Look, type ObserveOptions, observe, observeAll } from "./observe";
export { readVerification, type StatusVerification, type VerifiedServing } from "./verification";
export {
  countSteps,
  type StatusChange,
  type StatusLook,
  type StatusWatchOptions,
  type StepCounts,
  statusChanges,
  watchStatus,
} from "./watch";
