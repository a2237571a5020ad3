import type { AlertsSpec } from "./spec-alerts";
import type { CertificateSpec } from "./spec-certificates";
import type { LoadBalancerSpec } from "./spec-load-balancer";
import type { TrafficSpec } from "./spec-traffic";

export type * from "./spec-alerts";
export type * from "./spec-certificates";
export type * from "./spec-load-balancer";
export type * from "./spec-traffic";

/**
 * A migration as plain data. The constructs take the same fields, with constructs instead of some strings;
 * `migration.yaml` contains the same fields as a document.
 *
 * A field described as "or a reference" accepts a Terraform reference such as `${google_dns_managed_zone.shop.name}`.
 * Every other string must be known before Terraform runs.
 */
export interface MigrationSpec extends MigrationSettings, MigrationHostnames {
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
   * An existing certificate map that gets the entries: `projects/P/locations/global/certificateMaps/M`, with or
   * without the prefix `//certificatemanager.googleapis.com/`, or a reference.
   *
   * @default - the migration creates a map
   * @reference id
   */
  readonly existingCertificateMap?: string;

  /**
   * Existing authorizations by domain: `projects/P/locations/L/dnsAuthorizations/A`, or a reference. The migration
   * creates neither an authorization nor a CNAME record for these domains.
   *
   * @default - the migration creates an authorization for every domain
   * @reference id
   */
  readonly existingAuthorizations?: { readonly [domain: string]: string };
}

/** The hostnames of a migration: those whose traffic moves, and those that a certificate must cover. */
export interface MigrationHostnames {
  /** Address records of the hostnames (step 8). @default - the migration manages no address records */
  readonly traffic?: TrafficSpec;

  /**
   * Every name of the previous certificates. A name that no certificate covers is an error.
   *
   * @default - no names are checked
   */
  readonly mustServe?: readonly string[];
}

/** The fields of a migration that concern all of its resources. */
export interface MigrationSettings {
  /**
   * Resources of this deployment: `issue` (steps 1 and 2) or `serve` (steps 1, 2 and 4 to 6). With more than about
   * ten certificates, deploy `issue` first and wait until all are ACTIVE: Terraform runs ten operations at once, and
   * in a single run each waiting gate occupies one.
   *
   * @default "serve"
   */
  readonly phase?: PhaseName;

  /** Protection of traffic from a certificate that is not ACTIVE. See {@link GateName}. @default "wait" */
  readonly gate?: GateName;

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

  /**
   * Project of authorizations, certificates, map and entries; or a reference.
   *
   * @default - the project of the Terraform provider
   * @reference id
   */
  readonly project?: string;

  /**
   * Prefix of the names of certificates, map and new target proxies: 1 to 20 characters of a-z, 0-9 and `-`, a letter
   * first. A changed prefix replaces these resources; Terraform creates the new certificates before it deletes the
   * previous ones.
   *
   * @default - no prefix
   * @reference variables
   */
  readonly namePrefix?: string;

  /**
   * Labels of all resources that support labels, at most 64. Keys and values have at most 63 lower-case letters,
   * digits, `_` and `-`; keys begin with a letter.
   *
   * @default - no labels
   * @reference variables
   */
  readonly labels?: { readonly [key: string]: string };

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
  readonly authorizationType?: AuthorizationTypeName;

  /** Maximum number of domains of a managed certificate, 1 to 10,000. @minimum 1 @maximum 10000 @default 100 */
  readonly maxDomainsPerCertificate?: number;

  /**
   * Whether to enable the APIs that the resources need (`google_project_service`; a destroy never disables them).
   *
   * @default false
   */
  readonly enableApis?: boolean;

  /** Alerts in Cloud Monitoring for the time after the migration. @default - no alerts are created */
  readonly alerts?: AlertsSpec;

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
export type PhaseName = "issue" | "serve";

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
export type GateName = "wait" | "precondition" | "check" | "none";

/**
 * Record type of an authorization: `FIXED_RECORD` is the same in every project, `PER_PROJECT_RECORD` contains the
 * project.
 */
export type AuthorizationTypeName = "FIXED_RECORD" | "PER_PROJECT_RECORD";

/** Publication of DNS records: by Terraform in Cloud DNS or at another provider, or by you. */
export type DnsSpec = CloudDnsSpec | CustomDnsSpec | ExternalDnsSpec;

/** Publication in Cloud DNS. Each record goes into the zone with the longest matching suffix. */
export interface CloudDnsSpec {
  /** Terraform writes the records in Cloud DNS. */
  readonly kind: "cloudDns";

  /**
   * Public zones by the DNS name for which they are authoritative, for example `{ "example.com": "example-com" }`.
   * The value is the zone's resource name (or a reference), or its name and project.
   *
   * @reference id, variables
   */
  readonly zones: { readonly [domain: string]: string | ZoneSpec };

  /** Project of zones without their own; or a reference. @default - the migration's project @reference id */
  readonly project?: string;

  /** Time to live of the CNAME records, in seconds, 1 to 86400. @minimum 1 @maximum 86400 @default 300 */
  readonly ttlSeconds?: number;
}

/** A managed zone of Cloud DNS. */
export interface ZoneSpec {
  /** Resource name of the managed zone; or a reference. @reference id, variables */
  readonly name: string;
  /**
   * Project of the zone; or a reference.
   *
   * @default - the project of `dns`, then the migration's project
   * @reference id
   */
  readonly project?: string;
}

/** Publication by the publisher of `DnsPublication.custom`, which data can't describe. */
export interface CustomDnsSpec {
  /** Resources of another DNS provider in the same stack write the records. */
  readonly kind: "custom";
}

/** Publication by you. The stack outputs and `cert-migration records` list the records. */
export interface ExternalDnsSpec {
  /** You publish the records at another provider. */
  readonly kind: "external";
}
