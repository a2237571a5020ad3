import type { Code } from "../findings/codes";
import type { FindingContent } from "../findings/finding";
import type { Hostname } from "../hostnames";
import type {
  AdoptedTargetHttpsProxySpec,
  AdoptedTargetSslProxySpec,
  AuthorizationTypeName,
  CertificateScopeName,
  GateName,
  LoadBalancerKind,
  NewTargetHttpsProxySpec,
  NewTargetSslProxySpec,
  PhaseName,
  PreviousRecords,
  ZoneSpec,
} from "./spec";

/**
 * The resources of a migration. Every list is sorted by identity, and nothing depends on the order of the spec.
 * Findings of severity `error` mean that the plan must not be applied.
 */
export interface MigrationPlan {
  /** Identity of the migration. */
  readonly name: string;
  /** `issue` creates certificates only; `serve` also serves them. */
  readonly phase: PhaseName;
  /** Protection of traffic from a certificate that is not ACTIVE. */
  readonly gate: GateName;
  /** Location of certificates and authorizations: `global` or a region. */
  readonly location: string;
  /** Project of resources without their own; absent if it is the Terraform provider's project. */
  readonly project?: string;
  /** Authorizations to create. Existing authorizations are listed with the certificates that refer to them. */
  readonly authorizations: readonly PlannedAuthorization[];
  /** One for each authorization to create. */
  readonly records: readonly PlannedRecord[];
  /** Certificates to create, and existing ones. */
  readonly certificates: readonly PlannedCertificate[];
  /** Issuance configs of private CAs to create; absent without certificates of private CAs. */
  readonly issuanceConfigs?: readonly PlannedIssuanceConfig[];
  /** Absent in phase `issue` and if certificates are attached directly. */
  readonly map?: PlannedMap;
  /** One for each hostname, and the PRIMARY entry; empty in phase `issue` and if certificates are attached directly. */
  readonly entries: readonly PlannedEntry[];
  /** Without proxies and forwarding rules in phase `issue`. */
  readonly attachment: PlannedAttachment;
  /** Step 8; absent if the migration manages no address records. */
  readonly traffic?: PlannedTraffic;
  /** Alerts in Cloud Monitoring; absent without `alerts`. */
  readonly alerts?: PlannedAlerts;
  /** Everything that was found, errors first. */
  readonly findings: readonly PlanFinding[];
}

/** A finding about a migration. */
export interface PlanFinding extends FindingContent {
  /** Stable code in kebab-case; `cert-migration explain` has its meaning. */
  readonly code: Code;
}

/** Descriptive fields of most resources. */
export interface Described {
  /** At most 1024 characters. */
  readonly description: string;
  /** Sorted by key; absent if empty. */
  readonly labels?: { readonly [key: string]: string };
}

/** A DNS authorization: one per project, location and domain. */
export interface PlannedAuthorization extends Described {
  /** Without `*.`; the authorization covers the wildcard as well. */
  readonly domain: Hostname;
  /** Name of the resource, as every `name` of a plan. */
  readonly name: string;
  /** How the authorization is tied to a project, which decides the name of its CNAME. */
  readonly type: AuthorizationTypeName;
  /** `global` or a region. */
  readonly location: string;
  /** Absent if it is the Terraform provider's project. */
  readonly project?: string;
}

/** The CNAME record of an authorization. Its name and data are known once the authorization exists. */
export interface PlannedRecord {
  /** Domain of the authorization, as project and location are the authorization's. */
  readonly domain: Hostname;
  /** Project of the authorization; absent if it is the Terraform provider's project. */
  readonly project?: string;
  /** Location of the authorization: `global` or a region. */
  readonly location: string;
  /** Absent if the record is published elsewhere. */
  readonly zone?: PlannedZone;
  /** How the record is published. */
  readonly published: "cloudDns" | "custom" | "external";
  /** Time to live of the record, in seconds. */
  readonly ttlSeconds: number;
}

/** The zone that contains a record. */
export interface PlannedZone extends ZoneSpec {
  /** The DNS name for which the zone is authoritative. */
  readonly domain: Hostname;
}

/** How the CA validates a domain of a certificate: by an authorization of this plan, or by an existing one. */
export type CertificateAuthorization = PlannedAuthorizationReference | ExistingAuthorizationReference;

/** An authorization of this plan, by its domain. */
export interface PlannedAuthorizationReference {
  /** The authorized domain, without `*.`. */
  readonly domain: Hostname;
}

