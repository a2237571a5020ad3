/**
 * Kind of a load balancer.
 *
 * - `globalExternal`: global or classic external Application Load Balancer, or external proxy Network Load Balancer;
 *   certificates in a certificate map.
 * - `regionalExternal`, `regionalInternal`: regional Application Load Balancers; certificates of the same region,
 *   directly on the proxy.
 * - `crossRegionInternal`: cross-region internal Application Load Balancer; certificates with scope ALL_REGIONS,
 *   directly on the proxy.
 */
export type LoadBalancerKind = "globalExternal" | "regionalExternal" | "regionalInternal" | "crossRegionInternal";

/** The load balancer that serves the certificates: its kind, target proxies and addresses. */
export interface LoadBalancerSpec extends LoadBalancerOptions, SslProxyOptions {
  /** Kind of the load balancer, which determines proxies, certificates and attachment. */
  readonly kind: LoadBalancerKind;

  /** Region of a regional load balancer, for example `europe-west1`; other kinds have no region. */
  readonly region?: string;
}

/** The fields of every kind of load balancer. */
export interface LoadBalancerOptions {
  /** Project of new proxies and forwarding rules; or a reference. @default - the migration's project @reference id */
  readonly project?: string;

  /** A target HTTPS proxy to create. @default - none */
  readonly newTargetHttpsProxy?: NewTargetHttpsProxySpec;

  /** Existing target HTTPS proxies, which Terraform imports. @default - none */
  readonly adoptTargetHttpsProxies?: readonly AdoptedTargetHttpsProxySpec[];

  /**
   * Target HTTPS proxies that serve the hostnames today and keep their addresses: traffic doesn't move, so there is no
   * step 8. The owner of each proxy attaches the map in place; a proxy that is also adopted gets the map from this
   * migration. `globalExternal` only.
   *
   * @default - none: traffic moves to the load balancer
   */
  readonly servingProxies?: readonly ServingProxySpec[];

  /**
   * IP addresses of the load balancer, for step 8 and the verification. In a plain list a reference counts as IPv4;
   * use an object to set the family.
   *
   * @default - the addresses of the forwarding rules that the migration creates
   * @reference id, variables
   */
  readonly addresses?: readonly string[] | AddressesSpec;
}

/** The target SSL proxies of a load balancer of the kind `globalExternal`. */
export interface SslProxyOptions {
  /** A target SSL proxy to create; `globalExternal` only. @default - none */
  readonly newTargetSslProxy?: NewTargetSslProxySpec;

  /** Existing target SSL proxies, which Terraform imports; `globalExternal` only. @default - none */
  readonly adoptTargetSslProxies?: readonly AdoptedTargetSslProxySpec[];
}

/** A target HTTPS or SSL proxy that serves hostnames of the migration today. */
export interface ServingProxySpec {
  /**
   * Id of the proxy: `projects/P/global/targetHttpsProxies/N` or `projects/P/global/targetSslProxies/N`. The
   * configuration that owns a target SSL proxy needs google 7.19 or later to attach a map beside the certificates.
   */
  readonly proxy: string;
  /** IP addresses of its forwarding rules on port 443; at least one. @reference id, variables */
  readonly addresses: readonly string[];
  /** Certificates that are attached to the proxy directly. @default - none */
  readonly certificates?: readonly ServingCertificateSpec[];
}

/** A certificate that a proxy serves today. */
export interface ServingCertificateSpec {
  /** Id of the certificate: `projects/P/global/sslCertificates/C`. */
  readonly id: string;
  /** DNS names of the certificate; at least one. */
  readonly domains: readonly string[];
}

/** IP addresses by family; literals or references. */
export interface AddressesSpec {
  /** @default - none @reference id, variables */
  readonly ipv4?: readonly string[];
  /** @default - none @reference id, variables */
  readonly ipv6?: readonly string[];
}

/**
 * Validation of client certificates (mutual TLS) by a target HTTPS proxy, as a trust config and a server TLS policy
 * that the migration creates. Each text is PEM with one or more certificates, or a reference.
 */
export interface ClientAuthenticationSpec {
  /**
   * Handling of clients without a valid certificate. `ALLOW_INVALID_OR_MISSING_CLIENT_CERT`: the connection continues,
   * and backends read the result from request headers. `REJECT_INVALID`: the load balancer closes the connection.
   */
  readonly mode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" | "REJECT_INVALID";
  /**
   * Root certificates at which the chains of clients end.
   *
   * @default - none; `allowlisted` is required then
   * @reference whole
   */
  readonly trustAnchors?: readonly string[];
  /** Intermediate certificates that clients don't send. @default - none @reference whole */
  readonly intermediates?: readonly string[];
  /**
   * Certificates of clients that are valid without a chain, even after their expiry.
   *
   * @default - none
   * @reference whole
   */
  readonly allowlisted?: readonly string[];
}

/** A target HTTPS proxy to create. */
export interface NewTargetHttpsProxySpec {
  /** Id or self link of the URL map; or a reference. @reference id */
  readonly urlMap: string;
  /** Name of the proxy. @default - derived from the migration's name */
  readonly name?: string;
  /** Id of an SSL policy; or a reference. @default - the load balancer's default policy @reference id */
  readonly sslPolicy?: string;
  /** Whether to offer HTTP/3; not on regional proxies. @default "NONE", the load balancer's default */
  readonly quicOverride?: "NONE" | "ENABLE" | "DISABLE";
  /** Validation of client certificates. @default - client certificates are not requested */
  readonly clientAuthentication?: ClientAuthenticationSpec;
  /**
   * Id of an existing server TLS policy in the proxy's location; or a reference. Not with `clientAuthentication`.
   *
   * @default - none
   * @reference id
   */
  readonly serverTlsPolicy?: string;
  /** Forwarding rules of the proxy. @default - none */
  readonly forwardingRules?: ForwardingRulesSpec;
}

