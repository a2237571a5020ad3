export {
  assessRenewal,
  type RenewalFinding,
  type RenewalObstacle,
  renewalDueAt,
  type ServingCertificate,
  type Validity,
} from "./assess";
export { type RenewalCode, renewalCodes } from "./codes";
