import type { CertificateScope, Gate, LoadBalancerKind, Phase } from "../plan";

/**
 * What the output `cert_migration` says of one migration. In the synthesized stack the values are Terraform references where only the cloud
 * knows them; `terraform output -json` has them resolved. There is no secret in it.
 */
export interface MigrationOutput {
  /** Identity of the migration. */
  readonly name: string;
  readonly phase: Phase;
  readonly gate: Gate;
  readonly loadBalancer: LoadBalancerKind;
  readonly certificates: readonly CertificateOutput[];
  /** One for each hostname, and the PRIMARY one; absent in phase `issue` and where certificates are attached directly. */
  readonly entries?: readonly EntryOutput[];
  /** Those that managed certificates refer to, existing ones included. */
  readonly authorizations?: readonly AuthorizationOutput[];
  /** CNAMEs of the authorizations that are made here. */
  readonly records?: readonly RecordOutput[];
  /** Id of the certificate map. */
  readonly map?: string;
  /** Ids of the target proxies that have the certificates. */
  readonly proxies?: readonly string[];
  /** IP addresses where the load balancer answers. */
  readonly addresses?: { readonly ipv4?: readonly string[]; readonly ipv6?: readonly string[] };
  /** Step 8; absent where no address record is managed. */
  readonly traffic?: TrafficOutput;
}

/** A certificate of the migration. */
export interface CertificateOutput {
  /** Identity within the migration. */
  readonly name: string;
  readonly kind: "managed" | "selfManaged" | "existing";
  /** `projects/P/locations/L/certificates/C`. */
  readonly id: string;
  /** DNS names that it is for; absent where they are not known before Terraform runs. */
  readonly domains?: readonly string[];
  /** `global` or a region. */
  readonly location: string;
  readonly scope: CertificateScope;
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
  /** The domain that it is for; it covers the wildcard below it as well. */
  readonly domain: string;
  /** `projects/P/locations/L/dnsAuthorizations/A`. */
  readonly id: string;
}

/** The CNAME of an authorization. */
export interface RecordOutput {
  /** The domain that it authorizes. */
  readonly domain: string;
  /** With a trailing dot. */
  readonly name: string;
  readonly type: "CNAME";
  /** Its target, with a trailing dot. */
  readonly data: string;
  /** `cloudDns`: this stack writes it. `external`: it has to be published by hand. */
  readonly published: "cloudDns" | "external";
}

/** Where the address records lead. */
export interface TrafficOutput {
  /** To what they were before the migration, or to the load balancer. */
  readonly to: "previous" | "loadBalancer";
  /** Whose records are managed. */
  readonly hostnames: readonly string[];
  /**
   * Where hostnames led before the migration, also once their traffic has moved; of an alias the target. Stacks of older releases have none.
   */
  readonly previous?: Readonly<
    Record<string, { readonly a?: readonly string[]; readonly aaaa?: readonly string[]; readonly cname?: string }>
  >;
  /** Where DNS is elsewhere: the records to set by hand. */
  readonly records?: readonly { readonly name: string; readonly type: string; readonly data: readonly string[] }[];
}
