import type { LoadBalancerSpec } from "./spec-load-balancer";
import type { TrafficSpec } from "./spec-traffic";

export type * from "./spec-load-balancer";
export type * from "./spec-traffic";

/**
 * A migration as plain data. The constructs take the same fields, with constructs instead of some strings;
 * `migration.yaml` contains the same fields as a document.
 *
 * A field described as "or a reference" accepts a Terraform reference such as `${google_dns_managed_zone.shop.name}`.
 * Every other string must be known before Terraform runs.
 */
export interface MigrationSpec {
  /**
   * Name of the migration. The derived names of certificates and map contain it, so that two migrations of a project
   * don't collide. A changed name replaces these resources.
   */
  readonly name: string;

  /** Third-party certificates to replace, one item each; at least one. Their order has no effect. @minItems 1 */
  readonly certificates: readonly CertificateSpec[];

  /** Publication of the CNAME records of DNS authorizations, and of the address records of step 8. */
  readonly dns: DnsSpec;

  /**
   * Load balancer that serves the certificates.
   *
   * @default - a global external load balancer without attachment: the map is created, no target proxy is changed
   */
  readonly loadBalancer?: LoadBalancerSpec;

  /**
   * Resources of this deployment: `issue` (steps 1 and 2) or `serve` (steps 1, 2 and 4 to 6). With more than about
   * ten certificates, deploy `issue` first and wait until all are ACTIVE: Terraform runs ten operations at once, and
   * in a single run each waiting gate occupies one.
   *
   * @default "serve"
   */
  readonly phase?: Phase;

  /** Protection of traffic from a certificate that is not ACTIVE. See {@link Gate}. @default "wait" */
  readonly gate?: Gate;

  /**
   * Command line with which the `wait` gate calls `cert-migration`, from Terraform's working folder.
   *
   * @default "npx --no-install cert-migration"
   */
  readonly gateCommand?: string;

  /**
   * Timeout of the `wait` gate for one certificate, in minutes, 1 to 1440. Issuance takes up to 60 minutes after the
   * CNAME record is visible.
   *
   * @minimum 1
   * @maximum 1440
   * @default 60
   */
  readonly gateTimeoutMinutes?: number;

  /** Address records of the hostnames (step 8). @default - the migration manages no address records */
  readonly traffic?: TrafficSpec;

  /**
   * Every name of the previous certificates. A name that no certificate covers is an error.
   *
   * @default - no names are checked
   */
  readonly mustServe?: readonly string[];

  /**
   * Project of authorizations, certificates, map and entries; or a reference.
   *
   * @default - the project of the Terraform provider
   */
  readonly project?: string;

  /**
   * Prefix of the names of certificates, map and new target proxies: 1 to 20 characters of a-z, 0-9 and `-`, a letter
   * first. A changed prefix replaces these resources; Terraform creates the new certificates before it deletes the
   * previous ones.
   *
   * @default - no prefix
   */
  readonly namePrefix?: string;

  /**
   * Labels of all resources that support labels, at most 64. Keys and values have at most 63 lower-case letters,
   * digits, `_` and `-`; keys begin with a letter.
   *
   * @default - no labels
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Description of authorizations, certificates, map and entries without their own, at most 1024 characters. Proxies
   * and forwarding rules keep theirs, because a changed description would replace them.
   *
   * @default - the purpose of the resource
   */
  readonly description?: string;

  /**
   * Record type of the authorizations. `FIXED_RECORD` is the same record in every project. `PER_PROJECT_RECORD`
   * contains the project in the record's name, so that several projects can manage certificates for the same domain.
   * Regions support only `PER_PROJECT_RECORD`.
   *
   * @default - "FIXED_RECORD" globally, "PER_PROJECT_RECORD" in a region
   */
  readonly authorizationType?: AuthorizationType;

  /**
   * Existing authorizations by domain: `projects/P/locations/L/dnsAuthorizations/A`, or a reference. The migration
   * creates neither an authorization nor a CNAME record for these domains.
   *
   * @default - the migration creates an authorization for every domain
   */
  readonly existingAuthorizations?: Readonly<Record<string, string>>;

  /**
   * An existing certificate map that gets the entries: `projects/P/locations/global/certificateMaps/M`, with or
   * without the prefix `//certificatemanager.googleapis.com/`, or a reference.
   *
   * @default - the migration creates a map
   */
  readonly existingCertificateMap?: string;

