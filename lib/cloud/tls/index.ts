export {
  type ClientCertificates,
  type ClientRequirement,
  readClientRequirement,
  withFurtherAnchors,
} from "./client-certificates";
export type { TlsListenerLimits } from "./connection";
export { createSecureContexts } from "./contexts";
export {
  checkLoopback,
  explainListenError,
  startTlsListener,
  type TlsListener,
  type TlsListenerOptions,
} from "./listener";
export type { HandshakeReport } from "./report";
export { createHandshakeCounter, type HandshakeCounts } from "./report";
export {
  type CertificateEntries,
  type CertificateEntry,
  directEntries,
  entryFor,
  readServerCertificate,
  type ServerCertificate,
  selectCertificate,
} from "./select";