/** A target SSL proxy to create. */
export interface NewTargetSslProxySpec {
  /** Id or self link of the backend service; or a reference. @reference id */
  readonly backendService: string;
  /** Name of the proxy. @default - derived from the migration's name */
  readonly name?: string;
  /** Id of an SSL policy; or a reference. @default - the load balancer's default policy @reference id */
  readonly sslPolicy?: string;
  /** Whether to send the header of the PROXY protocol to backends. @default "NONE" */
  readonly proxyHeader?: "NONE" | "PROXY_V1";
  /** Forwarding rules of the proxy. @default - none */
  readonly forwardingRules?: ForwardingRulesSpec;
}

/** Forwarding rules for port 443, one per address family; at least one. */
export interface ForwardingRulesSpec {
  /**
   * A reserved IPv4 address; or its name, its id or link, for example `global/addresses/shop`; or a reference.
   *
   * @default - no rule for IPv4
   * @reference id, variables
   */
  readonly ipv4Address?: string;
  /**
   * A reserved IPv6 address or range; or its name, its id or link; or a reference.
   *
   * @default - no rule for IPv6
   * @reference id, variables
   */
  readonly ipv6Address?: string;
  /**
   * Scheme of `globalExternal`; `EXTERNAL` is the classic load balancer. The internal kinds always use
   * `INTERNAL_MANAGED`.
   *
   * @default "EXTERNAL_MANAGED"
   */
  readonly loadBalancingScheme?: "EXTERNAL" | "EXTERNAL_MANAGED";
  /** VPC network, on regional and internal kinds; or a reference. @default - the default network @reference id */
  readonly network?: string;
  /** Subnetwork, on internal kinds; or a reference. @default - chosen by the service @reference id */
  readonly subnetwork?: string;
}

/**
 * An existing target HTTPS proxy to import. List every field, because Terraform resets missing fields. An
 * empty text, an empty list, 0 and `UNSET` mean that the proxy has no value. JSON and YAML of earlier versions have
 * `null` instead.
 */
export interface AdoptedTargetHttpsProxySpec {
  /** Resource name of the proxy. */
  readonly name: string;
  /** Project of the proxy. @default - the load balancer's project @reference id */
  readonly project?: string;
  /** Id or self link of the URL map; or a reference. @reference id */
  readonly urlMap: string;
  /**
   * Self links of the certificates on the proxy, at most 15; empty for none. With a map the load balancer ignores them,
   * but Terraform keeps them.
   *
   * @reference id
   * @nullable
   */
  readonly sslCertificates: readonly string[];
  /** Id of the SSL policy, or a reference; empty for none. @reference id @nullable */
  readonly sslPolicy: string;
  /**
   * Whether the proxy gets the certificate map. `false` leaves or restores the proxy's own certificates: before the map
   * is attached, and to roll back.
   *
   * @default true
   */
  readonly attachMap?: boolean;
  /** Whether the proxy offers HTTP/3; `UNSET` if never set. Omit it on regional proxies. @nullable */
  readonly quicOverride?: "NONE" | "ENABLE" | "DISABLE" | "UNSET";
  /** Whether the proxy accepts TLS 1.3 early data; `UNSET` if never set. Omit it on regional proxies. @nullable */
  readonly tlsEarlyData?: "STRICT" | "PERMISSIVE" | "UNRESTRICTED" | "DISABLED" | "UNSET";
  /**
   * Timeout of idle client connections, in seconds, 5 to 1200, on regional proxies up to 600; 0 for the load
   * balancer's default.
   *
   * @minimum 0
   * @maximum 1200
   * @nullable
   */
  readonly httpKeepAliveTimeoutSeconds: number;
  /**
   * Server TLS policy, or a reference; empty for none. Every change of the proxy preserves it.
   *
   * @reference id
   * @nullable
   */
  readonly serverTlsPolicy: string;
  /** Validation of client certificates, for a proxy without a server TLS policy. @default - `serverTlsPolicy` only */
  readonly clientAuthentication?: ClientAuthenticationSpec;
  /** Description; empty for none. @nullable */
  readonly description: string;
}

/**
 * An existing target SSL proxy to import. List every field, because Terraform resets missing fields. An
 * empty text, an empty list, 0 and `UNSET` mean that the proxy has no value. JSON and YAML of earlier versions have
 * `null` instead.
 */
export interface AdoptedTargetSslProxySpec {
  /** Resource name of the proxy. */
  readonly name: string;
  /** Project of the proxy. @default - the load balancer's project @reference id */
  readonly project?: string;
  /** Id or self link of the backend service; or a reference. @reference id */
  readonly backendService: string;
  /**
   * Certificates on the proxy; empty for none. They stay beside the map, so that a rollback only removes the map.
   * Before 7.19 the provider refuses both together.
   *
   * @reference id
   * @nullable
   */
  readonly sslCertificates: readonly string[];
  /**
   * Whether the proxy gets the certificate map. `false` leaves or restores the proxy's own certificates: before the map
   * is attached, and to roll back.
   *
   * @default true
   */
  readonly attachMap?: boolean;
  /** Id of the SSL policy, or a reference; empty for none. @reference id @nullable */
  readonly sslPolicy: string;
  /** Whether the proxy sends the header of the PROXY protocol to backends; `UNSET` if never set. @nullable */
  readonly proxyHeader: "NONE" | "PROXY_V1" | "UNSET";
  /** Description; empty for none. @nullable */
  readonly description: string;
}
