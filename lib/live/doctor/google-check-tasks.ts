import type { LiveEntry, LiveProxy } from "../../google";
import { groupBy } from "../../json/group-by";
import { caPoolCheckTasks } from "./ca-pool-checks";
import { type CheckTask, checkTask, orUnknown } from "./check-task";
import { projectOf } from "./compute-names";
import { addressesOfRules, judgeAddresses, judgeExisting, judgeExistingNames, judgeScopes } from "./existing-checks";
import type { CheckResult, DoctorFinding } from "./model";
import type { DoctorOptions } from "./options";
import { namedCertificates, parentOf } from "./plan-mentions";
import { judgeBilling, judgeRole, judgeServices, type ProjectNeeds, projectNeeds } from "./project-checks";
import { judgeEntries, judgeNewRules, judgeProxy } from "./proxy-checks";
import {
  countHeld,
  describeCount,
  furtherCountTasks,
  judgeComputeQuotas,
  judgeCounts,
  judgeIssuance,
} from "./quota-checks";
import { judgeExpiry, judgeServingProxy } from "./serving-proxy-checks";
import type { Shared } from "./shared";
import type { DoctorSubject } from "./subject";

export function googleCheckTasks(subject: DoctorSubject, shared: Shared, options: DoctorOptions): readonly CheckTask[] {
  return [
    ...projectNeeds(subject).flatMap((needs) => projectCheckTasks(needs, subject, options)),
    ...quotaCheckTasks(subject, shared, options),
    ...furtherCountTasks(subject, options),
    ...existingCheckTasks(subject, shared, options),
    ...proxyCheckTasks(subject, shared, options),
    ...servingCheckTasks(subject, shared, options),
    ...caPoolCheckTasks(subject, options),
  ];
}

function projectCheckTasks(
  { project, services, roles }: ProjectNeeds,
  { enablesApis }: DoctorSubject,
  { google, signal }: DoctorOptions,
): readonly CheckTask[] {
  const { projects } = google;
  return [
    checkTask("billing", project, async () => ({
      findings: judgeBilling(project, await projects.billingEnabled(project, signal)),
    })),
    checkTask("apis", project, async () =>
      judgeServices(project, await projects.disabledServices(project, services, signal), enablesApis),
    ),
    ...roles.map((need) =>
      checkTask("permissions", `${project} (${need.role})`, async () => {
        const asked = [...need.permissions, ...need.toDelete];
        const missing = await projects.missingPermissions(project, asked, signal);
        return { findings: judgeRole(project, need, missing) };
      }),
    ),
  ];
}

function quotaCheckTasks(
  subject: DoctorSubject,
  shared: Shared,
  { google, signal }: DoctorOptions,
): readonly CheckTask[] {
  const { project, balancerProject, existingMap } = subject;
  const tasks: CheckTask[] = [];
  if (project !== undefined && subject.madeCertificates.length > 0) {
    const work = async () => {
      const [certificates, authorizations, entries] = await Promise.all([
        shared.certificates(),
        shared.authorizations(),
        existingMap === undefined ? [] : google.resources.entries(existingMap, signal),
      ]);
      const counts = countHeld(subject, { certificates, authorizations, entries });
      const findings = [...judgeCounts(project, counts), ...judgeIssuance(subject, certificates)];
      return { findings, notes: counts.map(describeCount) };
    };
    tasks.push(checkTask("quotas", project, work));
  }
  if (balancerProject !== undefined && subject.proxies.some(({ origin }) => origin === "new")) {
    const work = () => checkComputeQuotas(subject, balancerProject, shared, { google, signal });
    tasks.push(checkTask("quotas", `${balancerProject} (compute)`, work));
  }
  return tasks;
}

async function checkComputeQuotas(
  subject: DoctorSubject,
  project: string,
  shared: Shared,
  { google, signal }: Pick<DoctorOptions, "google" | "signal">,
): Promise<CheckResult> {
  const { region } = subject;
  // Proxies count against the project's quota, forwarding rules of a region against the region's quota.
  const scopes = region === undefined ? [undefined] : [undefined, region];
  const [quotas, there] = await Promise.all([
    Promise.all(scopes.map((scope) => google.projects.computeQuotas(project, scope, signal))),
    // If the caller may read only quotas, the check assumes that no resource exists yet.
    orUnknown(Promise.all([shared.proxies(), shared.rules()]), "what of the load balancer is made already"),
  ]);
  const [proxies, rules] = there.known ?? [[], []];
  const byMetric = new Map(quotas.flat().map((quota) => [quota.metric, quota]));
  return { findings: judgeComputeQuotas(subject, [...byMetric.values()], { proxies, rules }), unknown: there.unknown };
}

