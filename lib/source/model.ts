import type { CertificateScope, Finding, Gate, LoadBalancerKind, MigrationPlan, Phase } from "../plan";

/**
 * A migration as the commands see it, whatever it was read from. What only the cloud or Terraform knows is absent: a spec knows names but perhaps no
 * project, a synthesized stack no data of records; the outputs know everything.
 */
export interface SourceMigration {
  /** Construct path in the stack; the name of the migration where it was read from a spec. */
  readonly path: string;
  readonly name: string;
  readonly phase: Phase;
  readonly gate: Gate;
  readonly loadBalancer: LoadBalancerKind;
  readonly certificates: readonly SourceCertificate[];
  readonly entries: readonly SourceEntry[];
  readonly authorizations: readonly SourceAuthorization[];
  readonly records: readonly SourceRecord[];
  readonly map?: SourceResource;
  readonly proxies: readonly SourceResource[];
  /** Each spelled in one way, whatever way it was written in. */
  readonly addresses: { readonly ipv4: readonly string[]; readonly ipv6: readonly string[] };
  readonly traffic?: SourceTraffic;
  /** Whether Terraform switches on the APIs that it needs; absent where it does not, and where the outputs don't tell. */
  readonly enablesApis?: boolean;
}

/** A resource of the cloud, as far as it is known. */
export interface SourceResource {
  /** Last part of its id. */
  readonly resourceName?: string;
  /** As in `projects/P/locations/L/certificates/C`. */
  readonly id?: string;
}

export interface SourceCertificate extends SourceResource {
  /** Identity within the migration. */
  readonly name: string;
  readonly kind: "managed" | "selfManaged" | "existing";
  readonly domains: readonly string[];
  /** `global` or a region. */
  readonly location: string;
  readonly scope: CertificateScope;
  /** Leaf and chain of one that the plan uploads, in PEM, without whatever else stands with them, as a private key. Absent for others, and where the PEM is not in what was read. */
  readonly uploadedPem?: string;
}

export interface SourceEntry extends SourceResource {
  /** The hostname, or `PRIMARY`. */
  readonly hostname: string;
  /** Names of certificates of the migration, or ids of others. */
  readonly certificates: readonly string[];
}

export interface SourceAuthorization extends SourceResource {
  readonly domain: string;
  readonly location: string;
}

/** The CNAME of an authorization. */
export interface SourceRecord {
  readonly domain: string;
  /** With its trailing dot. */
  readonly name?: string;
  /** With its trailing dot. */
  readonly data?: string;
  /** `cloudDns`: Terraform writes it; `external`: it has to be published by hand. */
  readonly published: "cloudDns" | "external";
  /** What the zone is authoritative for, without trailing dot. */
  readonly zone?: string;
}

export interface SourceTraffic {
  readonly to: "previous" | "loadBalancer";
  readonly hostnames: readonly string[];
  /** Names with trailing dot. */
  readonly records: readonly { readonly name: string; readonly type: string; readonly data: readonly string[] }[];
  /** Addresses of the old side by hostname, as far as they are known; one that was an alias has none here. */
  readonly previous?: Readonly<Record<string, readonly string[]>>;
  /** Where hostnames that were aliases led, without trailing dots. */
  readonly previousAliases?: Readonly<Record<string, string>>;
}

/** What one of `--spec`, `--stack`, `--outputs` gave. */
export interface MigrationSource {
  readonly kind: "spec" | "stack" | "outputs";
  /** At least one. */
  readonly migrations: readonly SourceMigration[];
  /** Of a spec alone. */
  readonly plan?: MigrationPlan;
  /** Warnings of the plan; its errors are thrown. */
  readonly warnings: readonly Finding[];
}

/** Whether a text is a domain name with a trailing dot, of letters, digits, hyphens and underscores: nothing that a zone file or a shell would read as something else. */
export function isZoneName(text: string): boolean {
  return /^(?=.{1,254}$)(?:[A-Za-z0-9_-]{1,63}\.)+$/.test(text);
}

/** `example.com` of `*.example.com`; any other name itself: what an authorization is for. */
export function authorizedDomain(domain: string): string {
  return domain.startsWith("*.") ? domain.slice(2) : domain;
}

/** The id of a resource of Certificate Manager, where its project is known. */
export function resourceId(
  project: string | undefined,
  location: string,
  collection: "certificates" | "dnsAuthorizations" | "certificateMaps",
  name: string,
): SourceResource {
  if (project === undefined) return { resourceName: name };
  return { resourceName: name, id: `projects/${project}/locations/${location}/${collection}/${name}` };
}

/** A resource of which the id is known. */
export function resourceOf(id: string): Required<SourceResource> {
  return { resourceName: id.slice(id.lastIndexOf("/") + 1), id };
}