  /** Maximum number of domains of a managed certificate, 1 to 10,000. @minimum 1 @maximum 10000 @default 100 */
  readonly maxDomainsPerCertificate?: number;

  /**
   * Whether to enable the APIs that the resources need (`google_project_service`; a destroy never disables them).
   *
   * @default false
   */
  readonly enableApis?: boolean;

  /**
   * Timeout of one operation of Certificate Manager, in minutes, 1 to 1440.
   *
   * @minimum 1
   * @maximum 1440
   * @default - the provider's 20 minutes
   */
  readonly operationTimeoutMinutes?: number;
}

/**
 * Resources of a deployment. `issue`: authorizations, records and certificates. `serve`: also the map, its entries
 * and the attachment to target proxies.
 */
export type Phase = "issue" | "serve";

/**
 * Protection of traffic from a certificate that is not ACTIVE.
 *
 * - `wait`: Terraform runs `cert-migration wait` once for each new certificate, and once for its entries until every
 *   front end serves them. Only then does Terraform attach the map to proxies and delete replaced certificates. One
 *   apply completes steps 1 to 6.
 * - `precondition`: pure Terraform. The first apply stops before the entries; the next apply after issuance
 *   continues. Terraform evaluates the precondition in every plan, so a certificate in renewal can block plans of the
 *   stack.
 * - `check`: prints a warning in each plan.
 * - `none`: no protection.
 */
export type Gate = "wait" | "precondition" | "check" | "none";

/**
 * Record type of an authorization: `FIXED_RECORD` is the same in every project, `PER_PROJECT_RECORD` contains the
 * project.
 */
export type AuthorizationType = "FIXED_RECORD" | "PER_PROJECT_RECORD";

/**
 * Use of a certificate: `DEFAULT` for map entries and regional proxies, `ALL_REGIONS` for cross-region internal
 * proxies.
 */
export type CertificateScope = "DEFAULT" | "ALL_REGIONS";

/** A certificate. Google issues and renews it unless `selfManaged` or `existingCertificateId` is set. */
export interface CertificateSpec {
  /**
   * Name of the certificate within the migration, 1 to 63 characters of a-z, 0-9, `-`, `_` and `.`. A certificate
   * with a name keeps its Terraform address when its domains change.
   *
   * @default - its shortest domain, preferably without wildcard
   */
  readonly name?: string;

  /**
   * DNS names of the certificate. Adding or removing a name issues a new certificate; the previous certificate is
   * served until the new one is active.
   *
   * @default - the names in a self-managed certificate; required otherwise, except for an existing certificate that
   * is attached directly to a proxy
   */
  readonly domains?: readonly string[];

  /** Hostnames of the map entries; `domains` must cover each. @default - the domains */
  readonly hostnames?: readonly string[];

  /** A certificate from another CA that you upload and renew. */
  readonly selfManaged?: SelfManagedSpec;

  /**
   * A private CA that issues and renews the certificate, instead of a public CA. The certificate needs no DNS
   * authorization, and its names may be in domains such as `.internal`. Clients have to trust the CA.
   *
   * @default - a public CA of Google issues the certificate
   */
  readonly issuedBy?: IssuedBySpec;

  /**
   * An existing certificate in Certificate Manager: `projects/P/locations/L/certificates/C`, or a reference. A managed
   * certificate without DNS authorizations and without issuance config is refused if the same app creates it, because
   * it becomes ACTIVE only after traffic has moved; `doctor` reports others that are not issued.
   *
   * @default - the migration creates a certificate
   */
  readonly existingCertificateId?: string;

  /**
   * Up to three further certificates in each entry of this certificate: names of other certificates of the migration,
   * or ids of existing certificates. Use it for a second key type or an overlap.
   *
   * @default - entries list this certificate only
   */
  readonly alternatives?: readonly string[];

  /**
   * Whether the load balancer also serves this certificate to clients without SNI and for hostnames without an entry.
   * At most one per map.
   *
   * @default false
   */
  readonly primary?: boolean;

  /**
   * Change this number to reissue the certificate under a new name, for example after state FAILED, from which a
   * certificate never recovers; 0 to 1,000,000.
   *
   * @minimum 0
   * @maximum 1000000
   * @default - the first generation
   */
  readonly generation?: number;

  /** Project of this certificate and its authorizations; or a reference. @default - the migration's project */
  readonly project?: string;

  /**
   * Expected scope. A scope that the load balancer doesn't support is an error.
   *
   * @default - the load balancer's scope
   */
  readonly scope?: CertificateScope;

