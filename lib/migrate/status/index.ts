export { assessStatus } from "./assess";
export { type HostnameStatus, type Observed, type StepState, type StepStatus, stepNames } from "./model";
export { type ObserveOptions, observe } from "./observe";
