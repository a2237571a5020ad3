export type { CertificateMapEntry } from "./certificate-maps";
export type { KeyMaterial } from "./certificates";
export type { InjectedFailure, LookUpAnswer, ValidationLookUp } from "./domain-validation";
export type { IssuancePace, IssuedCertificate, RenewingState } from "./issuance";
export { locationOf, resourceErrors } from "./names";
export { createLocatedOperations } from "./operations";
export { type ResourceContext, resourceHandlers } from "./resource-handlers";
export { CertificateManager, type CertificateManagerOptions, type HttpsFrontend } from "./service";
export { type TrustConfig, trustedCertificatesOf } from "./trust-configs";
