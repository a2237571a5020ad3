/** A certificate as far as waiting for it goes; enumerations by name. */
export interface LiveCertificate {
  /** `projects/P/locations/L/certificates/C`. */
  readonly name: string;
  readonly kind: "managed" | "selfManaged";
  /** `PROVISIONING`, `FAILED` or `ACTIVE`; a self-managed certificate is active as soon as it is there. */
  readonly state: string;
  /** `EDGE_CACHE`, `ALL_REGIONS` or `CLIENT_AUTH`, where it is not for load balancers of its own location. @default `DEFAULT` */
  readonly scope?: string;
  readonly domains: readonly string[];
  readonly attempts: readonly AuthorizationAttempt[];
  readonly issue?: { readonly reason: string; readonly details: string };
  /** Until when it is valid, ISO 8601 in UTC; once it is issued. */
  readonly expireTime?: string;
  /** The certificate and its chain, in PEM; once it is issued. */
  readonly certificatePem?: string;
}

export interface AuthorizationAttempt {
  readonly domain: string;
  /** `AUTHORIZING`, `AUTHORIZED` or `FAILED`. */
  readonly state: string;
  /** `CONFIG`, `CAA` or `RATE_LIMITED`, where it failed. */
  readonly failureReason?: string;
  readonly details?: string;
}
