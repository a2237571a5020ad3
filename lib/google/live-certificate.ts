/** The fields of a certificate that matter while waiting for it; enumerations by name. */
export interface LiveCertificate {
  /** `projects/P/locations/L/certificates/C`. */
  readonly name: string;
  readonly kind: "managed" | "selfManaged";
  /** `PROVISIONING`, `FAILED` or `ACTIVE`; a self-managed certificate is active as soon as it exists. */
  readonly state: string;
  /**
   * `EDGE_CACHE`, `ALL_REGIONS` or `CLIENT_AUTH`, if it is not for load balancers of its own location.
   *
   * @default `DEFAULT`
   */
  readonly scope?: string;
  /**
   * `loadBalancer` for a managed certificate that becomes ACTIVE only after its domains lead to a load balancer that
   * has it.
   *
   * @default - DNS authorizations, a private CA, or a self-managed certificate
   */
  readonly validation?: "loadBalancer";
  readonly domains: readonly string[];
  readonly attempts: readonly AuthorizationAttempt[];
  readonly issue?: { readonly reason: string; readonly details: string };
  /** DNS authorizations of a managed certificate. @default - none, or not known */
  readonly authorizations?: readonly string[];
  /** Issuance config of a certificate of a private CA; absent for other ones. */
  readonly issuanceConfig?: string;
  /** CA pool of an issued certificate of a private CA. @default - a public CA, or not known */
  readonly caPool?: string;
  /** Share of its lifetime after which the certificate is renewed, 0 to 1. @default - 2/3, or not known */
  readonly renewalShare?: number;
  /** Lifetime that its issuance config asks for. @default - a public CA, or not known */
  readonly lifetimeMs?: number;
  /** End of validity, ISO 8601 in UTC; absent before issuance. */
  readonly expireTime?: string;
  /** The certificate and its chain, in PEM; absent before issuance. */
  readonly certificatePem?: string;
  /** The certificate itself, where the PEM is not kept. @default - not issued, or in `certificatePem` */
  readonly leaf?: LiveLeaf;
}

export interface AuthorizationAttempt {
  readonly domain: string;
  /** `AUTHORIZING`, `AUTHORIZED` or `FAILED`. */
  readonly state: string;
  /** `CONFIG`, `CAA` or `RATE_LIMITED`, if the authorization failed. */
  readonly failureReason?: string;
  readonly details?: string;
}

/** What identifies an issued certificate, and its validity. */
export interface LiveLeaf {
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** In lower-case hexadecimal. */
  readonly fingerprintSha256: string;
}
