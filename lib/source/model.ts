import {
  type CertificateScopeName,
  type Finding,
  type GateName,
  isReference,
  type LoadBalancerKind,
  type MigrationPlan,
  type PhaseName,
} from "../plan";
import { lastPart, writeLocatedName } from "../resource-names";
import type { FurtherResource } from "./further";
import type { StackContents } from "./stack-contents";

/**
 * A migration as the commands use it, whatever its source. Values that only the cloud or Terraform knows are absent. A
 * spec has names but possibly no project; a synthesized stack has no data of records; the outputs have everything.
 */
export interface SourceMigration {
  /** Construct path in the stack, or the name of the migration if it was read from a spec. */
  readonly path: string;
  readonly name: string;
  readonly phase: PhaseName;
  readonly gate: GateName;
  readonly loadBalancer: LoadBalancerKind;
  readonly certificates: readonly SourceCertificate[];
  readonly entries: readonly SourceEntry[];
  readonly authorizations: readonly SourceAuthorization[];
  readonly records: readonly SourceRecord[];
  readonly map?: SourceResource;
  readonly proxies: readonly SourceResource[];
  /**
   * Proxies that serve the hostnames today and get the map in place, so that traffic doesn't move; absent if traffic
   * moves to the load balancer.
   */
  readonly servingProxies?: readonly SourceServingProxy[];
  /** Each in its canonical form, whatever form the source has. */
  readonly addresses: { readonly ipv4: readonly string[]; readonly ipv6: readonly string[] };
  readonly traffic?: SourceTraffic;
  /** APIs, gates, forwarding rules and targets of aliases; absent for outputs, which do not contain them. */
  readonly further?: readonly FurtherResource[];
  /**
   * Whether Terraform enables the APIs that it needs; absent if it does not, and for outputs, which do not contain it.
   */
  readonly enablesApis?: boolean;
}

/** A cloud resource, as far as it is known. */
export interface SourceResource {
  /** Last part of its id. */
  readonly resourceName?: string;
  /** For example `projects/P/locations/L/certificates/C`. */
  readonly id?: string;
}

/** A certificate of a migration. */
export interface SourceCertificate extends SourceResource {
  /** Identity within the migration. */
  readonly name: string;
  readonly kind: "managed" | "selfManaged" | "existing";
  readonly domains: readonly string[];
  /** `global` or a region. */
  readonly location: string;
  readonly scope: CertificateScopeName;
  /**
   * Leaf and chain of a certificate that the plan uploads, in PEM. Other blocks of the text, for example a private key,
   * are removed. Absent for other certificates, and if the source does not contain the PEM.
   */
  readonly uploadedPem?: string;
  /** Whether a private CA issues the certificate, so that it needs no DNS authorization. @default false */
  readonly isPrivatelyIssued?: true;
  /** The private CA of a certificate, as far as it is known; absent for a public CA. */
  readonly issuedBy?: SourceIssuer;
}

/** Issuer of certificates of a private CA: a CA pool with the settings of its certificates, or an issuance config. */
export interface SourceIssuer {
  /** `projects/P/locations/L/caPools/POOL`; absent with an existing issuance config, or if only Terraform knows it. */
  readonly caPool?: string;
  /** Lifetime of the certificates in seconds; absent with an existing issuance config. */
  readonly lifetimeSeconds?: number;
  /** Algorithm of the certificates' keys; absent with an existing issuance config. */
  readonly keyAlgorithm?: "RSA_2048" | "ECDSA_P256";
  /** Id of an existing issuance config; absent if the migration creates the config. */
  readonly existingIssuanceConfig?: string;
}

/** A certificate map entry of a migration. */
export interface SourceEntry extends SourceResource {
  /** The hostname, or `PRIMARY`. */
  readonly hostname: string;
  /** Names of certificates of the migration, or ids of other certificates. */
  readonly certificates: readonly string[];
}

/** A DNS authorization of a migration. */
export interface SourceAuthorization extends SourceResource {
  readonly domain: string;
  readonly location: string;
}