/** An existing authorization of a domain. */
export interface ExistingAuthorizationReference {
  /** The authorized domain, without `*.`. */
  readonly domain: Hostname;
  /** `projects/P/locations/L/dnsAuthorizations/A`, or a reference. */
  readonly existingId: string;
}

/** A certificate to create, or an existing one. */
export type PlannedCertificate = PlannedManagedCertificate | PlannedSelfManagedCertificate | PlannedExistingCertificate;

interface PlannedCertificateBase {
  /** Identity within the migration: the given name, or the shortest domain. */
  readonly id: string;
  /** DNS names of the certificate. */
  readonly domains: readonly Hostname[];
  /** Absent if it is the Terraform provider's project. */
  readonly project?: string;
  /** `global` or a region. */
  readonly location: string;
  /** Kind of load balancers that may serve the certificate. */
  readonly scope: CertificateScopeName;
  /** JSON pointer of its place in the spec; not part of the serialized plan. */
  readonly at: string;
  /** Index in `certificates` of the spec, from 0; not part of the serialized plan. */
  readonly specIndex: number;
}

/** A certificate that Google issues and renews. */
export interface PlannedManagedCertificate extends PlannedCertificateBase, Described {
  /** Always `managed`. */
  readonly kind: "managed";
  /** Name of the resource. */
  readonly name: string;
  /** One for each domain without `*.`, sorted by domain; empty for a certificate of a private CA. */
  readonly authorizations: readonly CertificateAuthorization[];
  /** Issuance config of the private CA: the name of one of the plan, or an existing one. Absent for a public CA. */
  readonly issuance?: PlannedIssuance | ExistingIssuance;
}

/** An issuance config of this plan. */
export interface PlannedIssuance {
  /** Name of the {@link PlannedIssuanceConfig}. */
  readonly config: string;
}

/** An existing issuance config. */
export interface ExistingIssuance {
  /** `projects/P/locations/L/certificateIssuanceConfigs/CONFIG`, or a reference. */
  readonly existingId: string;
}

/** How certificates are issued from a pool of private CAs. */
export interface PlannedIssuanceConfig extends Described {
  /** Name of the resource. */
  readonly name: string;
  /** `projects/P/locations/L/caPools/POOL`, or a reference. */
  readonly caPool: string;
  /** `global` or a region. */
  readonly location: string;
  /** Absent if it is the Terraform provider's project. */
  readonly project?: string;
  /** Lifetime of the certificates, in seconds. */
  readonly lifetimeSeconds: number;
  /** Share of the lifetime after which a certificate is renewed, in percent. */
  readonly rotationWindowPercentage: number;
  /** Algorithm of the certificates' keys. */
  readonly keyAlgorithm: "RSA_2048" | "ECDSA_P256";
}

/** A certificate from another CA that is uploaded. The plan never contains its key. */
export interface PlannedSelfManagedCertificate extends PlannedCertificateBase, Described {
  /** Always `selfManaged`. */
  readonly kind: "selfManaged";
  /** Name of the resource. */
  readonly name: string;
  /** Normalized: Unix line ends, with one at the end. */
  readonly certificatePem: string;
}

/** A certificate that already exists in Certificate Manager. */
export interface PlannedExistingCertificate extends PlannedCertificateBase {
  /** Always `existing`. */
  readonly kind: "existing";
  /** `projects/P/locations/L/certificates/C`, or a reference. */
  readonly existingId: string;
}

/** The map that holds the entries. */
export type PlannedMap = PlannedNewMap | PlannedExistingMap;

/** A map to create. */
export interface PlannedNewMap extends Described {
  /** Always `new`. */
  readonly kind: "new";
  /** Name of the resource. */
  readonly name: string;
  /** Absent if it is the Terraform provider's project. */
  readonly project?: string;
}

/** An existing map that gets further entries. */
export interface PlannedExistingMap {
  /** Always `existing`. */
  readonly kind: "existing";
  /** `projects/P/locations/global/certificateMaps/M`, or a reference. */
  readonly existingId: string;
  /** Project of the map; absent if it is the Terraform provider's project. */
  readonly project?: string;
}

/** The entry of one hostname, or the PRIMARY entry. */
export interface PlannedEntry extends Described {
  /** The hostname, or `PRIMARY`. */
  readonly hostname: Hostname | "PRIMARY";
  /** Name of the resource. */
  readonly name: string;
  /**
   * Ids of certificates of this plan, or resource ids of existing certificates; 1 to 4, the entry's own certificate
   * first.
   */
  readonly certificates: readonly string[];
}

