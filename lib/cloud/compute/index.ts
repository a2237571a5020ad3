/** The part of Compute Engine that a load balancer is made of. */
export type { CertificateLookup } from "./certificate-names";
export type { Frontend, FrontendCertificate } from "./frontends";
export { type ComputeOptions, type ComputeService, createComputeService } from "./service";
