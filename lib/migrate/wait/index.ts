export { type Assessment, assess, type Standing } from "./assess";
export {
  type EntryWaitOptions,
  type WaitOptions,
  type WaitResult,
  type WaitSettings,
  waitForCertificates,
  waitForEntries,
} from "./wait";