  /**
   * Expected location, `global` or a region. A location that the load balancer doesn't support is an error.
   *
   * @default - the load balancer's location
   */
  readonly location?: string;

  /** Further labels of this certificate, which override the migration's labels. @default - the migration's labels */
  readonly labels?: Readonly<Record<string, string>>;

  /** Description of the certificate, at most 1024 characters. @default - the migration's description, or the domains */
  readonly description?: string;
}

/** A private CA of CA Service: a pool with the settings of its certificates, or an existing issuance config. */
export interface IssuedBySpec {
  /**
   * CA pool: `projects/P/locations/L/caPools/POOL`, or a reference. A regional certificate needs a pool in its region.
   * The service agent of Certificate Manager needs the role `roles/privateca.certificateRequester` on the pool.
   *
   * @default - the pool of `existingIssuanceConfig`
   */
  readonly caPool?: string;

  /**
   * An existing issuance config in the certificate's location:
   * `projects/P/locations/L/certificateIssuanceConfigs/CONFIG`, or a reference.
   *
   * @default - the migration creates an issuance config for `caPool`
   */
  readonly existingIssuanceConfig?: string;

  /** Lifetime of the certificates, 21 to 30 days, in days or seconds: `21d` or `1814400s`. @default "30d" */
  readonly lifetime?: string;

  /**
   * Share of the lifetime after which a certificate is renewed, in percent, 1 to 99: at least 7 days after its
   * issuance, and at least 7 days before its expiry.
   *
   * @minimum 1
   * @maximum 99
   * @default 66
   */
  readonly rotationWindowPercentage?: number;

  /** Kind of the certificates' keys. @default "RSA_2048" */
  readonly keyAlgorithm?: "RSA_2048" | "ECDSA_P256";
}

/**
 * A certificate that you upload and renew, with its key either as text or as the name of a sensitive Terraform
 * variable.
 */
export interface SelfManagedSpec {
  /** Certificate and chain in PEM, leaf first; or a reference, which requires `domains`. */
  readonly certificatePem: string;

  /**
   * Unencrypted key in PEM; or a reference to a sensitive variable. A literal key ends up in the synthesized stack,
   * which causes a warning.
   */
  readonly privateKeyPem?: string;

  /**
   * Name of a sensitive Terraform variable that the migration creates for the key. Set its value for each run, for
   * example with `TF_VAR_name`.
   */
  readonly privateKeyVariable?: string;

  /**
   * Storage of the key. `state`: Terraform's state and saved plans contain the key. `writeOnly`: neither contains it;
   * needs google 7.45 (an error otherwise), and Terraform or OpenTofu 1.11. The variable is then ephemeral: set its
   * value for `plan` and for `apply` of a saved plan. A literal key is still in the stack and in plans. A change
   * updates the certificate in place; earlier versions of the state keep the key.
   *
   * @default - `writeOnly` in a stack whose provider is 7.45 or later, otherwise `state`; `state` in the modules of
   * `cert-migration synth`
   */
  readonly privateKeyStorage?: "state" | "writeOnly";
}

/** Publication of DNS records: by Terraform in Cloud DNS, or by you at another provider. */
export type DnsSpec = CloudDnsSpec | ExternalDnsSpec;

/** Publication in Cloud DNS. Each record goes into the zone with the longest matching suffix. */
export interface CloudDnsSpec {
  /** Terraform writes the records in Cloud DNS. */
  readonly kind: "cloudDns";

  /**
   * Public zones by the DNS name for which they are authoritative, for example `{ "example.com": "example-com" }`.
   * The value is the zone's resource name (or a reference), or its name and project.
   */
  readonly zones: Readonly<Record<string, string | ZoneSpec>>;

  /** Project of zones without their own; or a reference. @default - the migration's project */
  readonly project?: string;

  /** Time to live of the CNAME records, in seconds, 1 to 86400. @minimum 1 @maximum 86400 @default 300 */
  readonly ttlSeconds?: number;
}

/** A managed zone of Cloud DNS. */
export interface ZoneSpec {
  /** Resource name of the managed zone; or a reference. */
  readonly name: string;
  /** Project of the zone; or a reference. @default - the project of `dns`, then the migration's project */
  readonly project?: string;
}

/** Publication by you. The stack outputs and `cert-migration records` list the records. */
export interface ExternalDnsSpec {
  /** You publish the records at another provider. */
  readonly kind: "external";
}
