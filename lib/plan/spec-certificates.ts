/**
 * Use of a certificate: `DEFAULT` for map entries and regional proxies, `ALL_REGIONS` for cross-region internal
 * proxies.
 */
export type CertificateScopeName = "DEFAULT" | "ALL_REGIONS";

/** A certificate. Its `kind` says who issues it; an item without `kind` is a managed certificate. */
export type CertificateSpec =
  | ManagedCertificateSpec
  | SelfManagedCertificateSpec
  | PrivateCaCertificateSpec
  | ExistingCertificateSpec
  | FormerCertificateSpec;

/** What a migration serves with a certificate, whoever issues it. */
export interface ServedCertificateOptions {
  /**
   * Name of the certificate within the migration, 1 to 63 characters of a-z, 0-9, `-`, `_` and `.`. A certificate
   * with a name keeps its Terraform address when its domains change.
   *
   * @default - its shortest domain, preferably without wildcard
   */
  readonly name?: string;

  /** Hostnames of the map entries; `domains` must cover each. @default - the domains */
  readonly hostnames?: readonly string[];

  /**
   * Up to three further certificates in each entry of this certificate: names of other certificates of the migration,
   * or ids of existing certificates. Use it for a second key type or an overlap.
   *
   * @default - entries list this certificate only
   * @reference id
   */
  readonly alternatives?: readonly string[];

  /**
   * Whether the load balancer also serves this certificate to clients without SNI and for hostnames without an entry.
   * At most one per map.
   *
   * @default false
   */
  readonly primary?: boolean;
}

/** A certificate that the migration creates. */
export interface CreatedCertificateOptions extends ServedCertificateOptions {
  /**
   * Change this number to reissue the certificate under a new name, for example after state FAILED, from which a
   * certificate never recovers; 0 to 1,000,000.
   *
   * @minimum 0
   * @maximum 1000000
   * @default - the first generation
   */
  readonly generation?: number;

  /**
   * Project of this certificate and its authorizations; or a reference.
   *
   * @default - the migration's project
   * @reference id
   */
  readonly project?: string;

  /**
   * Expected scope. A scope that the load balancer doesn't support is an error.
   *
   * @default - the load balancer's scope
   */
  readonly scope?: CertificateScopeName;

  /**
   * Expected location, `global` or a region. A location that the load balancer doesn't support is an error.
   *
   * @default - the load balancer's location
   */
  readonly location?: string;

  /**
   * Further labels of this certificate, which override the migration's labels.
   *
   * @default - the migration's labels
   * @reference variables
   */
  readonly labels?: { readonly [key: string]: string };

  /** Description of the certificate, at most 1024 characters. @default - the migration's description, or the domains */
  readonly description?: string;
}

/** A certificate whose names the migration chooses. */
export interface IssuedCertificateOptions extends CreatedCertificateOptions {
  /**
   * DNS names of the certificate. Adding or removing a name issues a new certificate; the previous certificate is
   * served until the new one is active.
   */
  readonly domains: readonly string[];
}

/** A certificate that a public CA of Google issues and renews. */
export interface ManagedCertificateSpec extends IssuedCertificateOptions {
  /** Google issues and renews the certificate. @default "managed" */
  readonly kind?: "managed";
}

/** A certificate from another CA that you upload and renew. */
export interface SelfManagedCertificateSpec extends CreatedCertificateOptions, SelfManagedSpec {
  /** You upload and renew the certificate. */
  readonly kind: "selfManaged";

  /** DNS names of the certificate. @default - the names in the certificate; required for a reference */
  readonly domains?: readonly string[];
}

/**
 * A certificate that a private CA issues and renews. The certificate needs no DNS authorization, and its names may be
 * in domains such as `.internal`. Clients have to trust the CA.
 */
export interface PrivateCaCertificateSpec extends IssuedCertificateOptions, IssuedBySpec {
  /** A private CA issues and renews the certificate. */
  readonly kind: "privateCa";
}

/** A certificate of Certificate Manager that exists without the migration. */
export interface ExistingCertificateSpec extends ServedCertificateOptions {
  /** The certificate exists already; the migration only serves it. */
  readonly kind: "existing";

  /**
   * Id of the certificate: `projects/P/locations/L/certificates/C`, or a reference. A managed certificate without DNS
   * authorizations and without issuance config is refused if the same app creates it, because it becomes ACTIVE only
   * after traffic has moved; `doctor` reports others that are not issued.
   *
   * @reference id
   */
  readonly id: string;

  /** DNS names of the certificate. @default - required, except for a certificate with a name that a proxy refers to */
  readonly domains?: readonly string[];
}

/**
 * A certificate without `kind`. It is managed, unless it has one of the members `selfManaged`, `issuedBy` and
 * `existingCertificateId` of earlier releases, which are still read.
 */
export interface FormerCertificateSpec extends CreatedCertificateOptions {
  /**
   * DNS names of the certificate.
   *
   * @default - the names in a self-managed certificate; required otherwise, except for an existing certificate that
   * is attached directly to a proxy
   */
  readonly domains?: readonly string[];

  /** A certificate that you upload and renew; now `kind: selfManaged`. @default - a managed certificate */
  readonly selfManaged?: SelfManagedSpec;

  /** A private CA that issues the certificate; now `kind: privateCa`. @default - a managed certificate */
  readonly issuedBy?: IssuedBySpec;

  /**
   * Id of an existing certificate; now `kind: existing`.
   *
   * @default - a managed certificate
   * @reference id
   */
  readonly existingCertificateId?: string;
}

/** A private CA of CA Service: a pool with the settings of its certificates, or an existing issuance config. */
export interface IssuedBySpec extends IssuanceSettings {
  /**
   * CA pool: `projects/P/locations/L/caPools/POOL`, or a reference. A regional certificate needs a pool in its region.
   * The service agent of Certificate Manager needs the role `roles/privateca.certificateRequester` on the pool.
   *
   * @default - the pool of `existingIssuanceConfig`
   * @reference id
   */
  readonly caPool?: string;

  /**
   * An existing issuance config in the certificate's location:
   * `projects/P/locations/L/certificateIssuanceConfigs/CONFIG`, or a reference.
   *
   * @default - the migration creates an issuance config for `caPool`
   * @reference id
   */
  readonly existingIssuanceConfig?: string;
}

/** Settings of the certificates of a CA pool. */
export interface IssuanceSettings {
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
export interface SelfManagedSpec extends PrivateKeySpec {
  /** Certificate and chain in PEM, leaf first; or a reference, which requires `domains`. @reference whole */
  readonly certificatePem: string;
}

/** The private key of a certificate that you upload. */
export interface PrivateKeySpec {
  /**
   * Unencrypted key in PEM; or a reference to a sensitive variable. A literal key ends up in the synthesized stack,
   * which causes a warning.
   *
   * @reference whole
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
