/**
 * - `globalExternal`: global or classic external Application Load Balancer, or external proxy Network Load Balancer; uses a certificate map.
 * - `regionalExternal`, `regionalInternal`: regional Application Load Balancers; certificates of that region directly on the proxy.
 * - `crossRegionInternal`: cross-region internal Application Load Balancer; certificates of scope ALL_REGIONS directly on the proxy.
 */
export type LoadBalancerKind = "globalExternal" | "regionalExternal" | "regionalInternal" | "crossRegionInternal";

/** What presents the certificates: which kind of load balancer, its proxies, and where it answers. */
export interface LoadBalancerSpec {
  /** Which kind it is: proxies, certificates and attachment follow from it. */
  readonly kind: LoadBalancerKind;

  /** Region of a regional load balancer, as in `europe-west1`; no other kind takes one. */
  readonly region?: string;

  /** Project of new proxies and forwarding rules; or a reference. @default - the migration's project */
  readonly project?: string;

  /** A target HTTPS proxy to make. @default - none */
  readonly newTargetHttpsProxy?: NewTargetHttpsProxySpec;

  /** A target SSL proxy to make; `globalExternal` only. @default - none */
  readonly newTargetSslProxy?: NewTargetSslProxySpec;

  /** Target HTTPS proxies that were made elsewhere and are brought under Terraform here. @default - none */
  readonly adoptTargetHttpsProxies?: readonly AdoptedTargetHttpsProxySpec[];

  /** Target SSL proxies that were made elsewhere and are brought under Terraform here; `globalExternal` only. @default - none */
  readonly adoptTargetSslProxies?: readonly AdoptedTargetSslProxySpec[];

  /**
   * The IP addresses where the load balancer answers: what step 8 points to and what is verified. In a plain list a reference
   * counts as IPv4; name the families to say otherwise.
   *
   * @default - the addresses of the forwarding rules made here
   */
  readonly addresses?: readonly string[] | AddressesSpec;
}

/** IP addresses by family; literals or references. */
export interface AddressesSpec {
  /** @default - none */
  readonly ipv4?: readonly string[];
  /** @default - none */
  readonly ipv6?: readonly string[];
}

/** A target HTTPS proxy to make. */
export interface NewTargetHttpsProxySpec {
  /** Id or self link of the URL map; or a reference. */
  readonly urlMap: string;
  /** Name of the proxy. @default - derived from the migration's name */
  readonly name?: string;
  /** Id of an SSL policy; or a reference. @default - the load balancer's default policy */
  readonly sslPolicy?: string;
  /** Whether HTTP/3 is offered; not on regional proxies. @default "NONE", which leaves it to the load balancer */
  readonly quicOverride?: "NONE" | "ENABLE" | "DISABLE";
  /** Forwarding rules that lead to the proxy. @default - none are made */
  readonly forwardingRules?: ForwardingRulesSpec;
}

/** A target SSL proxy to make. */
export interface NewTargetSslProxySpec {
  /** Id or self link of the backend service; or a reference. */
  readonly backendService: string;
  /** Name of the proxy. @default - derived from the migration's name */
  readonly name?: string;
  /** Id of an SSL policy; or a reference. @default - the load balancer's default policy */
  readonly sslPolicy?: string;
  /** Whether the PROXY protocol's header is sent to backends. @default "NONE" */
  readonly proxyHeader?: "NONE" | "PROXY_V1";
  /** Forwarding rules that lead to the proxy. @default - none are made */
  readonly forwardingRules?: ForwardingRulesSpec;
}

/** Port 443 of one address of each family; at least one. */
export interface ForwardingRulesSpec {
  /** A reserved IPv4 address; or its name, its id or link, as in `global/addresses/shop`; or a reference. @default - no rule for IPv4 */
  readonly ipv4Address?: string;
  /** A reserved IPv6 address or range; or its name, its id or link; or a reference. @default - no rule for IPv6 */
  readonly ipv6Address?: string;
  /**
   * Only on `globalExternal`: `EXTERNAL` is the classic load balancer. The internal kinds always use `INTERNAL_MANAGED`.
   *
   * @default "EXTERNAL_MANAGED"
   */
  readonly loadBalancingScheme?: "EXTERNAL" | "EXTERNAL_MANAGED";
  /** VPC network, on regional and internal kinds; or a reference. @default - the default network */
  readonly network?: string;
  /** Subnetwork, on internal kinds; or a reference. @default - chosen by the service */
  readonly subnetwork?: string;
}

/**
 * A target HTTPS proxy that exists. Whatever is not stated would be reset by Terraform, so every attribute must be: `null` says that
 * the proxy has none.
 */
export interface AdoptedTargetHttpsProxySpec {
  /** Resource name of the proxy. */
  readonly name: string;
  /** Project of the proxy. @default - the load balancer's project */
  readonly project?: string;
  /** Id or self link of its URL map; or a reference. */
  readonly urlMap: string;
  /** Self links of the certificates that it holds directly; at most 15. With a map they are ignored but kept. */
  readonly sslCertificates: readonly string[] | null;
  /** Id of its SSL policy, or a reference; `null` for none. */
  readonly sslPolicy: string | null;
  /** Whether it offers HTTP/3; `null` where that was never set. Not on regional proxies: leave it out there. */
  readonly quicOverride?: "NONE" | "ENABLE" | "DISABLE" | null;
  /** Whether it takes TLS 1.3 early data; `null` where that was never set. Not on regional proxies: leave it out there. */
  readonly tlsEarlyData?: "STRICT" | "PERMISSIVE" | "UNRESTRICTED" | "DISABLED" | null;
  /** How long it keeps idle client connections, in seconds, 5 to 1200, on regional proxies to 600; `null` for the load balancer's own time. */
  readonly httpKeepAliveTimeoutSeconds: number | null;
  /** Its server TLS policy, or a reference; `null` for none. */
  readonly serverTlsPolicy: string | null;
  /** Its description; `null` for none. */
  readonly description: string | null;
}

/** A target SSL proxy that exists; every attribute must be stated, `null` says that the proxy has none. */
export interface AdoptedTargetSslProxySpec {
  /** Resource name of the proxy. */
  readonly name: string;
  /** Project of the proxy. @default - the load balancer's project */
  readonly project?: string;
  /** Id or self link of its backend service; or a reference. */
  readonly backendService: string;
  /** Certificates that it holds directly. The provider refuses a map beside them: such a proxy can't be adopted. */
  readonly sslCertificates: readonly string[] | null;
  /** Id of its SSL policy, or a reference; `null` for none. */
  readonly sslPolicy: string | null;
  /** Whether it sends the PROXY protocol's header to backends; `null` where that was never set. */
  readonly proxyHeader: "NONE" | "PROXY_V1" | null;
  /** Its description; `null` for none. */
  readonly description: string | null;
}
