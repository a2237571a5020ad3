import type { LiveAuthorization, LiveCertificate, LiveEntry, ProjectQuota } from "../../google";
import { traitsOf } from "../../plan";
import { commandLine } from "../../text/command-line";
import { type DoctorFinding, finding } from "./model";
import type { LiveBalancer } from "./proxy-checks";
import { type DoctorSubject, isSsl, type ProxyOfPlan } from "./subject";
import { registered } from "./zone-checks";

/** How much of a quota may be used before it is said. */
const tightShare = 0.9;
/** From how many resources on the quotas that can't be read are worth a look; the smallest ones are not below. */
const unremarkable = 100;
/** Requests that Certificate Manager takes in a minute (its quotas page). */
const requestsPerMinute = 300;
/** Terraform asks for a resource to be made, for the operation that makes it, and for the resource. */
const requestsPerResource = 3;
/** Certificates of one registered domain that are issued at once without a word: how many may be is told by nobody. */
const fewCertificates = 50;

/**
 * Holds what a migration makes of load balancers against what a project may have, in its region or as a whole.
 *
 * @param there what is used of the quotas already: the migration's own among it is not made again
 */
export function judgeComputeQuotas(
  subject: DoctorSubject,
  quotas: readonly ProjectQuota[],
  there: Pick<LiveBalancer, "proxies" | "rules">,
): readonly DoctorFinding[] {
  const { region } = subject;
  const ruleMetric = traitsOf(subject.kind).forwardingRuleMetrics.find((metric) =>
    quotas.some((quota) => quota.metric === metric),
  );
  const isThere = (proxy: ProxyOfPlan) => there.proxies.some(({ id }) => id === proxy.id);
  const proxies = subject.proxies.filter((proxy) => proxy.origin === "new" && !isThere(proxy));
  const place = region === undefined ? "global" : `regions/${region}`;
  const rules = subject.rules.filter(
    ({ name }) => !there.rules.some(({ id }) => id.endsWith(`/${place}/forwardingRules/${name}`)),
  );
  const made: Readonly<Record<string, number>> = {
    TARGET_HTTPS_PROXIES: proxies.filter(({ id }) => !isSsl(id)).length,
    TARGET_SSL_PROXIES: proxies.filter(({ id }) => isSsl(id)).length,
    ...(ruleMetric === undefined ? {} : { [ruleMetric]: rules.length }),
  };
  const project = subject.balancerProject ?? "";
  const where = region === undefined ? `project ${project}` : `project ${project} in ${region}`;
  const command =
    region === undefined
      ? commandLine("gcloud", "compute", "project-info", "describe", `--project=${project}`)
      : commandLine("gcloud", "compute", "regions", "describe", region, `--project=${project}`);
  return quotas.flatMap(({ metric, limit, usage }) => {
    const more = made[metric] ?? 0;
    if (more === 0) return [];
    const what = `${where} has ${usage} of ${limit} ${metric}, and the migration makes ${more} more`;
    if (usage + more > limit) return [finding("quota-exceeded", project, what, { command })];
    return usage + more > limit * tightShare ? [finding("quota-tight", project, what, { command })] : [];
  });
}

/** What a project holds already, of what the migration makes more of. */
export interface Held {
  readonly certificates: readonly LiveCertificate[];
  readonly authorizations: readonly LiveAuthorization[];
  /** Of the map that is added to; none where it is new. */
  readonly entries: readonly LiveEntry[];
}

/** How much there is of something, and how much the migration makes of it. */
export interface Count {
  /** As in `certificates in europe-west1`. */
  readonly kind: string;
  readonly there: number;
  readonly made: number;
}

/** Certificate Manager tells its quotas to nobody who does not ask the quota service; what there is and what will be is counted, by location. */
export function countHeld(subject: DoctorSubject, held: Held): readonly Count[] {
  const authorizations = subject.authorizations.flatMap(({ id }) => id ?? []);
  const entries = subject.entries.flatMap(({ id }) => id ?? []);
  const counts = [
    ...countByPlace("certificates", held.certificates, subject.madeCertificates),
    ...countByPlace("DNS authorizations", held.authorizations, authorizations),
  ];
  if (subject.usesMap) {
    const there = new Set(held.entries.map(({ name }) => name));
    const made = subject.entries.length - entries.filter((id) => there.has(id)).length;
    counts.push({ kind: "entries in the certificate map", there: there.size, made });
  }
  return counts;
}

function countByPlace(
  kind: string,
  there: readonly { readonly name: string }[],
  made: readonly string[],
): readonly Count[] {
  const names = new Set(there.map(({ name }) => name));
  const placeOf = (id: string) => /\/locations\/([^/]+)\//.exec(id)?.[1] ?? "global";
  return [...new Set(made.map(placeOf))].sort().map((place) => ({
    kind: place === "global" ? kind : `${kind} in ${place}`,
    there: there.filter(({ name }) => placeOf(name) === place).length,
    made: made.filter((id) => placeOf(id) === place && !names.has(id)).length,
  }));
}

/** Quotas that can't be read, where they may matter, and how long it takes to make so much. */
export function judgeCounts(project: string, counts: readonly Count[]): readonly DoctorFinding[] {
  const service = "--service=certificatemanager.googleapis.com";
  const command = commandLine("gcloud", "beta", "quotas", "info", "list", service, `--project=${project}`);
  const many = counts.filter(({ there, made }) => made > 0 && there + made > unremarkable);
  const findings = many.map(({ kind, there, made }) => {
    const what = `project ${project} has ${there} ${kind}, and the migration makes ${made} more`;
    return finding("quota-unknown", project, what, { command });
  });
  const made = counts.reduce((sum, count) => sum + count.made, 0);
  const requests = made * requestsPerResource;
  if (requests <= requestsPerMinute) return findings;
  const minutes = Math.ceil(requests / requestsPerMinute);
  const what = `making ${made} resources takes ${requests} requests, of which ${requestsPerMinute} a minute are taken`;
  const remedy = `count on ${minutes} minutes for the first apply, apply with -parallelism=5, or ask for a higher rate`;
  return [...findings, finding("request-rate", project, what, { remedy, command })];
}

/** Authorities limit how many certificates they issue for a registered domain. */
export function judgeIssuance(
  { managed }: DoctorSubject,
  live: readonly { readonly name: string }[],
): readonly DoctorFinding[] {
  const there = new Set(live.map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const { id, domains } of managed) {
    if (id !== undefined && there.has(id)) continue;
    for (const domain of new Set(domains.map((name) => registered(name.replace(/^\*\./, ""))))) {
      counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
  }
  return [...counts].flatMap(([domain, count]) => {
    if (count <= fewCertificates) return [];
    return [finding("issuance-many", domain, `${count} certificates for ${domain} are to be issued at once`)];
  });
}
