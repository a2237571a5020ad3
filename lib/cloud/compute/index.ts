/** The load balancing part of Compute Engine. */
export type { CertificateLookup } from "./certificate-names";
export type { Frontend, FrontendCertificate } from "./frontends";
export { type ComputeOptions, type ComputeService, createComputeService } from "./service";
