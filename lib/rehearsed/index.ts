import { baseDomain, type Hostname, hostnameIn, isWildcard, registrableDomain } from "../hostnames";
import {
  defaultLoadBalancerKind,
  formOf,
  hostnameReader,
  isIssuedByMigration,
  type MigrationSpec,
  type PreviousRecords,
  type SelfManagedCertificateSpec,
  uploadedNames,
} from "../plan";

/** A migration at one point of a rehearsal. A pipeline deploys the variants in sequence. */
export interface RehearsalVariant {
  readonly phase: "issue" | "serve";
  /** Target of the address records, as `traffic.to` of a spec. */
  readonly traffic: "previous" | "loadBalancer";
  /** Whether a domain has been added to a certificate. */
  readonly rotated: boolean;
  /** How often FAILED certificates were given another generation. */
  readonly reissues: number;
  /**
   * Observed IP addresses of the load balancer, for a spec that does not state them.
   *
   * @default - only those of the spec
   */
  readonly addresses?: readonly string[];
  /**
   * Certificates in place of uploaded ones, by {@link uploadKey}.
   *
   * @default - the uploaded certificates of the spec
   */
  readonly uploads?: Readonly<Record<string, RehearsedUpload>>;
  /**
   * Certificates in PEM that count as roots of public CAs: the replacements of uploads of public CAs.
   *
   * @default - only the roots of public CAs
   */
  readonly publicRoots?: readonly string[];
}

