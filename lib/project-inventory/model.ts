/**
 * What the load balancers of a project serve. `cert-migration inventory --project --json` prints it, and
 * `cert-migration cloud --world` starts from it. `project-inventory.schema.json` is the schema of this JSON.
 *
 * Ids are paths without host and version, for example `projects/P/global/targetHttpsProxies/web` or
 * `projects/P/locations/global/certificateMaps/M`. A resource without `region` is global. Lists are sorted by id.
 */

import type { ProjectFinding } from "./codes";

/** An inventory of a project: load balancers with TLS, their certificates, and the zones of their names. */
export interface ProjectInventory {
  readonly schemaVersion: 1;
  readonly project: string;
  /** Projects whose zones were read, `project` first. */
  readonly dnsProjects: readonly string[];
  /** Rules that lead to one of the proxies. Rules to other targets serve no certificate of the project. */
  readonly forwardingRules: readonly ProjectForwardingRule[];
  /** Reserved addresses that a forwarding rule of the inventory uses. */
  readonly addresses: readonly ProjectAddress[];
  /** Target HTTPS and SSL proxies, with and without forwarding rules. */
  readonly proxies: readonly ProjectProxy[];
  /** URL maps of the proxies. */
  readonly urlMaps: readonly ProjectUrlMap[];
  /** Certificates of Compute Engine and of Certificate Manager, also the ones that nothing uses. */
  readonly certificates: readonly ProjectCertificate[];
  /** Certificate maps with their entries, also the ones that no proxy uses. */
  readonly maps: readonly ProjectCertificateMap[];
  /** Zones of Cloud DNS. */
  readonly zones: readonly ProjectZone[];
  /** What the addresses served; empty without `--probe`. */
  readonly probes: readonly ProjectProbe[];
  /** What could not be read. The parts of the inventory that depend on it are empty. */
  readonly unread: readonly ProjectUnread[];
  /** What blocks a migration or is worth knowing, the most severe first. The subject is an id or a name. */
  readonly findings: readonly ProjectFinding[];
}