/** How the certificates are attached to the load balancer, and at which addresses it answers. */
export interface PlannedAttachment {
  /** Kind of the load balancer. */
  readonly loadBalancer: LoadBalancerKind;
  /** Whether proxies use a map, or certificates directly. */
  readonly via: "certificateMap" | "certificates";
  /** Absent if the load balancer is global. */
  readonly region?: string;
  /** Project of new proxies and forwarding rules; absent if it is the Terraform provider's project. */
  readonly project?: string;
  /** Sorted by id; empty in phase `issue`. */
  readonly proxies: readonly PlannedProxy[];
  /** Sorted by id; empty in phase `issue`. */
  readonly forwardingRules: readonly PlannedForwardingRule[];
  /** Absent if no proxy gets a server TLS policy from this plan. */
  readonly clientAuthentications?: readonly PlannedClientAuthentication[];
  /** Proxies that serve the hostnames today and get the map in place; absent if traffic moves to the load balancer. */
  readonly servingProxies?: readonly PlannedServingProxy[];
  /** Literal IP addresses or references; empty if unknown. */
  readonly addresses: PlannedAddresses;
}

/** IP addresses by family. */
export interface PlannedAddresses {
  /** IPv4 addresses. */
  readonly ipv4: readonly string[];
  /** IPv6 addresses. */
  readonly ipv6: readonly string[];
}

/** A target proxy that the plan creates or adopts. The constructs handle proxies of the app itself. */
export type PlannedProxy =
  | PlannedNewHttpsProxy
  | PlannedNewSslProxy
  | PlannedAdoptedHttpsProxy
  | PlannedAdoptedSslProxy;

interface PlannedProxyBase {
  /** Unique within the migration: `https` or `ssl` for a new proxy, the name of an adopted proxy. */
  readonly id: string;
  /** Name of the resource. */
  readonly name: string;
}

/** A target HTTPS proxy to create. */
export interface PlannedNewHttpsProxy extends PlannedProxyBase {
  /** Always `newHttps`. */
  readonly kind: "newHttps";
  /** The proxy in the spec. */
  readonly spec: NewTargetHttpsProxySpec;
}

/** A target SSL proxy to create. */
export interface PlannedNewSslProxy extends PlannedProxyBase {
  /** Always `newSsl`. */
  readonly kind: "newSsl";
  /** The proxy in the spec. */
  readonly spec: NewTargetSslProxySpec;
}

/** A target HTTPS proxy to import. */
export interface PlannedAdoptedHttpsProxy extends PlannedProxyBase {
  /** Always `adoptedHttps`. */
  readonly kind: "adoptedHttps";
  /** The proxy in the spec. */
  readonly spec: AdoptedTargetHttpsProxySpec;
}

/** A target SSL proxy to import. */
export interface PlannedAdoptedSslProxy extends PlannedProxyBase {
  /** Always `adoptedSsl`. */
  readonly kind: "adoptedSsl";
  /** The proxy in the spec. */
  readonly spec: AdoptedTargetSslProxySpec;
}

/** The trust config and the server TLS policy by which a proxy validates client certificates. */
export interface PlannedClientAuthentication extends Described {
  /** `id` of the proxy that uses the policy. */
  readonly proxyId: string;
  /** Name of the trust config. */
  readonly trustConfigName: string;
  /** Contains a digest of everything in the policy, because the service refuses every change of a policy. */
  readonly policyName: string;
  /** `global` or a region. */
  readonly location: string;
  /** Absent if it is the Terraform provider's project. */
  readonly project?: string;
  /** What happens to a client without a valid certificate. */
  readonly mode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" | "REJECT_INVALID";
  /** Certificates in PEM, one in each text, or references; sorted. */
  readonly trustAnchors: readonly string[];
  /** Certificates in PEM, one in each text, or references; sorted. */
  readonly intermediates: readonly string[];
  /** Certificates in PEM that are valid without a chain, or references; sorted. */
  readonly allowlisted: readonly string[];
}

/** A proxy that serves hostnames of the migration today, at addresses that stay. */
export interface PlannedServingProxy {
  /** `projects/P/global/targetHttpsProxies/N`. */
  readonly id: string;
  /** Literal IP addresses in canonical form. */
  readonly addresses: readonly string[];
  /** Certificates that are attached directly today. */
  readonly certificates: readonly PlannedServingCertificate[];
}

