export type { InjectedFailure, LookUp, LookUpAnswer } from "./authorization-check";
export type { CertificateMapEntry } from "./certificate-maps";
export type { Certificate, KeyMaterial } from "./certificates";
export type { IssuancePace, Issue, IssuedCertificate } from "./issuance";
export { CertificateManager, type CertificateManagerOptions } from "./service";
