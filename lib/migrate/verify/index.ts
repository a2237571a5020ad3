export {
  type Handshake,
  type HandshakeFailure,
  type HandshakeTarget,
  handshakeRemedies,
  type ServedCertificate,
  shakeHands,
} from "./handshake";
export { readStackTargets, type StackTargets } from "./stack";
export { type VerifyOptions, type VerifyResult, verifyServing } from "./verify";