/** A forwarding rule that leads to a target proxy with TLS. */
export interface ProjectForwardingRule {
  /** For example `projects/P/global/forwardingRules/web-443`. */
  readonly id: string;
  readonly name: string;
  /** @default - global */
  readonly region?: string;
  readonly ipAddress: string;
  readonly ipVersion: "IPV4" | "IPV6";
  /** The reserved address. @default - the address is ephemeral */
  readonly addressId?: string;
  /** From 1 to 65535. */
  readonly port: number;
  /** For example `EXTERNAL_MANAGED`; the classic load balancer has `EXTERNAL`. */
  readonly scheme: string;
  /** `PREMIUM` or `STANDARD`. @default - internal */
  readonly networkTier?: string;
  readonly proxyId: string;
  /** Labels, for example `goog-gke-node` of a Gateway of GKE. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly description?: string;
}

/** A reserved address. */
export interface ProjectAddress {
  /** For example `projects/P/global/addresses/web`. */
  readonly id: string;
  readonly name: string;
  /** @default - global */
  readonly region?: string;
  readonly ipAddress: string;
  readonly ipVersion: "IPV4" | "IPV6";
  /** `EXTERNAL` or `INTERNAL`. */
  readonly addressType: string;
  /** `PREMIUM` or `STANDARD`. @default - internal */
  readonly networkTier?: string;
}

/**
 * The certificates that a proxy presents. A map takes precedence over certificates that are attached directly.
 *
 * - `map`: the entries of a certificate map
 * - `computeCertificates`: certificates of Compute Engine, uploaded or managed
 * - `managerCertificates`: certificates of Certificate Manager that are attached directly
 * - `nothing`: neither, which the service does not allow; the reading was incomplete
 */
export type ProjectPresented = "map" | "computeCertificates" | "managerCertificates" | "nothing";

/** A target HTTPS or SSL proxy. The settings are those that Terraform needs to import the proxy unchanged. */
export interface ProjectProxy {
  /** For example `projects/P/regions/R/targetHttpsProxies/web`. */
  readonly id: string;
  readonly name: string;
  readonly kind: "https" | "ssl";
  /** @default - global */
  readonly region?: string;
  readonly presents: ProjectPresented;
  /** @default - no certificate map */
  readonly mapId?: string;
  /** Certificates that are attached directly, in the order of the proxy, also if a map takes precedence. */
  readonly certificateIds: readonly string[];
  /** The tool that manages the proxy and would revert a change. @default - not known */
  readonly owner?: ProjectOwner;
  /** Why `owner` is set, for example `the name begins with "k8s2-ts-"`. @default - `owner` is not set */
  readonly ownerReason?: string;
  /** URL map of an HTTPS proxy. @default - an SSL proxy */
  readonly urlMapId?: string;
  /** Backend service of an SSL proxy. @default - an HTTPS proxy */
  readonly backendServiceId?: string;
  /** @default - the load balancer's default policy */
  readonly sslPolicyId?: string;
  /** @default - no mutual TLS */
  readonly serverTlsPolicyId?: string;
  /** `NONE`, `ENABLE` or `DISABLE`. @default - not set */
  readonly quicOverride?: string;
  /** `STRICT`, `PERMISSIVE`, `UNRESTRICTED` or `DISABLED`. @default - not set */
  readonly tlsEarlyData?: string;
  /** Timeout of idle client connections, in seconds. @default - the load balancer's default */
  readonly httpKeepAliveTimeoutSeconds?: number;
  /** `NONE` or `PROXY_V1`, of an SSL proxy. @default - not set */
  readonly proxyHeader?: string;
  /** @default - none */
  readonly description?: string;
}

/** A tool that manages a proxy: `gke` is a controller of Google Kubernetes Engine (Ingress or Gateway). */
export type ProjectOwner = "gke";

/** A URL map. */
export interface ProjectUrlMap {
  /** For example `projects/P/global/urlMaps/web`. */
  readonly id: string;
  readonly name: string;
  /** @default - global */
  readonly region?: string;
  /** Hosts of its host rules, sorted; `*` is any host. */
  readonly hosts: readonly string[];
  /** Backend services and buckets to which it leads, sorted. */
  readonly backendIds: readonly string[];
  /** @default - none */
  readonly description?: string;
}

/**
 * The kinds of certificates.
 *
 * - `computeUploaded`: `google_compute_ssl_certificate` or its regional form
 * - `computeManaged`: `google_compute_managed_ssl_certificate`, which Google validates through the load balancer
 * - `managerUploaded`, `managerManaged`: `google_certificate_manager_certificate`
 */
export type ProjectCertificateKind = "computeUploaded" | "computeManaged" | "managerUploaded" | "managerManaged";

/** A certificate of Compute Engine or of Certificate Manager. */
export interface ProjectCertificate {
  /** For example `projects/P/global/sslCertificates/shop` or `projects/P/locations/R/certificates/shop`. */
  readonly id: string;
  readonly name: string;
  readonly kind: ProjectCertificateKind;
  /** @default - global */
  readonly region?: string;
  /** DNS names in lower case without trailing dots, sorted. */
  readonly domains: readonly string[];
  /** `google` renews managed certificates; `you` have to replace uploaded ones. */
  readonly renewedBy: "google" | "you";
  /**
   * How Google validates the domains of a managed certificate.
   *
   * @default - uploaded
   */
  readonly validation?: "loadBalancer" | "dns" | "privateCa";
  /**
   * `ACTIVE`, `PROVISIONING`, `FAILED`, or another state as the service reports it, for example `RENEWAL_FAILED`. An
   * uploaded certificate is `ACTIVE`.
   */
  readonly status: string;
  /** States of the domains of a managed certificate, by domain. Empty if the service reports none. */
  readonly domainStatuses: readonly ProjectDomainStatus[];
  /**
   * Why Certificate Manager can't issue or renew a managed certificate; the certificate can be ACTIVE nevertheless.
   *
   * @default - it can
   */
  readonly provisioningIssue?: ProjectProvisioningIssue;
  /** Distinguished name on one line. @default - not issued yet */
  readonly issuer?: string;
  /** Lower-case hexadecimal without leading zeros. @default - not issued yet */
  readonly serialNumber?: string;
  /** ISO 8601 in UTC. @default - not issued yet */
  readonly notBefore?: string;
  /** ISO 8601 in UTC. @default - not issued yet */
  readonly notAfter?: string;
  /** `ALL_REGIONS`, `EDGE_CACHE` or `CLIENT_AUTH`, of Certificate Manager. @default - `DEFAULT` */
  readonly scope?: string;
  /** DNS authorizations of a managed certificate of Certificate Manager, in the service's order. */
  readonly dnsAuthorizationIds: readonly string[];
  /** Issuance config of a certificate that a private CA issues. @default - a public CA, or uploaded */
  readonly issuanceConfigId?: string;
  /** Share of its lifetime after which a private CA renews the certificate, 0 to 1. @default - 2/3, or not known */
  readonly renewalShare?: number;
  /** Lifetime that its issuance config asks for. @default - a public CA, or not known */
  readonly lifetimeSeconds?: number;
  /** Proxies that present the certificate, directly or by an entry of a map; sorted. */
  readonly proxyIds: readonly string[];
  /** @default - none */
  readonly description?: string;
}

/** The state of one domain of a managed certificate. */
export interface ProjectDomainStatus {
  readonly domain: string;
  /** For example `ACTIVE`, `PROVISIONING` or `FAILED_NOT_VISIBLE`. */
  readonly status: string;
  /** `CONFIG`, `CAA` or `RATE_LIMITED`, as Certificate Manager has it. @default - the validation has not failed */
  readonly failureReason?: string;
  /** Details of the failure as the service reports them; untrusted. @default - none */
  readonly details?: string;
}

/** An issue of a whole managed certificate. */
export interface ProjectProvisioningIssue {
  /** `AUTHORIZATION_ISSUE` or `RATE_LIMITED`. */
  readonly reason: string;
  /** As the service reports them; untrusted, may be empty. */
  readonly details: string;
}

/** A certificate map of Certificate Manager. */
export interface ProjectCertificateMap {
  /** `projects/P/locations/global/certificateMaps/M`. */
  readonly id: string;
  readonly name: string;
  readonly entries: readonly ProjectCertificateMapEntry[];
  /** Proxies that use the map; sorted. */
  readonly proxyIds: readonly string[];
  /** @default - none */
  readonly description?: string;
}

/** An entry of a certificate map. */
export interface ProjectCertificateMapEntry {
  /** `projects/P/locations/global/certificateMaps/M/certificateMapEntries/E`. */
  readonly id: string;
  readonly name: string;
  /** The hostname, or `PRIMARY`. */
  readonly hostname: string;
  /** `PENDING` or `ACTIVE`. */
  readonly state: string;
  readonly certificateIds: readonly string[];
}

/** A zone of Cloud DNS. */
export interface ProjectZone {
  /** `projects/P/managedZones/Z`. */
  readonly id: string;
  readonly name: string;
  readonly project: string;
  /** In lower case without trailing dot. */
  readonly dnsName: string;
  readonly visibility: "public" | "private";
}

/** The answer of one address to a handshake for one name. */
export interface ProjectProbe {
  readonly forwardingRuleId: string;
  readonly ipAddress: string;
  readonly port: number;
  /** The name that the client requested (SNI). */
  readonly hostname: string;
  /** `served`, or why the handshake failed, for example `timeout`. */
  readonly outcome: string;
  /**
   * The certificate of the inventory that was served. @default - none, or a certificate that is not in the inventory
   */
  readonly certificateId?: string;
  /** Whether the served certificate covers the name. @default - nothing was served */
  readonly coverage?: "exact" | "wildcard" | "none";
  /** Distinguished name on one line. @default - nothing was served */
  readonly issuer?: string;
  /** ISO 8601 in UTC. @default - nothing was served */
  readonly notAfter?: string;
}

/** A part of a project that could not be read. */
export interface ProjectUnread {
  /** What was to be read, for example `forwarding rules`. */
  readonly what: string;
  readonly project: string;
  /** The permission that the caller lacks. @default - another reason */
  readonly permission?: string;
  /** What the service answered, on one line; untrusted. */
  readonly reason: string;
}
