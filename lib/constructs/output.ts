import type { CertificateScopeName, GateName, LoadBalancerKind, PhaseName } from "../plan";

/**
 * A migration in the output `cert_migration`. Values that only Google Cloud knows are Terraform references in the
 * synthesized stack; `terraform output -json` resolves them. The output contains no secret.
 */
export interface MigrationOutput {
  /** Name of the migration. */
  readonly name: string;
  /** `issue` creates certificates only; `serve` also serves them. */
  readonly phase: PhaseName;
  /** Protection of traffic from a certificate that is not ACTIVE. */
  readonly gate: GateName;
  /** Kind of the load balancer. */
  readonly loadBalancer: LoadBalancerKind;
  /** One for each certificate of the migration. */
  readonly certificates: readonly CertificateOutput[];
  /**
   * One entry per hostname, and the PRIMARY entry; absent in phase `issue` and for certificates that are attached
   * directly.
   */
  readonly entries?: readonly EntryOutput[];
  /** Authorizations of managed certificates, including existing authorizations. */
  readonly authorizations?: readonly AuthorizationOutput[];
  /** CNAME records of the created authorizations. */
  readonly records?: readonly RecordOutput[];
  /** Id of the certificate map. */
  readonly map?: string;
  /** Ids of the target proxies that serve the certificates. */
  readonly proxies?: readonly string[];
  /**
   * Proxies that serve the hostnames today and get the map in place, at the same addresses; absent if traffic moves to
   * the load balancer.
   */
  readonly servingProxies?: readonly ServingProxyOutput[];
  /** IP addresses of the load balancer. */
  readonly addresses?: AddressesOutput;
  /** Step 8; absent if the migration manages no address records. */
  readonly traffic?: TrafficOutput;
}

/** A certificate of the migration. */
export interface CertificateOutput {
  /** Name within the migration. */
  readonly name: string;
  /** How the certificate comes to be: issued by Google, uploaded, or existing already. */
  readonly kind: "managed" | "selfManaged" | "existing";
  /** `projects/P/locations/L/certificates/C`. */
  readonly id: string;
  /** DNS names of the certificate; absent if not known before Terraform runs. */
  readonly domains?: readonly string[];
  /** `global` or a region. */
  readonly location: string;
  /** Kind of load balancers that may serve the certificate. */
  readonly scope: CertificateScopeName;
  /** Whether a private CA issues the certificate; absent if not. */
  readonly isPrivatelyIssued?: true;
  /** The private CA that issues the certificate; absent for a public CA. */
  readonly issuedBy?: IssuerOutput;
}

/** A private CA: a CA pool with the settings of its certificates, or an existing issuance config. */
export interface IssuerOutput {
  /** `projects/P/locations/L/caPools/POOL`; absent with an existing issuance config. */
  readonly caPool?: string;
  /** Lifetime of the certificates in seconds; absent with an existing issuance config. */
  readonly lifetimeSeconds?: number;
  /** Algorithm of the certificates' keys; absent with an existing issuance config. */
  readonly keyAlgorithm?: "RSA_2048" | "ECDSA_P256";
  /** Id of an existing issuance config; absent if the migration creates the config. */
  readonly existingIssuanceConfig?: string;
}

/** An entry of the certificate map. */
export interface EntryOutput {
  /** The hostname, or `PRIMARY`. */
  readonly hostname: string;
  /** Id of the entry. */
  readonly id: string;
  /** Ids of its certificates. */
  readonly certificates: readonly string[];
}

/** A DNS authorization. */
export interface AuthorizationOutput {
  /** Domain of the authorization, which also covers its wildcard. */
  readonly domain: string;
  /** `projects/P/locations/L/dnsAuthorizations/A`. */
  readonly id: string;
}

/** The CNAME record of an authorization. */
export interface RecordOutput {
  /** The authorized domain. */
  readonly domain: string;
  /** Name with a trailing dot. */
  readonly name: string;
  /** Always `CNAME`. */
  readonly type: "CNAME";
  /** Target with a trailing dot. */
  readonly data: string;
  /**
   * `cloudDns`: this stack writes the record in Cloud DNS. `custom`: resources of another provider in this stack write
   * the record. `external`: you publish the record.
   */
  readonly published: "cloudDns" | "custom" | "external";
}

/** A proxy that serves hostnames of the migration today. */
export interface ServingProxyOutput {
  /** `projects/P/global/targetHttpsProxies/N`. */
  readonly proxy: string;
  /** IP addresses at which the proxy serves. */
  readonly addresses: readonly string[];
  /** Certificates that are attached directly today; absent if the proxy has no direct certificates. */
  readonly certificates?: readonly ServingCertificateOutput[];
}

/** A certificate that a proxy serves today. */
export interface ServingCertificateOutput {
  /** `projects/P/global/sslCertificates/C`. */
  readonly id: string;
  /** DNS names of the certificate. */
  readonly domains: readonly string[];
}

/** IP addresses of a load balancer by family. */
export interface AddressesOutput {
  /** IPv4 addresses. */
  readonly ipv4?: readonly string[];
  /** IPv6 addresses. */
  readonly ipv6?: readonly string[];
}

/** A record that you publish. */
export interface TrafficRecordOutput {
  /** Name with a trailing dot. */
  readonly name: string;
  /** `A`, `AAAA` or `CNAME`. */
  readonly type: string;
  /** Addresses, or the one target of an alias with its trailing dot. */
  readonly data: readonly string[];
}

/** Address records of step 8. */
export interface TrafficOutput {
  /** Target of the records: the previous values, or the load balancer. */
  readonly to: "previous" | "loadBalancer";
  /** Hostnames whose records the migration manages. */
  readonly hostnames: readonly string[];
  /**
   * Records before the migration, also after traffic has moved; for an alias its target. Absent in stacks of earlier
   * releases.
   */
  readonly previous?: { readonly [hostname: string]: PreviousRecordsOutput };
  /** With external DNS: the records that you publish. */
  readonly records?: readonly TrafficRecordOutput[];
}

/** Records of a hostname: addresses, or an alias. */
export interface PreviousRecordsOutput {
  /** IPv4 addresses; absent without any. */
  readonly a?: readonly string[];
  /** IPv6 addresses; absent without any. */
  readonly aaaa?: readonly string[];
  /** Target of the alias, with a trailing dot; absent without an alias. */
  readonly cname?: string;
}
