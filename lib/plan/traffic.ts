import { isIP } from "node:net";
import type { Hostname } from "../hostnames";
import { defined } from "../json/defined";
import { quote } from "../text/quote";
import { namedAddress } from "./attachment";
import { wildcardOver } from "./entries";
import { defaultLoadBalancerKind } from "./load-balancer-kinds";
import type { PlannedAttachment, PlannedTraffic, PlannedTrafficRecord, PlannedZone } from "./model";
import { hostnameReader, type Keyed, type Planning, readHostnameKeys, readHostnames } from "./planning";
import { isReference } from "./shape/reference";
import type { PreviousAddresses, PreviousRecords, TrafficSpec } from "./spec";
import type { ZonesOfPlan } from "./zones";

const defaultTtlSeconds = 60;
const defaultIngressLabel = "cert-migration-ingress";

type Addresses = PlannedAttachment["addresses"];

/** Plans step 8: the address records of each hostname, before and after the move. */
export function planTraffic(
  planning: Planning,
  served: readonly Hostname[],
  addresses: Addresses,
  zones: ZonesOfPlan,
): PlannedTraffic | undefined {
  const { spec, findings } = planning;
  const traffic = spec.traffic;
  if (traffic === undefined) return undefined;
  if (traffic.to === "loadBalancer") {
    if (spec.phase === "issue") {
      findings.report("traffic-in-issue-phase", "/phase", "the phase is 'issue' while traffic is on the load balancer");
    }
    if (addresses.ipv4.length + addresses.ipv6.length === 0) {
      const named = namedAddress(spec.loadBalancer ?? { kind: defaultLoadBalancerKind });
      const why = named === undefined ? "" : `: ${quote(named)} refers to an address without its value`;
      const what = `the load balancer has no known address${why}`;
      findings.report("traffic-addresses-missing", "/loadBalancer/addresses", what);
    }
  }
  const previous = readPrevious(planning, traffic);
  const hostnames = selectHostnames(planning, traffic, previous, served);
  const records: PlannedTrafficRecord[] = [];
  const ingressZones = new Map<string, PlannedZone | undefined>();
  for (const hostname of hostnames) {
    const { value: today, at } = previous.get(hostname) ?? {};
    if (today === undefined || at === undefined) continue;
    const zone = zones.zoneOf(hostname, at, "its traffic");
    const place = defined({ zone });
    if ("cname" in today) {
      const ingress = ingressName(planning, traffic, hostname, zone);
      ingressZones.set(ingress, zone);
      const target = traffic.to === "previous" ? withDot(today.cname) : `${ingress}.`;
      records.push({ hostname, type: "CNAME", data: [target], adopt: true, ...place });
    } else {
      checkFamilies(planning, traffic, hostname, today, addresses, at);
      for (const type of ["A", "AAAA"] as const) {
        const before = (type === "A" ? today.a : today.aaaa) ?? [];
        const after = type === "A" ? addresses.ipv4 : addresses.ipv6;
        const data = traffic.to === "previous" ? [...new Set(before)].sort() : after;
        if (data.length > 0) records.push({ hostname, type, data, adopt: before.length > 0, ...place });
      }
    }
  }
  records.push(...planIngress(planning, ingressZones, served, previous, addresses));
  const order = (record: PlannedTrafficRecord) => `${record.hostname} ${record.type}`;
  const known = hostnames.flatMap((hostname) => {
    const { value } = previous.get(hostname) ?? {};
    return value === undefined ? [] : [[hostname, value] as const];
  });
  return {
    to: traffic.to,
    ttlSeconds: traffic.ttlSeconds ?? defaultTtlSeconds,
    hostnames: known.map(([hostname]) => hostname),
    records: records.sort((a, b) => (order(a) < order(b) ? -1 : 1)),
    previous: Object.fromEntries(known.map(([hostname, today]) => [hostname, normalize(today)])),
  };
}

/**
 * Plans the addresses of the names that are targets of aliases. They exist before any alias does, so that no resolver
 * caches a negative answer.
 */
function planIngress(
  { findings }: Planning,
  zones: ReadonlyMap<string, PlannedZone | undefined>,
  served: readonly Hostname[],
  previous: Previous,
  addresses: Addresses,
): readonly PlannedTrafficRecord[] {
  const servedNames = new Set<string>(served);
  return [...zones].flatMap(([ingress, zone]) => {
    if (previous.get(ingress as Hostname)?.value !== undefined || servedNames.has(ingress)) {
      findings.report("traffic-ingress-taken", "/traffic/ingressLabel", `'${ingress}' is one of the hostnames`);
    }
    const place = defined({ zone });
    const both = [
      { hostname: ingress, type: "A", data: addresses.ipv4, adopt: false, ...place },
      { hostname: ingress, type: "AAAA", data: addresses.ipv6, adopt: false, ...place },
    ] as const;
    return both.filter(({ data }) => data.length > 0);
  });
}

