export { type IdentityRequest, isAllowedBy } from "./cel";
export { durationMs, type IssuancePolicy, type LeafRequest, limitedLifetimeMs, refusalOfPolicy } from "./policy";
export { readIssuancePolicy } from "./read";
