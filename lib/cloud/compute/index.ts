export type { Frontend, FrontendCertificate } from "./frontends";
export type { CertificateLookup } from "./references";
export { type ComputeOptions, createComputeService } from "./service";