/** The CNAME record of an authorization. */
export interface SourceRecord {
  readonly domain: string;
  /** With its trailing dot. */
  readonly name?: string;
  /** With its trailing dot. */
  readonly data?: string;
  /**
   * `cloudDns`: Terraform writes the record in Cloud DNS; `custom`: at another provider; `external`: the user has to
   * publish it.
   */
  readonly published: "cloudDns" | "custom" | "external";
  /** The DNS name for which the zone is authoritative, without trailing dot. */
  readonly zone?: string;
}

/** A proxy that serves hostnames of the migration today. */
export interface SourceServingProxy {
  /** `projects/P/global/targetHttpsProxies/N`. */
  readonly id: string;
  readonly addresses: readonly string[];
  /** Certificates that are attached directly today. */
  readonly certificates: readonly { readonly id: string; readonly domains: readonly string[] }[];
}

/** The traffic that a migration moves. */
export interface SourceTraffic {
  readonly to: "previous" | "loadBalancer";
  readonly hostnames: readonly string[];
  /** Names with trailing dot. */
  readonly records: readonly { readonly name: string; readonly type: string; readonly data: readonly string[] }[];
  /**
   * Addresses at the previous provider by hostname, as far as they are known. A hostname that was an alias has none
   * here.
   */
  readonly previous?: Readonly<Record<string, readonly string[]>>;
  /** Previous targets of hostnames that were aliases, without trailing dots. */
  readonly previousAliases?: Readonly<Record<string, string>>;
}

/** The content of one of `--spec`, `--stack`, `--outputs`. */
export interface MigrationSource {
  readonly kind: "spec" | "stack" | "outputs";
  /** At least one. */
  readonly migrations: readonly SourceMigration[];
  /** Present only if the source is a spec. */
  readonly plan?: MigrationPlan;
  /** Present only if the source is a synthesized stack. */
  readonly stack?: StackContents;
  /** Warnings of the plan; its errors are thrown. */
  readonly warnings: readonly Finding[];
}

/**
 * Returns whether a text is a domain name with a trailing dot, of letters, digits, hyphens and underscores. Zone files
 * and shells therefore cannot misread it.
 */
export function isZoneName(text: string): boolean {
  return /^(?=.{1,254}$)(?:[A-Za-z0-9_-]{1,63}\.)+$/.test(text);
}

/** Returns the domain of the authorization for a name: `example.com` for `*.example.com`; any other name itself. */
export function authorizedDomain(domain: string): string {
  return domain.startsWith("*.") ? domain.slice(2) : domain;
}

/** Returns the id of a Certificate Manager resource, if its project is known. */
export function resourceId(
  project: string | undefined,
  location: string,
  collection: "certificates" | "dnsAuthorizations" | "certificateMaps",
  name: string,
): SourceResource {
  if (isReference(name)) return {};
  if (project === undefined) return { resourceName: name };
  return { resourceName: name, id: writeLocatedName({ project, location, collection, name }) };
}

/** Returns a resource from its id. */
export function resourceOf(id: string): Required<SourceResource> {
  return { resourceName: lastPart(id), id };
}

/** The records of a name before the migration, in the format of plans and outputs. */
interface Previous {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
}

/**
 * Returns the records of hostnames before the traffic move.
 *
 * @param resolve resolves a reference; returns undefined if only Terraform knows the value
 */
export function previousOf(
  previous: Readonly<Record<string, Previous>>,
  resolve: (text: string) => string | undefined,
): Pick<SourceTraffic, "previous" | "previousAliases"> {
  const known = Object.entries(previous);
  const addresses = known.flatMap(([hostname, { a = [], aaaa = [] }]) => {
    const addressValues = [...a, ...aaaa].flatMap((address) => resolve(address) ?? []);
    return addressValues.length === 0 ? [] : [[hostname, addressValues] as const];
  });
  const aliases = known.flatMap(([hostname, { cname }]) => {
    const target = cname === undefined ? undefined : resolve(cname);
    return target === undefined ? [] : [[hostname, target.replace(/\.$/, "")] as const];
  });
  return {
    ...(addresses.length === 0 ? {} : { previous: Object.fromEntries(addresses) }),
    ...(aliases.length === 0 ? {} : { previousAliases: Object.fromEntries(aliases) }),
  };
}
