import type { CertificateScope, Gate, LoadBalancerKind, Phase } from "../plan";

/**
 * What the output `cert_migration` says of one migration. In the synthesized stack the values are Terraform references where only the cloud
 * knows them; `terraform output -json` has them resolved. There is no secret in it.
 */
export interface MigrationOutput {
  readonly name: string;
  readonly phase: Phase;
  readonly gate: Gate;
  readonly loadBalancer: LoadBalancerKind;
  readonly certificates: readonly CertificateOutput[];
  readonly entries?: readonly EntryOutput[];
  readonly authorizations?: readonly AuthorizationOutput[];
  readonly records?: readonly RecordOutput[];
  /** Id of the certificate map. */
  readonly map?: string;
  /** Ids of the target proxies that have the certificates. */
  readonly proxies?: readonly string[];
  readonly addresses?: { readonly ipv4?: readonly string[]; readonly ipv6?: readonly string[] };
  readonly traffic?: TrafficOutput;
}

export interface CertificateOutput {
  /** Identity within the migration. */
  readonly name: string;
  readonly kind: "managed" | "selfManaged" | "existing";
  /** `projects/P/locations/L/certificates/C`. */
  readonly id: string;
  readonly domains?: readonly string[];
  readonly location: string;
  readonly scope: CertificateScope;
}

export interface EntryOutput {
  /** The hostname, or `PRIMARY`. */
  readonly hostname: string;
  /** Id of the entry. */
  readonly id: string;
  /** Ids of its certificates. */
  readonly certificates: readonly string[];
}

export interface AuthorizationOutput {
  readonly domain: string;
  readonly id: string;
}

export interface RecordOutput {
  readonly domain: string;
  readonly name: string;
  readonly type: "CNAME";
  readonly data: string;
  /** `cloudDns`: this stack writes it. `external`: it has to be published by hand. */
  readonly published: "cloudDns" | "external";
}

export interface TrafficOutput {
  readonly to: "previous" | "loadBalancer";
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
