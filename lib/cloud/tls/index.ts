export type { AnsweredRequest } from "./answer";
export type { ClientHello } from "./client-hello";
export { createSecureContexts, type SecureContexts } from "./contexts";
export { createHandshakeCounter, type HandshakeCounter, type HandshakeCounts } from "./count";
export { startTlsListener, type TlsListener, type TlsListenerLimits, type TlsListenerOptions } from "./listener";
export type { AnsweredHandshake, FailedHandshake, HandshakeError, HandshakeErrorCode, HandshakeReport } from "./report";
export {
  type CertificateEntries,
  type CertificateEntry,
  directEntries,
  readServerCertificate,
  type Selection,
  type SelectionRefusal,
  type ServerCertificate,
  selectCertificate,
} from "./select";