/** Removes empty lists, which mean the same as absent lists. */
function normalize(today: PreviousRecords): PreviousRecords {
  if ("cname" in today) return { cname: withDot(today.cname) };
  const { a = [], aaaa = [] } = today;
  return {
    ...(a.length === 0 ? {} : { a: [...new Set(a)].sort() }),
    ...(aaaa.length === 0 ? {} : { aaaa: [...new Set(aaaa)].sort() }),
  };
}

/** The current records of each name; undefined if the stated records are invalid, which is reported. */
type Previous = ReadonlyMap<Hostname, Keyed<PreviousRecords | undefined>>;

function readPrevious(planning: Planning, traffic: TrafficSpec): Previous {
  const { findings } = planning;
  const readName = hostnameReader(planning);
  const read = readHostnameKeys(traffic.previous, "/traffic/previous", "traffic", findings, readName);
  return new Map(
    [...read].map(([hostname, { value: records, at }]) => {
      const problem = problemOf(records);
      if (problem !== undefined) findings.report("traffic-previous-invalid", at, `'${hostname}': ${problem}`);
      return [hostname, { value: problem === undefined ? records : undefined, at }];
    }),
  );
}

function problemOf(records: PreviousRecords): string | undefined {
  if ("cname" in records) {
    if ("a" in records || "aaaa" in records) return "it has a CNAME and addresses at once";
    const labels = records.cname.replace(/\.$/, "").split(".");
    const valid = labels.every((label) => /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/.test(label));
    return valid || isReference(records.cname) ? undefined : `CNAME target '${records.cname}' is not a host name`;
  }
  for (const [field, version] of [
    ["a", 4],
    ["aaaa", 6],
  ] as const) {
    const wrong = (records[field] ?? []).find((address) => !isReference(address) && isIP(address) !== version);
    if (wrong !== undefined) return `'${wrong}' in '${field}' is not an IPv${version} address`;
  }
  return undefined;
}

function selectHostnames(
  planning: Planning,
  traffic: TrafficSpec,
  previous: Previous,
  served: readonly Hostname[],
): readonly Hostname[] {
  const { findings } = planning;
  const wanted = traffic.hostnames ?? "all";
  const hostnames =
    wanted === "all"
      ? [...new Set([...previous.keys(), ...served.filter((hostname) => !hostname.startsWith("*."))])].sort()
      : readHostnames(wanted, "/traffic/hostnames", "traffic", findings, hostnameReader(planning));
  const servedSet = new Set<string>(served);
  for (const hostname of hostnames) {
    if (!servedSet.has(hostname) && !servedSet.has(wildcardOver(hostname))) {
      const what = `no certificate of the migration serves '${hostname}'`;
      findings.report("traffic-not-served", "/traffic/hostnames", what);
    }
    if (!previous.has(hostname)) {
      const what = `the current address records of '${hostname}' are missing`;
      findings.report("traffic-previous-missing", "/traffic/previous", what);
    }
  }
  const managed = new Set(hostnames);
  for (const [hostname, { at }] of previous) {
    if (!managed.has(hostname)) {
      findings.report("traffic-previous-unused", at, `the traffic of '${hostname}' is not managed`);
    }
  }
  return hostnames;
}

function checkFamilies(
  { findings }: Planning,
  traffic: TrafficSpec,
  hostname: Hostname,
  today: PreviousAddresses,
  addresses: Addresses,
  at: string,
): void {
  if (traffic.to !== "loadBalancer" || addresses.ipv4.length + addresses.ipv6.length === 0) return;
  if ((today.aaaa ?? []).length > 0 && addresses.ipv6.length === 0) {
    const what = `'${hostname}' has an AAAA record and the load balancer no IPv6 address`;
    findings.report("traffic-ipv6-missing", at, what);
  }
  if ((today.a ?? []).length > 0 && addresses.ipv4.length === 0) {
    findings.report("traffic-ipv4-missing", at, `'${hostname}' has an A record and the load balancer no IPv4 address`);
  }
}

/**
 * Returns one name in each zone. The target of an alias only has to be managed by this migration and have the
 * addresses.
 */
function ingressName(
  planning: Planning,
  traffic: TrafficSpec,
  hostname: Hostname,
  zone: PlannedZone | undefined,
): string {
  const label = traffic.ingressLabel ?? defaultIngressLabel;
  const parent = zone?.domain ?? hostname.slice(hostname.indexOf(".") + 1);
  const read = hostnameReader(planning)(`${label}.${parent}`);
  if ("problem" in read) {
    planning.findings.reject(read.problem, "/traffic/ingressLabel", "ingress name: ");
    return `${defaultIngressLabel}.${parent}`;
  }
  return read.hostname;
}

function withDot(name: string): string {
  return name.endsWith(".") || isReference(name) ? name : `${name}.`;
}
