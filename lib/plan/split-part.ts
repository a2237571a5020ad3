import { baseDomain, covers, type Hostname, readHostname } from "../hostnames";
import type { MigrationPlan, PlannedCertificate } from "./model";
import type { LoadBalancerSpec, MigrationSpec, TrafficSpec } from "./spec";

/** Some certificates of a migration that become one of their own. */
interface Part {
  /** The whole. */
  readonly spec: MigrationSpec;
  /** Of the whole. */
  readonly plan: MigrationPlan;
  /** Of the part. */
  readonly name: string;
  readonly certificates: readonly PlannedCertificate[];
  /** Whether it gets what belongs to no part. */
  readonly isFirst: boolean;
}

/** What of a spec belongs to some of its certificates. */
export function partOf(
  { spec, plan, name, certificates, isFirst }: Part,
  loadBalancer: LoadBalancerSpec | undefined,
): MigrationSpec {
  const own = new Set(certificates);
  const isServed = servedBy(
    spec,
    certificates,
    plan.certificates.filter((certificate) => !own.has(certificate)),
  );
  // What nobody serves goes to the first, whose checks then tell of it.
  const belongs = (text: string) => {
    const read = readHostname(text);
    const serving = "hostname" in read ? isServed(read.hostname) : "nobody";
    return serving === "this" || (serving === "nobody" && isFirst);
  };
  const bases = new Set(certificates.flatMap(({ domains }) => domains.map(baseDomain)));
  const { existingAuthorizations, mustServe, traffic: allTraffic, dns, ...rest } = spec;
  const traffic = allTraffic === undefined ? undefined : trafficOf(allTraffic, name, belongs);
  const zones = new Set([
    ...plan.records.flatMap(({ domain, zone }) => (bases.has(domain) && zone !== undefined ? [zone.domain] : [])),
    ...(plan.traffic?.records ?? []).flatMap(({ hostname, zone }) =>
      traffic !== undefined && belongs(hostname) && zone !== undefined ? [zone.domain] : [],
    ),
  ]);
  const kept = <Value>(record: Readonly<Record<string, Value>>, isKept: (hostname: Hostname) => boolean) =>
    Object.fromEntries(
      Object.entries(record).filter(([key]) => {
        const read = readHostname(key);
        return "hostname" in read && isKept(read.hostname);
      }),
    );
  return {
    ...rest,
    name,
    certificates: certificates.map(
      ({ at }) => spec.certificates[Number(at.split("/")[2])] as MigrationSpec["certificates"][number],
    ),
    dns: dns.kind === "external" ? dns : { ...dns, zones: kept(dns.zones, (domain) => zones.has(domain)) },
    ...(loadBalancer === undefined ? {} : { loadBalancer }),
    ...(existingAuthorizations === undefined
      ? {}
      : { existingAuthorizations: kept(existingAuthorizations, (domain) => bases.has(domain)) }),
    ...(mustServe === undefined ? {} : { mustServe: mustServe.filter(belongs) }),
    ...(traffic === undefined ? {} : { traffic }),
  };
}

type Serving = "this" | "another" | "nobody";

/** An exact name before a wildcard, as load balancers have it. */
function servedBy(
  spec: MigrationSpec,
  own: readonly PlannedCertificate[],
  others: readonly PlannedCertificate[],
): (hostname: Hostname) => Serving {
  const namesOfAll = (certificates: readonly PlannedCertificate[]) =>
    new Set(
      certificates.flatMap(({ domains, at }) => {
        const listed = spec.certificates[Number(at.split("/")[2])]?.hostnames;
        if (listed === undefined) return domains;
        return listed.flatMap((text) => {
          const read = readHostname(text);
          return "hostname" in read ? [read.hostname] : [];
        });
      }),
    );
  const [ours, theirs] = [namesOfAll(own), namesOfAll(others)];
  return (hostname) => {
    if (ours.has(hostname)) return "this";
    if (theirs.has(hostname)) return "another";
    const wildcard = `*${hostname.slice(hostname.indexOf("."))}` as Hostname;
    if (ours.has(wildcard) && covers(wildcard, hostname)) return "this";
    return theirs.has(wildcard) ? "another" : "nobody";
  };
}

function trafficOf(
  traffic: TrafficSpec,
  name: string,
  belongs: (hostname: string) => boolean,
): TrafficSpec | undefined {
  const { hostnames, previous, ingressLabel = "cert-migration-ingress" } = traffic;
  const own = Object.fromEntries(Object.entries(previous).filter(([hostname]) => belongs(hostname)));
  const selected = Array.isArray(hostnames) ? hostnames.filter(belongs) : hostnames;
  if (Object.keys(own).length === 0 && (selected === undefined || selected === "all" || selected.length === 0)) {
    return undefined;
  }
  return {
    ...traffic,
    previous: own,
    ...(selected === undefined ? {} : { hostnames: selected }),
    // Each load balancer has addresses of its own, and zones may be shared.
    ingressLabel: `${ingressLabel}-${name.slice(name.lastIndexOf("-") + 1)}`,
  };
}
