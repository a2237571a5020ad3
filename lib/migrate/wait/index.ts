export { type Assessment, assess, type Standing } from "./assess";
export { type WaitOptions, type WaitResult, waitForCertificates } from "./wait";
