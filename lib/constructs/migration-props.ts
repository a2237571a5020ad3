import type { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { TerraformProvider } from "cdktf";
import type { INaming, MigrationHostnames, MigrationSettings } from "../plan";
import type { Certificate } from "./certificate";
import type { DnsPublication } from "./dns-publication";
import type { CertificateMap, DnsAuthorization } from "./existing-resources";
import type { LoadBalancer } from "./load-balancer";

/** The props that all constructs of migrations have. */
export interface MigrationProps extends MigrationSettings {
  /**
   * Name of the migration, in the names of its certificates and map. A changed name replaces these resources.
   *
   * @default - the construct's path
   */
  readonly name?: string;

  /** Publication of the CNAME records of DNS authorizations, and of the address records of step 8. */
  readonly dns: DnsPublication;

  /**
   * Existing authorizations by domain: {@link DnsAuthorization.fromId}, an authorization of this app, or an id. The
   * migration creates neither an authorization nor a CNAME record for these domains.
   *
   * @default - the migration creates an authorization for every domain
   */
  readonly existingAuthorizations?: {
    readonly [domain: string]: string | DnsAuthorization | CertificateManagerDnsAuthorization;
  };

  /**
   * Google provider of the stack that creates the resources, and imports existing ones. Records can have another one:
   * {@link CloudDnsOptions.provider}. Resources that migrations share need the same provider in all of them. Another
   * provider with the same project changes no resource; one with another project replaces all.
   *
   * @default - the stack's google provider without alias
   */
  readonly provider?: TerraformProvider;

  /**
   * Whether the migration has outputs: `certificate_map_id`, `records_to_publish`, and its part of the stack's
   * `cert_migration`. With `false`, no resource changes, but commands with `--outputs` or `--stack` don't find the
   * migration. A rehearsal of the app reads the outputs, so it creates them anyway.
   *
   * Must be `true` or `false` itself: Terraform can't create outputs by a condition.
   *
   * @default true
   */
  readonly outputs?: boolean;

  /**
   * Names of the created resources by the convention of an organization, except for proxies with a `name`. An object
   * such as `` { name: (kind, suggested) => `acme-${suggested.slice(-12)}` } `` is enough. Migrations that share an
   * authorization need the same name for it. Set it before the first apply: a changed name replaces the resource, and
   * Google accepts neither a second authorization of a domain nor a second entry of a hostname in a map. For a deployed
   * migration, return the suggestion for the kinds `authorization`, `entry` and `forwardingRule`.
   *
   * @default - the suggestions are the names
   */
  readonly naming?: INaming;
}

/** A migration in TypeScript: the fields of `MigrationSpec`, with constructs instead of some strings. */
export interface ManagedCertMigrationProps extends MigrationProps, MigrationHostnames {
  /** Third-party certificates to replace, one item each; at least one. Their order has no effect. */
  readonly certificates: readonly Certificate[];

  /**
   * Load balancer that serves the certificates.
   *
   * @default - a global external load balancer without attachment: the map is created, no target proxy is changed
   */
  readonly loadBalancer?: LoadBalancer;

  /**
   * An existing certificate map: {@link CertificateMap.fromId}, a map of this app, or an id.
   *
   * @default - the migration creates a map
   */
  readonly existingCertificateMap?: string | CertificateMap | CertificateManagerCertificateMap;
}
