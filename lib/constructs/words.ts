import type { AuthorizationTypeName, CertificateScopeName, GateName, NamedResourceKind, PhaseName } from "../plan";

/*
 * The words of props as constants, for languages in which words are plain text. In TypeScript, a constant and its word
 * are the same: `gate: Gate.WAIT` and `gate: "wait"`. These are classes, because jsii has no constants outside of
 * classes, and enumerations do not accept their words.
 */

/** Words for the prop `gate`. */
// biome-ignore lint/complexity/noStaticOnlyClass: jsii has no other constants
export class Gate {
  /** Terraform waits until a certificate is ACTIVE. */
  static readonly WAIT: GateName = "wait";
  /** Preconditions of Terraform stop an apply before a certificate is ACTIVE. */
  static readonly PRECONDITION: GateName = "precondition";
  /** Each plan prints a warning until a certificate is ACTIVE. */
  static readonly CHECK: GateName = "check";
  /** No protection. */
  static readonly NONE: GateName = "none";
}

/** Words for the prop `phase`. */
// biome-ignore lint/complexity/noStaticOnlyClass: jsii has no other constants
export class Phase {
  /** Authorizations, records and certificates. */
  static readonly ISSUE: PhaseName = "issue";
  /** Also the map, its entries and the attachment to target proxies. */
  static readonly SERVE: PhaseName = "serve";
}

/** Words for the prop `authorizationType`. */
// biome-ignore lint/complexity/noStaticOnlyClass: jsii has no other constants
export class AuthorizationType {
  /** The same record in every project. */
  static readonly FIXED_RECORD: AuthorizationTypeName = "FIXED_RECORD";
  /** A record that contains the project. */
  static readonly PER_PROJECT_RECORD: AuthorizationTypeName = "PER_PROJECT_RECORD";
}

/** Words for the scope of a certificate. */
// biome-ignore lint/complexity/noStaticOnlyClass: jsii has no other constants
export class CertificateScope {
  /** For map entries and regional proxies. */
  static readonly DEFAULT: CertificateScopeName = "DEFAULT";
  /** For cross-region internal proxies. */
  static readonly ALL_REGIONS: CertificateScopeName = "ALL_REGIONS";
}

/** Words for the prop `to` of `traffic`. */
// biome-ignore lint/complexity/noStaticOnlyClass: jsii has no other constants
export class TrafficTarget {
  /** The values of the records before the migration. */
  static readonly PREVIOUS: "previous" = "previous";
  /** The addresses of the load balancer. */
  static readonly LOAD_BALANCER: "loadBalancer" = "loadBalancer";
}

/** Words for the kinds of resources that {@link INaming} names. */
// biome-ignore lint/complexity/noStaticOnlyClass: jsii has no other constants
export class NamedResource {
  /** A DNS authorization. */
  static readonly AUTHORIZATION: NamedResourceKind = "authorization";
  /** A certificate, managed or uploaded. */
  static readonly CERTIFICATE: NamedResourceKind = "certificate";
  /** An issuance config of a private CA. */
  static readonly ISSUANCE_CONFIG: NamedResourceKind = "issuanceConfig";
  /** A certificate map. */
  static readonly MAP: NamedResourceKind = "map";
  /** An entry of a certificate map. */
  static readonly ENTRY: NamedResourceKind = "entry";
  /** A target HTTPS proxy. */
  static readonly TARGET_HTTPS_PROXY: NamedResourceKind = "targetHttpsProxy";
  /** A target SSL proxy. */
  static readonly TARGET_SSL_PROXY: NamedResourceKind = "targetSslProxy";
  /** A forwarding rule. */
  static readonly FORWARDING_RULE: NamedResourceKind = "forwardingRule";
  /** A trust config of client authentication. */
  static readonly TRUST_CONFIG: NamedResourceKind = "trustConfig";
  /** A server TLS policy of client authentication. */
  static readonly SERVER_TLS_POLICY: NamedResourceKind = "serverTlsPolicy";
}
