export type { InjectedFailure } from "./authorization-check";
export type { CertificateMapEntry } from "./certificate-maps";
export type { KeyMaterial } from "./certificates";
export type { IssuancePace, IssuedCertificate, RenewingState } from "./issuance";
export type { LookUp, LookUpAnswer } from "./look-up";
export { CertificateManager, type CertificateManagerOptions } from "./service";
