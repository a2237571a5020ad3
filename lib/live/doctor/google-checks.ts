import { ServiceError } from "../../errors";
import type { LiveEntry, LiveProxy } from "../../google";
import { groupBy } from "../../json/group-by";
import { assessLiveRenewal, createObstacleReader, type RenewalSources } from "../renewal";
import { addressesOfRules, judgeAddresses } from "./address-checks";
import { checkGrant, checkPool, poolsOf } from "./ca-pool-checks";
import { type CheckContext, type CheckRow, row } from "./check-row";
import { orUnknown } from "./check-task";
import { projectOfPath } from "./compute-names";
import type { CheckResult } from "./model";
import { judgeRole, judgeServices } from "./project-checks";
import { projectNeeds } from "./project-needs";
import { judgeEntries, judgeNewRules, judgeProxy } from "./proxy-checks";
import {
  countHeld,
  describeCollection,
  describeCount,
  furtherMade,
  judgeComputeQuotas,
  judgeCounts,
  judgeIssuance,
  judgeUptimeChecks,
} from "./quota-checks";
import { judgeNewRecord } from "./record-checks";
import { judgeExpiry, judgeServingProxy } from "./serving-proxy-checks";
import { certificateIds, lookUpOf } from "./shared";

/** Checks of projects: their APIs, permissions and quotas. */
export const projectChecks: readonly CheckRow<CheckResult>[] = [
  row({
    check: "apis",
    of: ({ subject }) => projectNeeds(subject),
    subject: ({ project }) => project,
    ask: ({ project, services }, { options: { google, signal } }) =>
      google.projects.disabledServices(project, services, signal),
    judge: (disabled, { project }, { subject }) => judgeServices(project, disabled, subject),
  }),
  row({
    check: "permissions",
    of: ({ subject }) =>
      projectNeeds(subject).flatMap(({ project, roles }) => roles.map((need) => ({ project, need }))),
    subject: ({ project, need }) => `${project} (${need.role})`,
    ask: ({ project, need }, { options: { google, signal } }) =>
      google.projects.missingPermissions(project, [...need.permissions, ...need.toDelete], signal),
    judge: (missing, { project, need }) => ({ findings: judgeRole(project, need, missing) }),
  }),
  row({
    check: "quotas",
    of: ({ subject: { project, certificates } }) =>
      project === undefined || certificates.made.length === 0 ? [] : [project],
    subject: (project) => project,
    ask: async (_project, { subject: { map }, shared, options: { google, signal } }) => {
      const [certificates, authorizations, entries] = await Promise.all([
        shared.manager.certificates(),
        shared.manager.authorizations(),
        map.existing === undefined ? [] : google.resources.entries(map.existing, signal),
      ]);
      return { certificates, authorizations, entries };
    },
    judge: (held, project, { subject }) => {
      const counts = countHeld(subject, held);
      const findings = [...judgeCounts(project, counts), ...judgeIssuance(subject, held.certificates)];
      return { findings, notes: counts.map(describeCount) };
    },
  }),
  row({
    check: "quotas",
    of: ({ subject: { balancer } }) =>
      balancer.project !== undefined && balancer.proxies.some(({ origin }) => origin === "new")
        ? [balancer.project]
        : [],
    subject: (project) => `${project} (compute)`,
    ask: async (project, { subject: { balancer }, shared, options: { google, signal } }) => {
      const { region } = balancer;
      // Proxies count against the project's quota, forwarding rules of a region against the region's quota.
      const scopes = region === undefined ? [undefined] : [undefined, region];
      const [quotas, existing] = await Promise.all([
        Promise.all(scopes.map((scope) => google.projects.computeQuotas(project, scope, signal))),
        // If the caller may read only quotas, the check assumes that no resource exists yet.
        orUnknown(
          Promise.all([shared.balancers.proxies(), shared.balancers.rules()]),
          "what of the load balancer is made already",
        ),
      ]);
      return { quotas: [...new Map(quotas.flat().map((quota) => [quota.metric, quota])).values()], existing };
    },
    judge: ({ quotas, existing: { known = [[], []], unknown } }, _project, { subject }) => {
      const [proxies, rules] = known;
      return { findings: judgeComputeQuotas(subject, quotas, { proxies, rules }), unknown };
    },
  }),
  row({
    check: "quotas",
    of: ({ subject: { alerts } }) =>
      alerts?.project === undefined || alerts.hostnames.length === 0 ? [] : [{ ...alerts, project: alerts.project }],
    subject: ({ project }) => `${project} (monitoring)`,
    ask: ({ project }, { options: { google, signal } }) => google.projects.uptimeHosts(project, signal),
    judge: (hosts, { project, hostnames }) => ({ findings: judgeUptimeChecks(project, hosts, hostnames) }),
  }),
  row({
    check: "quotas",
    of: ({ subject, options: { source: { plan, stack } = {} } }) => [...furtherMade(subject, plan, stack)],
    subject: ([place]) => projectOfPath(place),
    ask: ([place], { options: { google, signal } }) =>
      orUnknown(google.balancers.ids(place, signal), `number of ${describeCollection(place)}`),
    judge: ({ known, unknown }, [place, names]) => {
      if (known === undefined) return { findings: [], unknown };
      const made = [...names].filter((name) => !known.includes(`${place}/${name}`)).length;
      const count = { kind: describeCollection(place), there: known.length, made };
      return { findings: judgeCounts(projectOfPath(place), [count]), notes: [describeCount(count)] };
    },
  }),
];

