import type { LiveAuthorization, LiveCertificate, LiveEntry, ProjectQuota } from "../../google";
import { registered } from "../../hostnames";
import { isReference, type MigrationPlan, traitsOf } from "../../plan";
import { lastPart, locationIn, writeLocation, writeRegion } from "../../resource-names";
import type { StackContents } from "../../source";
import { gcloud } from "../../text/command-line";
import { type DoctorFinding, doctorFinding } from "./model";
import type { LiveBalancer } from "./proxy-checks";
import { type BalancerOfSubject, type DoctorSubject, isSsl, type ProxyOfPlan } from "./subject";

/** Share of a quota above which its usage is reported. */
const tightShare = 0.9;
/** Number of resources above which unreadable quotas are reported; the quotas are not lower than this. */
const unremarkable = 100;
/** Requests to Certificate Manager per minute (quotas page of Certificate Manager). */
const requestsPerMinute = 300;
/** Terraform sends three requests per resource: create the resource, poll the operation, read the resource. */
const requestsPerResource = 3;
/** Certificates for a registered domain that are issued at once without a finding; the limit is not published. */
const fewCertificates = 50;

/**
 * Compares the load balancer resources to create with the quotas of a project, in its region or globally.
 *
 * @param balancer existing resources; resources of the migration among them are not created, so they do not count twice
 */
export function judgeComputeQuotas(
  subject: DoctorSubject,
  quotas: readonly ProjectQuota[],
  balancer: Pick<LiveBalancer, "proxies" | "rules">,
): readonly DoctorFinding[] {
  const { region, kind } = subject.balancer;
  const ruleMetric = traitsOf(kind).forwardingRules.metrics.find((metric) =>
    quotas.some((quota) => quota.metric === metric),
  );
  const isThere = (proxy: ProxyOfPlan) => balancer.proxies.some(({ id }) => id === proxy.id);
  const proxies = subject.balancer.proxies.filter((proxy) => proxy.origin === "new" && !isThere(proxy));
  const place = writeRegion(region);
  const rules = subject.balancer.rules.filter(
    ({ name }) => !balancer.rules.some(({ id }) => id.endsWith(`/${place}/forwardingRules/${name}`)),
  );
  const made: Readonly<Record<string, number>> = {
    TARGET_HTTPS_PROXIES: proxies.filter(({ id }) => !isSsl(id)).length,
    TARGET_SSL_PROXIES: proxies.filter(({ id }) => isSsl(id)).length,
    ...(ruleMetric === undefined ? {} : { [ruleMetric]: rules.length }),
  };
  const project = subject.balancer.project ?? "";
  const where = region === undefined ? `project ${project}` : `project ${project} in ${region}`;
  const command =
    region === undefined
      ? gcloud("compute project-info describe", `--project=${project}`)
      : gcloud("compute regions describe", region, `--project=${project}`);
  return quotas.flatMap(({ metric, limit, usage }) => {
    const more = made[metric] ?? 0;
    if (more === 0) return [];
    const what = `${where} has ${usage} of ${limit} ${metric}, and the migration makes ${more} more`;
    if (usage + more > limit) return [doctorFinding("quota-exceeded", project, what, { command })];
    return usage + more > limit * tightShare ? [doctorFinding("quota-tight", project, what, { command })] : [];
  });
}

/** Uptime checks of a project by default; only Monitoring knows the quota itself. */
const usualUptimeChecks = 100;

/** Compares the uptime checks to create with the default quota. @param hosts hosts of the existing checks */
export function judgeUptimeChecks(
  project: string,
  hosts: readonly string[],
  hostnames: readonly string[],
): readonly DoctorFinding[] {
  const made = hostnames.filter((hostname) => !hosts.includes(hostname)).length;
  if (hosts.length + made <= usualUptimeChecks * tightShare || made === 0) return [];
  const what = `project ${project} has ${hosts.length} uptime checks, the migration makes ${made} more, and ${usualUptimeChecks} are the default quota`;
  return [doctorFinding("quota-tight", project, what)];
}

/** Existing resources of a project, of the kinds that the migration creates. */
export interface Held {
  readonly certificates: readonly LiveCertificate[];
  readonly authorizations: readonly LiveAuthorization[];
  /** Entries of the map that the migration adds to; empty for a new map. */
  readonly entries: readonly LiveEntry[];
}

/** Number of existing resources of a kind, and number of resources to create. */
export interface Count {
  readonly kind: string;
  readonly there: number;
  readonly made: number;
}

/** Counts by location. Only the quota service returns the quotas, so they are not compared. */
export function countHeld(subject: DoctorSubject, held: Held): readonly Count[] {
  const authorizations = subject.certificates.authorizations.flatMap(({ id }) => id ?? []);
  const entries = subject.map.entries.flatMap(({ id }) => id ?? []);
  const counts = [
    ...countByPlace("certificates", held.certificates, subject.certificates.made),
    ...countByPlace("DNS authorizations", held.authorizations, authorizations),
  ];
  if (subject.map.usesMap) {
    const existingNames = new Set(held.entries.map(({ name }) => name));
    const made = subject.map.entries.length - entries.filter((id) => existingNames.has(id)).length;
    counts.push({ kind: "entries in the certificate map", there: existingNames.size, made });
  }
  return counts;
}