/** A certificate that replaces an uploaded one in a rehearsal. */
export interface RehearsedUpload {
  /** Leaf and chain, in PEM. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Returns the key of an uploaded certificate: its names. Empty for a PEM that can't be read, as a reference. */
export function uploadKey(certificatePem: string): string {
  return [...uploadedNames(certificatePem)].sort().join(" ");
}

/**
 * Key of an app's context that contains the {@link RehearsalContext} during a rehearsal; absent in every other
 * synthesis.
 */
export const rehearsalContextKey = "cert-migration:rehearsal";

/** Key of an app's context that contains {@link RehearsalVariant.publicRoots}. */
export const publicRootsContextKey = "cert-migration:public-roots";

/** Value of {@link rehearsalContextKey}. */
export interface RehearsalContext {
  readonly version: 2;
  readonly variant: RehearsalVariant;
  /** Command by which the gate `wait` calls `cert-migration`. */
  readonly gateCommand: string;
  /** Construct path of the migration to which a domain is added. @default - no migration */
  readonly rotating?: string;
}

/** IP address of the previous provider in a rehearsal's DNS, unless a spec states another. */
export const rehearsalPreviousAddress = "198.51.100.10";
/** IP address of the load balancer for a spec without one. */
export const rehearsalLoadBalancerAddress = "203.0.113.7";

/** Hostnames that a rehearsal probes. */
export interface RehearsalHostnames {
  /**
   * All hostnames, including {@link RehearsalHostnames.added}; sorted. A wildcard is probed by one name that it covers,
   * and by the name of its uptime check.
   */
  readonly all: readonly Hostname[];
  /** Hostname that is added to the first managed certificate; undefined without managed certificates. */
  readonly added: Hostname | undefined;
}

/**
 * Returns the hostnames that a rehearsal of a migration probes.
 *
 * @throws InputError for an invalid hostname
 */
export function rehearsalHostnames(spec: MigrationSpec): RehearsalHostnames {
  const parse = parserOf(spec);
  const [first] = spec.certificates.find(isIssuedByMigration)?.domains ?? [];
  const added = first === undefined ? undefined : parse(`added.by-rehearsal.${baseDomain(parse(first))}`);
  const probed = (domain: string) => probedName(parse(domain), parse);
  const served = spec.certificates.flatMap((certificate) => servedBy(certificate).map(probed));
  const today = Object.keys(spec.traffic?.previous ?? {}).map(parse);
  // Without an address in DNS, these uptime checks would fail from the first day.
  const checked = Object.values(spec.alerts?.wildcardProbes ?? {}).map(parse);
  return {
    all: [...new Set([...served, ...today, ...checked, ...(added === undefined ? [] : [added])])].sort(),
    added,
  };
}

/**
 * Returns the migration at one point of a rehearsal. Fills in what a spec leaves open, so that all eight steps can be
 * rehearsed. These are Cloud DNS with a zone for each registrable domain, a new proxy with an address, and records of
 * today. The spec's own values are kept.
 *
 * @param gateCommand command by which the gate `wait` calls `cert-migration`
 * @param ipv4Address address of the load balancer for a spec without one
 * @throws InputError for an invalid hostname
 */
export function rehearsedSpec(
  spec: MigrationSpec,
  variant: RehearsalVariant,
  gateCommand: string,
  ipv4Address = rehearsalLoadBalancerAddress,
): MigrationSpec {
  const { phase, traffic, rotated, reissues, addresses, uploads = {} } = variant;
  const { all, added } = rehearsalHostnames(spec);
  const rotating = spec.certificates.find(isIssuedByMigration);
  return {
    ...spec,
    certificates: spec.certificates.map((certificate) => ({
      ...withUpload(certificate, uploads),
      ...(certificate === rotating && rotated && added !== undefined ? withDomain(certificate, added) : {}),
      ...(reissues > 0 && isIssuedByMigration(certificate)
        ? { generation: (formOf(certificate).generation ?? 0) + reissues }
        : {}),
    })),
    dns: spec.dns.kind === "cloudDns" ? spec.dns : { kind: "cloudDns", zones: zonesFor(all) },
    loadBalancer: withAddresses(spec.loadBalancer ?? newLoadBalancer(ipv4Address), addresses),
    phase,
    gateCommand,
    // The addresses of proxies that serve the hostnames already stay in DNS.
    ...(isInPlace(spec)
      ? {}
      : {
          traffic: {
            ...spec.traffic,
            hostnames: "all" as const,
            to: traffic,
            ttlSeconds: spec.traffic?.ttlSeconds ?? 60,
            previous: todaysRecords(
              all.filter((hostname) => rotated || hostname !== added),
              spec,
            ),
          },
        }),
  };
}

/** Returns the hostnames of a certificate: an uploaded one without `domains` has the names in its PEM. */
function servedBy(certificate: MigrationSpec["certificates"][number]): readonly string[] {
  const { hostnames, domains, selfManaged } = formOf(certificate);
  return hostnames ?? domains ?? (selfManaged === undefined ? [] : uploadedNames(selfManaged.certificatePem));
}

/** Returns a certificate of a spec with the upload that replaces its own. */
function withUpload(
  certificate: MigrationSpec["certificates"][number],
  uploads: NonNullable<RehearsalVariant["uploads"]>,
): MigrationSpec["certificates"][number] {
  const { selfManaged } = formOf(certificate);
  const upload = selfManaged && uploads[uploadKey(selfManaged.certificatePem)];
  if (upload === undefined) return certificate;
  if ("selfManaged" in certificate) return { ...certificate, selfManaged: upload };
  const { privateKeyVariable: _, privateKeyStorage: __, ...rest } = certificate as SelfManagedCertificateSpec;
  return { ...rest, ...upload };
}

function isInPlace({ loadBalancer }: MigrationSpec): boolean {
  return (loadBalancer?.servingProxies ?? []).length > 0;
}

function newLoadBalancer(ipv4Address: string): LoadBalancerSpec {
  return {
    kind: defaultLoadBalancerKind,
    newTargetHttpsProxy: { urlMap: "rehearsal", forwardingRules: { ipv4Address } },
  };
}

type LoadBalancerSpec = NonNullable<MigrationSpec["loadBalancer"]>;

function withAddresses(spec: LoadBalancerSpec, seen: readonly string[] | undefined): LoadBalancerSpec {
  const { addresses, newTargetHttpsProxy: https, newTargetSslProxy: ssl } = spec;
  const isSaid = [addresses, https?.forwardingRules, ssl?.forwardingRules].some((said) => said !== undefined);
  return isSaid || seen === undefined || seen.length === 0 ? spec : { ...spec, addresses: seen };
}

function withDomain(
  { domains = [], hostnames }: Pick<MigrationSpec["certificates"][number], "domains" | "hostnames">,
  added: string,
) {
  return { domains: [...domains, added], ...(hostnames === undefined ? {} : { hostnames: [...hostnames, added] }) };
}

type Parse = (text: string) => Hostname;

/** Returns a parser for the hostnames of a migration, which throws an InputError for an invalid hostname. */
function parserOf(spec: MigrationSpec): Parse {
  const read = hostnameReader({ spec });
  return (text) => hostnameIn(read(text));
}

/** Returns the name itself, or a name that the wildcard covers. */
function probedName(name: Hostname, parse: Parse): Hostname {
  return isWildcard(name) ? parse(`covered-by-wildcard.${baseDomain(name)}`) : name;
}

function zonesFor(hostnames: readonly Hostname[]): Readonly<Record<string, string>> {
  const domains = new Set(hostnames.map((hostname) => registrableDomain(hostname) ?? hostname));
  return Object.fromEntries([...domains].map((domain) => [domain, domain.replace(/[^a-z0-9]/g, "-")]));
}

function todaysRecords(hostnames: readonly Hostname[], spec: MigrationSpec): Readonly<Record<string, PreviousRecords>> {
  const parse = parserOf(spec);
  const previous = new Map(
    Object.entries(spec.traffic?.previous ?? {}).map(([name, records]) => [parse(name), records]),
  );
  return Object.fromEntries(
    hostnames.map((hostname) => [hostname, previous.get(hostname) ?? { a: [rehearsalPreviousAddress] }]),
  );
}