/** Checks of the load balancer and its certificates. */
export const balancerChecks: readonly CheckRow<CheckResult>[] = [
  row({
    check: "existing",
    of: ({ subject: { map } }) => (map.existing === undefined ? [] : [map.existing]),
    subject: (map) => map,
    ask: async (map, { shared, options: { google, signal } }) =>
      (await shared.manager.map(map)) === undefined ? [] : google.resources.entries(map, signal),
    judge: (entries, _map, { subject }) => ({ findings: judgeEntries(subject, entries) }),
  }),
  row({
    check: "proxies",
    of: ({ subject: { balancer } }) =>
      balancer.project === undefined || balancer.proxies.length === 0 ? [] : [balancer.project],
    subject: (project) => project,
    ask: async (project, context) => {
      const { subject, shared, options } = context;
      const projects = [...new Set([project, ...subject.balancer.proxies.map(({ id }) => projectOfPath(id))])];
      const [proxies, rules, addresses, certificates] = await Promise.all([
        Promise.all(projects.map(shared.balancers.proxiesOf)).then((lists) => lists.flat()),
        shared.balancers.rules(),
        subject.balancer.rules.length === 0
          ? { known: [], unknown: [] }
          : orUnknown(shared.balancers.addresses(project), "whether addresses are reserved"),
        orUnknown(
          options.google.balancers.sslCertificates(project, subject.balancer.region, options.signal),
          "names of certificates on proxies",
        ),
      ]);
      const entries = await entriesOf(subject.balancer.proxies, proxies, context);
      return { proxies, rules, addresses, certificates, entries };
    },
    judge: ({ proxies, rules, addresses, certificates, entries }, project, { subject }) => {
      const live = { proxies, rules, certificates: certificates.known ?? [] };
      const reserved = addresses.known ?? [];
      const findings = [
        ...judgeNewRules(subject, rules, addressesOfRules(subject.balancer, project, reserved)),
        ...judgeAddresses(subject.balancer, project, reserved),
        ...subject.balancer.proxies.flatMap((proxy) => judgeProxy(proxy, subject, live, entries.get(proxy.id) ?? [])),
      ];
      return { findings, unknown: [...addresses.unknown, ...certificates.unknown] };
    },
  }),
  row({
    check: "proxies",
    of: ({ subject: { balancer } }) => [...groupBy(balancer.servingProxies, ({ id }) => projectOfPath(id))],
    subject: ([project]) => `${project} (serving)`,
    ask: async ([project, serving], context) => {
      const { subject, shared, options } = context;
      const { balancers } = options.google;
      const [proxies, rules, certificates] = await Promise.all([
        shared.balancers.proxiesOf(project),
        project === subject.balancer.project
          ? shared.balancers.rules()
          : balancers.forwardingRules(project, undefined, options.signal),
        orUnknown(balancers.sslCertificates(project, undefined, options.signal), "certificates on proxies"),
      ]);
      return { proxies, rules, certificates, entries: await entriesOf(serving, proxies, context) };
    },
    judge: ({ proxies, rules, certificates, entries }, [, serving], { subject, options: { now } }) => {
      const live = { proxies, rules, certificates: certificates.known ?? [] };
      const findings = [
        ...serving.flatMap((proxy) => judgeServingProxy(proxy, subject, live, entries.get(proxy.id) ?? [])),
        ...judgeExpiry(serving, live, now),
      ];
      return { findings, unknown: certificates.unknown };
    },
  }),
  row({
    check: "caPools",
    of: ({ subject }) => poolsOf(subject),
    subject: ({ id }) => id,
    ask: (pool, { options }) => checkPool(pool, options),
    judge: (result) => result,
  }),
  row({
    check: "caPools",
    of: ({ subject }) => poolsOf(subject),
    subject: ({ id }) => `${id} (service agent)`,
    ask: (pool, { options }) => checkGrant(pool, options),
    judge: (result) => result,
  }),
];

