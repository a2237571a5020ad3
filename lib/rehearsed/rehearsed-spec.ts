import { baseDomain, type Hostname, isWildcard, parseHostname, registrableDomain } from "../hostnames";
import type { CertificateSpec, MigrationSpec, PreviousRecords } from "../plan";

/** A migration as it is at one point of a rehearsal: what a pipeline deploys, one after the other. */
export interface RehearsalVariant {
  readonly phase: "issue" | "serve";
  /** Where address records lead, as `traffic.to` of a spec. */
  readonly traffic: "previous" | "loadBalancer";
  /** Whether a domain has been added to a certificate. */
  readonly rotated: boolean;
  /** How often certificates that had FAILED were given another generation. */
  readonly mended: number;
  /** Where the load balancer answers, as it was seen: for a spec that does not say so. @default - only what the spec says */
  readonly addresses?: readonly string[];
}

/** Key of an app's context under which a rehearsal of the app says where it is; absent in every other synthesis. */
export const rehearsalContextKey = "cert-migration:rehearsal";

/** What stands under {@link rehearsalContextKey}. */
export interface RehearsalContext {
  readonly version: 1;
  readonly variant: RehearsalVariant;
  /** How the gate `wait` calls `cert-migration`. */
  readonly gateCommand: string;
  /** Construct path of the one migration that a domain is added to. @default - to none */
  readonly rotating?: string;
}

/** Where the old provider of a rehearsal is met, by what DNS says, unless a spec says otherwise. */
export const rehearsalOldAddress = "198.51.100.10";
/** Where the load balancer of a spec that has none is met. */
export const rehearsalNewAddress = "203.0.113.7";

/** Names that a rehearsal probes. */
export interface RehearsalHostnames {
  /** Every one, {@link RehearsalHostnames.added} among them; sorted. A wildcard is probed by one name that it covers. */
  readonly all: readonly Hostname[];
  /** The name that is added to the first managed certificate; undefined where there is none. */
  readonly added: Hostname | undefined;
}

/**
 * The names that a rehearsal of a migration probes.
 *
 * @throws InputError for a name that is none
 */
export function rehearsalHostnames(spec: MigrationSpec): RehearsalHostnames {
  const [first] = spec.certificates.find(isManaged)?.domains ?? [];
  const added =
    first === undefined ? undefined : parseHostname(`added.by-rehearsal.${baseDomain(parseHostname(first))}`);
  const served = spec.certificates.flatMap(({ hostnames, domains = [] }) => (hostnames ?? domains).map(probedName));
  const today = Object.keys(spec.traffic?.previous ?? {}).map((name) => parseHostname(name));
  return { all: [...new Set([...served, ...today, ...(added === undefined ? [] : [added])])].sort(), added };
}

/**
 * The migration at one point of a rehearsal. What a spec leaves open is filled in, so that all eight steps can be rehearsed: Cloud DNS with a zone for each
 * registrable domain, a new proxy with an address, today's addresses. What it says itself stays.
 *
 * @param gateCommand how the gate `wait` calls `cert-migration`
 * @throws InputError for a name that is none
 */
export function rehearsedSpec(spec: MigrationSpec, variant: RehearsalVariant, gateCommand: string): MigrationSpec {
  const { phase, traffic, rotated, mended, addresses } = variant;
  const { all, added } = rehearsalHostnames(spec);
  const rotating = spec.certificates.find(isManaged);
  return {
    ...spec,
    certificates: spec.certificates.map((certificate) => ({
      ...certificate,
      ...(certificate === rotating && rotated && added !== undefined ? withDomain(certificate, added) : {}),
      ...(mended > 0 && isManaged(certificate) ? { generation: (certificate.generation ?? 0) + mended } : {}),
    })),
    dns: spec.dns.kind === "cloudDns" ? spec.dns : { kind: "cloudDns", zones: zonesFor(all) },
    loadBalancer: withAddresses(spec.loadBalancer ?? newLoadBalancer, addresses),
    phase,
    gateCommand,
    traffic: {
      ...spec.traffic,
      hostnames: "all",
      to: traffic,
      ttlSeconds: spec.traffic?.ttlSeconds ?? 60,
      previous: todaysRecords(
        all.filter((hostname) => rotated || hostname !== added),
        spec,
      ),
    },
  };
}

const newLoadBalancer = {
  kind: "globalExternal",
  newTargetHttpsProxy: { urlMap: "rehearsal", forwardingRules: { ipv4Address: rehearsalNewAddress } },
} as const satisfies MigrationSpec["loadBalancer"];

type LoadBalancerSpec = NonNullable<MigrationSpec["loadBalancer"]>;

function withAddresses(spec: LoadBalancerSpec, seen: readonly string[] | undefined): LoadBalancerSpec {
  const { addresses, newTargetHttpsProxy: https, newTargetSslProxy: ssl } = spec;
  const isSaid = [addresses, https?.forwardingRules, ssl?.forwardingRules].some((said) => said !== undefined);
  return isSaid || seen === undefined || seen.length === 0 ? spec : { ...spec, addresses: seen };
}

function isManaged({ selfManaged, existingCertificateId }: CertificateSpec): boolean {
  return selfManaged === undefined && existingCertificateId === undefined;
}

function withDomain({ domains = [], hostnames }: CertificateSpec, added: string) {
  return { domains: [...domains, added], ...(hostnames === undefined ? {} : { hostnames: [...hostnames, added] }) };
}

/** The name itself, or one that the wildcard covers. */
function probedName(domain: string): Hostname {
  const name = parseHostname(domain);
  return isWildcard(name) ? parseHostname(`covered-by-wildcard.${baseDomain(name)}`) : name;
}

function zonesFor(hostnames: readonly Hostname[]): Readonly<Record<string, string>> {
  const domains = new Set(hostnames.map((hostname) => registrableDomain(hostname) ?? hostname));
  return Object.fromEntries([...domains].map((domain) => [domain, domain.replace(/[^a-z0-9]/g, "-")]));
}

function todaysRecords(
  hostnames: readonly Hostname[],
  { traffic }: MigrationSpec,
): Readonly<Record<string, PreviousRecords>> {
  const previous = new Map(
    Object.entries(traffic?.previous ?? {}).map(([name, records]) => [parseHostname(name), records]),
  );
  return Object.fromEntries(
    hostnames.map((hostname) => [hostname, previous.get(hostname) ?? { a: [rehearsalOldAddress] }]),
  );
}
