export type { KeyFamily } from "../../tls/key-families";
export { awaitAcceptance } from "./acceptance";
export { type ClientIdentity, type ClientKind, createClients } from "./clients";
export { type ServingFailure, type VerifyCode, verifyCodes } from "./codes";
export { type CompareOptions, compareProviders, type ProviderComparison } from "./compare";
export { expiryFindings } from "./expiry";
export { type Fallback, type FallbackOptions, probeFallbacks, type VerifyFinding } from "./fallback";
export { type Handshake, type HandshakeFailure, type HandshakeTarget, shakeHands } from "./handshake";
export { type LoggedVerification, loggedVerification, passingTimes, readVerifyLog } from "./log";
export { probeName } from "./names";
export type { Outlook } from "./outlook";
export { type PlannedCertificate, type PlannedCertificates, readPlanned } from "./planned";
export { type PoolTrust, readPoolTrust, type TrustedPool } from "./pool-trust";
export {
  type PreviousAddress,
  type PreviousAddressSource,
  type PreviousOptions,
  plannedBefore,
  previousAddresses,
} from "./previous";
export type { VerifyFailure, VerifyResult, VerifySuccess } from "./results";
export type { ServedCertificate } from "./served-certificate";
export {
  type PrimaryTarget,
  plannedNames,
  primariesOf,
  targetsOf,
  type VerifyTarget,
} from "./targets";
export type { TlsCapabilities } from "./tls-capabilities";
export { unconfirmedFindings } from "./unconfirmed";
export { type VerifyOptions, verifyServing } from "./verify";
