import type { LoadBalancerSpec } from "./spec-load-balancer";
import type { TrafficSpec } from "./spec-traffic";

export type * from "./spec-load-balancer";
export type * from "./spec-traffic";

/**
 * What a migration is made from, as plain data. The constructs take the same (with constructs in place of some strings), and
 * `migration.yaml` holds it as a document.
 *
 * A string that says "or a reference" may be a Terraform reference such as `${google_dns_managed_zone.shop.name}`; every
 * other string must be known before Terraform runs.
 */
export interface MigrationSpec {
  /**
   * Identity of the migration. It is part of the derived names of certificates and map, so that two migrations of one project
   * don't collide. Changing it replaces all of them.
   */
  readonly name: string;

  /** The third-party certificates to replace, one item each; at least one. Their order means nothing. */
  readonly certificates: readonly CertificateSpec[];

  /** Where the CNAME records of the DNS authorizations are published, and the address records of step 8. */
  readonly dns: DnsSpec;

  /**
   * What presents the certificates.
   *
   * @default - a global external load balancer that is attached elsewhere: the map is made, no proxy is touched
   */
  readonly loadBalancer?: LoadBalancerSpec;

  /**
   * How far to go. `issue` makes authorizations, their CNAME records and certificates (steps 1 and 2 of the workflow); `serve`
   * adds the map, its entries and the attachment to target proxies (steps 4 to 6). With more than some ten certificates deploy `issue` first and
   * wait until all are ACTIVE: Terraform does ten things at once, and in a single run each gate that waits for a certificate is one of them.
   *
   * @default "serve"
   */
  readonly phase?: Phase;

  /**
   * What keeps a certificate that is not issued yet away from traffic. See {@link Gate}.
   *
   * @default "wait"
   */
  readonly gate?: Gate;

  /**
   * How the `cert-migration` command is called by the `wait` gate, from Terraform's working folder.
   *
   * @default "npx --no-install cert-migration"
   */
  readonly gateCommand?: string;

  /**
   * How long the `wait` gate waits for one certificate, in minutes, 1 to 1440. Issuance takes up to 60 minutes after the CNAME
   * has become visible.
   *
   * @default 60
   */
  readonly gateTimeoutMinutes?: number;

  /**
   * Step 8: the address records of the hostnames.
   *
   * @default - no address record is managed here
   */
  readonly traffic?: TrafficSpec;

  /**
   * Every name that the old certificates served. A name in it that nothing would serve is refused.
   *
   * @default - nothing is held against the plan
   */
  readonly mustServe?: readonly string[];

  /**
   * Project of authorizations, certificates, map and entries; or a reference.
   *
   * @default - the project of the Terraform provider
   */
  readonly project?: string;

  /**
   * Stands before the names of certificates, map and new target proxies: 1 to 20 characters of a-z, 0-9 and `-`, a letter
   * first. Changing it replaces them, certificates before their predecessors go.
   *
   * @default - names begin with what they are for
   */
  readonly namePrefix?: string;

  /**
   * Labels on everything that takes labels, at most 64; keys and values of at most 63 lower-case letters, digits, `_` and `-`,
   * keys beginning with a letter.
   *
   * @default - no labels
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Text on authorizations, certificates, map and entries that have none of their own, at most 1024 characters. Proxies and forwarding rules
   * keep theirs: they would be replaced for another one.
   *
   * @default - what the resource is for
   */
  readonly description?: string;

  /**
   * Record type of the authorizations. `FIXED_RECORD` is one CNAME per domain whoever asks, `PER_PROJECT_RECORD` has the project in
   * the record's name, so that certificates in several projects can be managed independently. Regions take only the latter.
   *
   * @default - "FIXED_RECORD" globally, "PER_PROJECT_RECORD" in a region
   */
  readonly authorizationType?: AuthorizationType;

  /**
   * Authorizations that exist already, by domain: `projects/P/locations/L/dnsAuthorizations/A`, or a reference. For these
   * neither authorization nor CNAME is made.
   *
   * @default - an authorization is made for every domain
   */
  readonly existingAuthorizations?: Readonly<Record<string, string>>;

  /**
   * A certificate map that exists already, to which the entries are added: `projects/P/locations/global/certificateMaps/M`, with or without
   * `//certificatemanager.googleapis.com/` before it, or a reference to one.
   *
   * @default - a map is made
   */
  readonly existingCertificateMap?: string;

  /**
   * Highest number of domains that one managed certificate may list, 1 to 10,000.
   *
   * @default 100
   */
  readonly maxDomainsPerCertificate?: number;

  /**
   * Whether to switch on the APIs that the resources need (`google_project_service`, never switched off again).
   *
   * @default false
   */
  readonly enableApis?: boolean;

  /**
   * How long Terraform waits for one operation of Certificate Manager, in minutes, 1 to 1440.
   *
   * @default - the provider's 20 minutes
   */
  readonly operationTimeoutMinutes?: number;
}

/** `issue`: authorizations, records, certificates. `serve`: also map, entries and attachment. */
export type Phase = "issue" | "serve";