/** Checks of certificates that serve traffic already. */
export const certificateChecks: readonly CheckRow<CheckResult>[] = [
  row({
    check: "renewals",
    of: ({ subject }) => (certificateIds(subject).length === 0 ? [] : [subject.path]),
    subject: (path) => path,
    ask: async (_path, context) => {
      const ids = new Set(certificateIds(context.subject));
      const serving = (await context.shared.manager.certificates()).filter(({ name }) => ids.has(name));
      const obstaclesOf = createObstacleReader(renewalSources(context));
      return Promise.all(serving.map(async (live) => ({ live, obstacles: await obstaclesOf(live) })));
    },
    judge: (serving, _path, { options: { now } }) => {
      return { findings: serving.flatMap(({ live, obstacles }) => assessLiveRenewal(live, now, obstacles)) };
    },
  }),
];

function renewalSources({ shared, options: { dns, google, signal } }: CheckContext): RenewalSources {
  return {
    lookUp: lookUpOf(dns),
    authorizationsIn: async (parent) => {
      const { known = [] } = await orUnknown(shared.manager.authorizationsIn(parent), "which CNAMEs a renewal needs");
      return known;
    },
    authoritiesOf: async (pool) => {
      const { known } = await orUnknown(google.privateCas.authorities(pool, signal), "whether a CA is enabled");
      return known;
    },
  };
}

/** The check of record sets that the first apply creates. */
export const recordChecks: readonly CheckRow<CheckResult>[] = [
  row({
    check: "records",
    of: ({ subject }) => subject.dns.newRecords,
    subject: ({ name, type }) => `${name} ${type}`,
    ask: async ({ project, zone, name, type }, { options: { google, signal } }) => {
      try {
        return await google.recordSets(project, { zone, name, type }, signal);
      } catch (error) {
        // The check of references reports a missing zone.
        if (error instanceof ServiceError && error.status === 404) return [];
        throw error;
      }
    },
    judge: (live, record) => judgeNewRecord(record, live),
  }),
];

/** Returns the entries of the proxies' certificate maps, except the map of the migration, by the ID of the proxy. */
async function entriesOf(
  proxies: readonly { readonly id: string }[],
  live: readonly LiveProxy[],
  { subject, options: { google, signal } }: CheckContext,
): Promise<ReadonlyMap<string, readonly LiveEntry[]>> {
  const entries = new Map<string, readonly LiveEntry[]>();
  for (const { id } of proxies) {
    const map = live.find((proxy) => proxy.id === id)?.map;
    if (map !== undefined && map !== subject.map.id) entries.set(id, await google.resources.entries(map, signal));
  }
  return entries;
}
