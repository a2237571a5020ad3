export type { InjectedFailure, LookUp, LookUpAnswer } from "./authorization-check";
export type { CertificateMapEntry } from "./certificate-maps";
export type { KeyMaterial } from "./certificates";
export type { IssuancePace, IssuedCertificate, RenewingState } from "./issuance";
export { CertificateManager, type CertificateManagerOptions } from "./service";
