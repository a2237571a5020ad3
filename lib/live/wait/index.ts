export {
  assess,
  describeFinding,
  describeReason,
  type ResourceState,
  type WaitFinding,
} from "./assess";
export { type WaitCode, waitCodes } from "./codes";
export {
  type EntryWaitOptions,
  type WaitOptions,
  type WaitResult,
  type WaitSettings,
  waitForCertificates,
  waitForEntries,
} from "./wait";