/** A certificate that is attached to a proxy directly today. */
export interface PlannedServingCertificate {
  /** `projects/P/global/sslCertificates/C`. */
  readonly id: string;
  /** DNS names of the certificate. */
  readonly domains: readonly Hostname[];
}

/** A forwarding rule from port 443 of an address to a new proxy. */
export interface PlannedForwardingRule extends Described {
  /** Unique within the migration, for example `https-ipv4`. */
  readonly id: string;
  /** Name of the resource. */
  readonly name: string;
  /** `id` of the proxy that the rule targets. */
  readonly proxyId: string;
  /** Family of the address. */
  readonly family: "IPV4" | "IPV6";
  /** An IP address, the id of a reserved address, or a reference. */
  readonly address: string;
  /** Scheme of the load balancer. */
  readonly loadBalancingScheme: "EXTERNAL" | "EXTERNAL_MANAGED" | "INTERNAL_MANAGED";
  /** Absent if the service chooses the network; the same applies to the subnetwork. */
  readonly network?: string;
  /** Absent if the service chooses the subnetwork. */
  readonly subnetwork?: string;
}

/** Step 8: the address records of the hostnames. */
export interface PlannedTraffic {
  /** Target of the records: the previous values, or the load balancer. */
  readonly to: "previous" | "loadBalancer";
  /** Time to live of each record set, in seconds, 1 to 86400. */
  readonly ttlSeconds: number;
  /** Hostnames whose records are managed, without the names that are targets of aliases. */
  readonly hostnames: readonly Hostname[];
  /** Records of the hostnames, and of the names that are targets of aliases. */
  readonly records: readonly PlannedTrafficRecord[];
  /**
   * The records of each hostname before the migration, whatever the records are now. The target of an alias has a
   * trailing dot.
   */
  readonly previous: { readonly [hostname: string]: PreviousRecords };
}

/** A record set in its intended state. */
export interface PlannedTrafficRecord {
  /** Name without trailing dot. */
  readonly hostname: string;
  /** `A`, `AAAA` or `CNAME`. */
  readonly type: "A" | "AAAA" | "CNAME";
  /** Addresses, or the one target of an alias with its trailing dot; literals or references. */
  readonly data: readonly string[];
  /** Absent if the records are published elsewhere. */
  readonly zone?: PlannedZone;
  /** Whether the record set exists already and is imported. */
  readonly adopt: boolean;
}

/** Alerts in Cloud Monitoring. */
export interface PlannedAlerts {
  /** Ids or references, sorted. */
  readonly notificationChannels: readonly string[];
  /** Projects whose expiry logs have alerts; the first one also has the uptime checks and the dashboard. */
  readonly projects: readonly AlertedProject[];
  /** Sorted by hostname; empty in phase `issue`. */
  readonly checks: readonly PlannedUptimeCheck[];
  /** Chosen hostnames, and alternative certificates, that can't have an uptime check. */
  readonly unchecked: readonly UncheckedHostname[];
  /** Whether the dashboard is created. */
  readonly hasDashboard: boolean;
}

/** A project with certificates. */
export interface AlertedProject {
  /** Absent if it is the Terraform provider's project. */
  readonly project?: string;
}

/** An uptime check of one hostname, and its alert policy. */
export interface PlannedUptimeCheck {
  /** The requested name; for a wildcard, the name to probe. */
  readonly hostname: string;
  /** Identity of the certificate within its migration. */
  readonly certificate: string;
  /** Name of the migration. */
  readonly migration: string;
  /**
   * Who renews the certificate: `google`; `owner` for an uploaded one, which has to be replaced; `unknown` for an
   * existing one, which may be of either kind.
   */
  readonly renewedBy: "google" | "owner" | "unknown";
  /** Time between two runs of the check, in seconds. */
  readonly intervalSeconds: number;
  /** Days until the expiry of the certificate below which its alert begins. */
  readonly daysBeforeExpiry: number;
}

/** A hostname without an uptime check, or an alternative certificate of a hostname. */
export interface UncheckedHostname {
  /** A hostname that the migration serves. */
  readonly hostname: string;
  /** Id of the alternative certificate that no check tests. @default - no certificate of the hostname is tested */
  readonly certificate?: string;
  /** Why; one line, lower case, no final period. */
  readonly reason: string;
}
