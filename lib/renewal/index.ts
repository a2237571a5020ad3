export { assessRenewal, type RenewalFinding, renewalDueAt, type ServingCertificate, type Validity } from "./assess";
export { type RenewalCode, renewalCodes } from "./codes";