function existingCheckTasks(
  subject: DoctorSubject,
  shared: Shared,
  { google, now, signal, plan }: DoctorOptions,
): readonly CheckTask[] {
  const { existingMap, existingCertificates } = subject;
  const named = namedCertificates(subject, plan);
  const tasks: CheckTask[] = [];
  if (existingMap !== undefined) {
    const work = async () => {
      const map = await shared.map(existingMap);
      const entries = map === undefined ? [] : await google.resources.entries(existingMap, signal);
      return { findings: judgeEntries(subject, entries) };
    };
    tasks.push(checkTask("existing", existingMap, work));
  }
  if (named.length > 0) {
    const work = async () => {
      const live = (await Promise.all([...new Set(named.map(parentOf))].map(shared.certificatesIn))).flat();
      const ofNames = judgeExistingNames(existingCertificates, live);
      return { findings: [...judgeExisting(named, live, now), ...ofNames, ...judgeScopes(subject, live)] };
    };
    tasks.push(checkTask("existing", "certificates", work));
  }
  return tasks;
}

function servingCheckTasks(
  subject: DoctorSubject,
  shared: Shared,
  { google, now, signal }: DoctorOptions,
): readonly CheckTask[] {
  const { balancerProject, servingProxies } = subject;
  return [...groupBy(servingProxies, ({ id }) => projectOf(id))].map(([project, own]) =>
    checkTask("proxies", `${project} (serving)`, async () => {
      const [proxies, rules, certificates] = await Promise.all([
        shared.proxiesOf(project),
        project === balancerProject ? shared.rules() : google.balancers.forwardingRules(project, undefined, signal),
        orUnknown(google.balancers.sslCertificates(project, undefined, signal), "certificates on proxies"),
      ]);
      const live = { proxies, rules, certificates: certificates.known ?? [] };
      const findings: DoctorFinding[] = [];
      for (const proxy of own) {
        const entries = await otherEntries(proxy.id, proxies, subject, google, signal);
        findings.push(...judgeServingProxy(proxy, subject, live, entries));
      }
      findings.push(...judgeExpiry(own, live, now));
      return { findings, unknown: certificates.unknown };
    }),
  );
}

/** Returns the entries of a proxy's certificate map, if it is another map than that of the migration. */
async function otherEntries(
  proxy: string,
  proxies: readonly LiveProxy[],
  subject: DoctorSubject,
  google: DoctorOptions["google"],
  signal: AbortSignal,
): Promise<readonly LiveEntry[]> {
  const map = proxies.find(({ id }) => id === proxy)?.map;
  return map === undefined || map === subject.map ? [] : google.resources.entries(map, signal);
}

function proxyCheckTasks(
  subject: DoctorSubject,
  shared: Shared,
  { google, signal }: DoctorOptions,
): readonly CheckTask[] {
  const { balancerProject: project, region, proxies } = subject;
  if (project === undefined || proxies.length === 0) return [];
  return [
    checkTask("proxies", project, async () => {
      const projects = [...new Set([project, ...proxies.map(({ id }) => projectOf(id))])];
      const [found, rules, addresses, certificates] = await Promise.all([
        Promise.all(projects.map(shared.proxiesOf)).then((lists) => lists.flat()),
        shared.rules(),
        subject.rules.length === 0
          ? { known: [], unknown: [] }
          : orUnknown(shared.addresses(project), "whether addresses are reserved"),
        orUnknown(google.balancers.sslCertificates(project, region, signal), "names of certificates on proxies"),
      ]);
      const live = { proxies: found, rules, certificates: certificates.known ?? [] };
      const reserved = addresses.known ?? [];
      const findings = [
        ...judgeNewRules(subject, rules, addressesOfRules(subject, project, reserved)),
        ...judgeAddresses(subject, project, reserved),
      ];
      for (const proxy of proxies) {
        const entries = await otherEntries(proxy.id, found, subject, google, signal);
        findings.push(...judgeProxy(proxy, subject, live, entries));
      }
      return { findings, unknown: [...addresses.unknown, ...certificates.unknown] };
    }),
  ];
}
