export type { KeyFamily } from "../../tls/key-families";
export { awaitAcceptance } from "./acceptance";
export { handshakeCodes, type ServingFailure, type VerifyCode, verifyCodes } from "./codes";
export { type CompareOptions, compareProviders, comparisonNotStarted, type ProviderComparison } from "./compare";
export {
  differingFindings,
  expiryFindings,
  type Fallback,
  type FallbackOptions,
  probeFallbacks,
  unconfirmedFindings,
  type VerifyFinding,
} from "./findings";
export { type Handshake, type HandshakeFailure, type HandshakeTarget, shakeHands } from "./handshake";
export {
  type ChainAuthor,
  type ClientIdentity,
  type ClientKind,
  createClients,
  type HandshakeParticulars,
  type ServedCertificate,
} from "./handshake-model";
export { type LoggedVerification, loggedVerification, passingTimes, readVerifyLog } from "./log";
export type { Outlook } from "./outlook";
export { type ExpectedCertificate, type PlannedCertificates, readPlanned } from "./planned";
export { type PoolTrust, readPoolTrust, type TrustedPool } from "./pool-trust";
export {
  type PreviousAddress,
  type PreviousAddressSource,
  type PreviousOptions,
  plannedBefore,
  previousAddresses,
} from "./previous";
export type { VerifyFailure, VerifyResult, VerifySuccess } from "./results";
export { type PrimaryTarget, plannedNames, primariesOf, probeName, targetsOf, type VerifyTarget } from "./targets";
export type { TlsCapabilities } from "./tls-capabilities";
export { type VerifyOptions, verifyServing } from "./verify";
