import { baseDomain, type Hostname, isWildcard, parseHostname, registrableDomain } from "../hostnames";
import type { CertificateSpec, MigrationSpec, PreviousRecords } from "../plan";

/** What a pipeline deploys, one after the other. */
export interface StackVariant {
  readonly phase: "issue" | "serve";
  readonly traffic: "previous" | "loadBalancer";
  /** Whether a domain has been added to a certificate. */
  readonly rotated: boolean;
  /** How often certificates that had FAILED were given another generation. */
  readonly mended: number;
}

/** A migration, made complete so that all of it can be rehearsed. */
export interface Script {
  /** Every name that is probed, {@link Script.addedHostname} among them; sorted. */
  readonly hostnames: readonly string[];
  /** The name that is added to the first managed certificate; undefined where there is none. */
  readonly addedHostname: string | undefined;
  /** The migration as it is at one point. */
  readonly specOf: (variant: StackVariant) => MigrationSpec;
}

/** Where the old provider is met, by what DNS says. */
export const oldAddress = "198.51.100.10";
/** Where the load balancer of a spec that has none is met. */
export const newAddress = "203.0.113.7";

/**
 * Fills in what a spec leaves open: Cloud DNS with a zone for each registrable domain, a new proxy with an address, and today's addresses, so that step 8 can
 * be rehearsed. What the spec says itself stays.
 *
 * A wildcard is probed by one name that it covers.
 *
 * @throws InputError for a name that is none
 * @param gateCommand how the `wait` gate calls `cert-migration`
 */
export function scriptOf(spec: MigrationSpec, gateCommand: string): Script {
  const previous = new Map(
    Object.entries(spec.traffic?.previous ?? {}).map(([name, records]) => [parseHostname(name), records]),
  );
  const rotating = spec.certificates.find(isManaged);
  const [first] = rotating?.domains ?? [];
  const addedHostname =
    first === undefined ? undefined : parseHostname(`added.by-rehearsal.${baseDomain(parseHostname(first))}`);
  const served = spec.certificates.flatMap(({ hostnames, domains = [] }) => (hostnames ?? domains).map(probedName));
  const hostnames = [
    ...new Set([...served, ...previous.keys(), ...(addedHostname === undefined ? [] : [addedHostname])]),
  ].sort();
  return {
    hostnames,
    addedHostname,
    specOf: ({ phase, traffic, rotated, mended }) => ({
      ...spec,
      certificates: spec.certificates.map((certificate) => ({
        ...certificate,
        ...(certificate === rotating && rotated
          ? {
              domains: [...(certificate.domains ?? []), addedHostname ?? ""],
              ...withHostname(certificate, addedHostname),
            }
          : {}),
        ...(mended > 0 && isManaged(certificate) ? { generation: (certificate.generation ?? 0) + mended } : {}),
      })),
      dns: spec.dns.kind === "cloudDns" ? spec.dns : { kind: "cloudDns", zones: zonesFor(hostnames) },
      loadBalancer: spec.loadBalancer ?? {
        kind: "globalExternal",
        newTargetHttpsProxy: { urlMap: "rehearsal", forwardingRules: { ipv4Address: newAddress } },
      },
      phase,
      gateCommand,
      traffic: {
        ...spec.traffic,
        hostnames: "all",
        to: traffic,
        ttlSeconds: spec.traffic?.ttlSeconds ?? 60,
        previous: todaysRecords(
          hostnames.filter((hostname) => rotated || hostname !== addedHostname),
          previous,
        ),
      },
    }),
  };
}

function isManaged({ selfManaged, existingCertificateId }: CertificateSpec): boolean {
  return selfManaged === undefined && existingCertificateId === undefined;
}

function withHostname({ hostnames }: CertificateSpec, added: string | undefined): Pick<CertificateSpec, "hostnames"> {
  return hostnames === undefined || added === undefined ? {} : { hostnames: [...hostnames, added] };
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
  previous: ReadonlyMap<Hostname, PreviousRecords>,
): Readonly<Record<string, PreviousRecords>> {
  return Object.fromEntries(hostnames.map((hostname) => [hostname, previous.get(hostname) ?? { a: [oldAddress] }]));
}