export function describeCount({ kind, there: existing, made }: Count): string {
  return `${kind}: ${existing} there, ${made} to come`;
}

function countByPlace(
  kind: string,
  existing: readonly { readonly name: string }[],
  made: readonly string[],
): readonly Count[] {
  const names = new Set(existing.map(({ name }) => name));
  const placeOf = (id: string) => locationIn(id) ?? "global";
  return [...new Set(made.map(placeOf))].sort().map((place) => ({
    kind: place === "global" ? kind : `${kind} in ${place}`,
    there: existing.filter(({ name }) => placeOf(name) === place).length,
    made: made.filter((id) => placeOf(id) === place && !names.has(id)).length,
  }));
}

/** Finds quotas that can not be read and may be exceeded, and a long creation. */
export function judgeCounts(project: string, counts: readonly Count[]): readonly DoctorFinding[] {
  const service = "--service=certificatemanager.googleapis.com";
  const command = gcloud("beta quotas info list", service, `--project=${project}`);
  const many = counts.filter(({ there: existing, made }) => made > 0 && existing + made > unremarkable);
  const findings = many.map(({ kind, there: existing, made }) => {
    const what = `project ${project} has ${existing} ${kind}, and the migration makes ${made} more`;
    return doctorFinding("quota-unknown", project, what, { command });
  });
  const made = counts.reduce((sum, count) => sum + count.made, 0);
  const requests = made * requestsPerResource;
  if (requests <= requestsPerMinute) return findings;
  const minutes = Math.ceil(requests / requestsPerMinute);
  const what = `making ${made} resources takes ${requests} requests, of which ${requestsPerMinute} a minute are taken`;
  const remedy = `count on ${minutes} minutes for the first apply, apply with -parallelism=5, or ask for a higher rate`;
  return [...findings, doctorFinding("request-rate", project, what, { remedy, command })];
}

/** Checks the number of certificates to issue. CAs limit the number of certificates for a registered domain. */
export function judgeIssuance(
  { certificates: { managed } }: DoctorSubject,
  live: readonly { readonly name: string }[],
): readonly DoctorFinding[] {
  const existingNames = new Set(live.map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const { id, domains } of managed) {
    if (id !== undefined && existingNames.has(id)) continue;
    for (const domain of new Set(domains.map((name) => registered(name.replace(/^\*\./, ""))))) {
      counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
  }
  return [...counts].flatMap(([domain, count]) => {
    if (count <= fewCertificates) return [];
    return [doctorFinding("issuance-many", domain, `${count} certificates for ${domain} are to be issued at once`)];
  });
}

/** Kinds of resources with a limit per project and location, beside certificates, authorizations and entries. */
const kinds = {
  certificateIssuanceConfigs: {
    noun: "issuance configs",
    type: "google_certificate_manager_certificate_issuance_config",
  },
  trustConfigs: { noun: "trust configs", type: "google_certificate_manager_trust_config" },
  serverTlsPolicies: { noun: "server TLS policies", type: "google_network_security_server_tls_policy" },
} as const;

type Collection = keyof typeof kinds;

/** Names of resources to create in `projects/P/locations/L/COLLECTION`. */
type Made = ReadonlyMap<string, ReadonlySet<string>>;

/** Describes a collection `projects/P/locations/L/COLLECTION` in words. */
export function describeCollection(place: string): string {
  const { noun } = kinds[lastPart(place) as Collection];
  const location = locationIn(place);
  return location === "global" ? noun : `${noun} in ${location}`;
}

/**
 * Returns the names of the issuance configs, trust configs and server TLS policies to create, by their collection. The
 * quotas pages of Certificate Manager and Network Security state limits for them, which only the quota service reads.
 */
export function furtherMade(
  { project, balancer }: Pick<DoctorSubject, "project"> & { readonly balancer: Pick<BalancerOfSubject, "project"> },
  plan: MigrationPlan | undefined,
  stack: StackContents | undefined,
): Made {
  const made = new Map<string, Set<string>>();
  const add = (collection: Collection, owner: string | undefined, location: unknown, name: unknown) => {
    if (owner === undefined || typeof location !== "string" || typeof name !== "string") return;
    if ([owner, location, name].some(isReference)) return;
    const place = `${writeLocation({ project: owner, location })}/${collection}`;
    made.set(place, (made.get(place) ?? new Set<string>()).add(name));
  };
  for (const config of plan?.issuanceConfigs ?? [])
    add("certificateIssuanceConfigs", config.project ?? project, config.location, config.name);
  for (const authentication of plan?.attachment.clientAuthentications ?? []) {
    add(
      "trustConfigs",
      authentication.project ?? balancer.project,
      authentication.location,
      authentication.trustConfigName,
    );
    add(
      "serverTlsPolicies",
      authentication.project ?? balancer.project,
      authentication.location,
      authentication.policyName,
    );
  }
  for (const { type, isLookedUp, values, project: owner } of stack?.resources ?? []) {
    const [collection] = Object.entries(kinds).find(([, kind]) => kind.type === type) ?? [];
    if (collection !== undefined && !isLookedUp)
      add(collection as Collection, owner, values.location ?? "global", values.name);
  }
  return made;
}