/**
 * What keeps an unissued certificate away from traffic.
 *
 * - `wait`: Terraform runs `cert-migration wait` once for each new certificate, and once more when entries lead to it, until they do so on every front
 *   end; only then proxies get the map, and certificates go that were replaced. One apply does steps 1 to 6.
 * - `precondition`: pure Terraform; the first apply stops before the entries, the next one after issuance goes on. It is judged at every
 *   plan: while a certificate is being renewed, plans of the stack may be held up.
 * - `check`: only warns at each plan.
 * - `none`: nothing stands between an unissued certificate and traffic.
 */
export type Gate = "wait" | "precondition" | "check" | "none";

/** Whose record an authorization has: `FIXED_RECORD` is the same for everyone, `PER_PROJECT_RECORD` one of the project's own. */
export type AuthorizationType = "FIXED_RECORD" | "PER_PROJECT_RECORD";

/** What a certificate may be used for: `DEFAULT` by map entries and regional proxies, `ALL_REGIONS` by cross-region internal ones. */
export type CertificateScope = "DEFAULT" | "ALL_REGIONS";

/**
 * One certificate. It is managed (Google issues and renews it) unless `selfManaged` or `existingCertificateId` says otherwise.
 */
export interface CertificateSpec {
  /**
   * Identity of the certificate within the migration, 1 to 63 characters of a-z, 0-9, `-`, `_` and `.`. With a name of its own a
   * certificate keeps its Terraform address whatever becomes of its domains.
   *
   * @default - its shortest domain, wildcards last
   */
  readonly name?: string;

  /**
   * The DNS names that the certificate is for. Adding or removing one issues a new certificate, and the old one serves until
   * the new one is active.
   *
   * @default - read from a self-managed certificate; required otherwise, unless an existing certificate is attached directly to a proxy
   */
  readonly domains?: readonly string[];

  /**
   * The hostnames that map entries are made for; each must be covered by `domains`.
   *
   * @default - the domains
   */
  readonly hostnames?: readonly string[];

  /** A certificate that was issued elsewhere and is uploaded; nobody renews it but you. */
  readonly selfManaged?: SelfManagedSpec;

  /**
   * A certificate that exists in Certificate Manager: `projects/P/locations/L/certificates/C`, or a reference.
   *
   * @default - a certificate is made
   */
  readonly existingCertificateId?: string;

  /**
   * Certificates that each entry of this one lists beside it, up to three: names of other certificates of this migration or
   * ids of existing ones. Meant for a second key type or for an overlap.
   *
   * @default - entries list this certificate alone
   */
  readonly alternatives?: readonly string[];

  /**
   * Whether this certificate also answers clients without SNI and hostnames that no entry names. One per map.
   *
   * @default false
   */
  readonly primary?: boolean;

  /**
   * Change it to have the certificate issued anew under a new name, for instance after it ended FAILED, which never recovers; 0 to 1,000,000.
   *
   * @default - the first generation
   */
  readonly generation?: number;

  /** Project of this certificate and its authorizations; or a reference. @default - the migration's project */
  readonly project?: string;

  /** Held against the load balancer: give it only to be refused if it does not fit. @default - what the load balancer needs */
  readonly scope?: CertificateScope;

  /** `global` or a region; held against the load balancer. @default - what the load balancer needs */
  readonly location?: string;

  /** Further labels of this certificate; they win over the migration's. @default - the migration's labels */
  readonly labels?: Readonly<Record<string, string>>;

  /** Text on the certificate, at most 1024 characters. @default - the migration's description, or the domains */
  readonly description?: string;
}

/** An uploaded certificate: the key as text or as the name of a sensitive Terraform variable, one of the two. */
export interface SelfManagedSpec {
  /** Leaf first, then its chain, in PEM; or a reference, then `domains` must be given. */
  readonly certificatePem: string;

  /**
   * The key in PEM, unencrypted; or a reference to a sensitive variable. A literal key ends up in the synthesized stack, which is
   * warned of.
   */
  readonly privateKeyPem?: string;

  /** Name of a sensitive Terraform variable that is made for the key; its value comes with the run, as in `TF_VAR_name`. */
  readonly privateKeyVariable?: string;
}

/** Where records are published: in Cloud DNS, or elsewhere by hand. */
export type DnsSpec = CloudDnsSpec | ExternalDnsSpec;

/** Records are written in Cloud DNS, each in the zone with the longest suffix of its name. */
export interface CloudDnsSpec {
  readonly kind: "cloudDns";

  /**
   * The public zones by the DNS name that they are authoritative for, as in `{ "example.com": "example-com" }`. The value is
   * the zone's resource name (or a reference), or name and project where the project is another.
   */
  readonly zones: Readonly<Record<string, string | ZoneSpec>>;

  /** Project of the zones that name none; or a reference. @default - the migration's project */
  readonly project?: string;

  /** Time to live of the authorization CNAMEs, in seconds, 1 to 86400. @default 300 */
  readonly ttlSeconds?: number;
}

/** A managed zone of Cloud DNS. */
export interface ZoneSpec {
  /** Resource name of the managed zone; or a reference. */
  readonly name: string;
  /** Project of the zone; or a reference. @default - the project of `dns`, then the migration's */
  readonly project?: string;
}

/** No record is written; what to publish is handed out as outputs and by `cert-migration records`. */
export interface ExternalDnsSpec {
  readonly kind: "external";
}
