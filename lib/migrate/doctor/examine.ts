import { X509Certificate } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { LiveAuthorization, LiveZone, LoadBalancerReader, ProjectReader, ResourceLister } from "../../google";
import { type Hostname, readHostname, registrableDomain } from "../../hostnames";
import { isReference, type MigrationPlan } from "../../plan";
import { describeCertificate } from "../../x509";
import { mapConcurrently } from "../concurrent";
import type { SourceMigration } from "../source";
import { checkCaa } from "./caa-checks";
import { checkChallenge, judgeAuthorizations, withLiveTargets } from "./challenge-checks";
import { judgeClients, type OldCertificate } from "./client-checks";
import type { Severity } from "./codes";
import { type DelegationReading, type DnsView, findDelegation, type NameServerAddress } from "./dns";
import { checkHostname, checkResolvers } from "./hostname-checks";
import { type Look, lookAt } from "./look";
import { type CheckResult, checkNames, type DoctorFinding, type DoctorReport, finding } from "./model";
import {
  countHeld,
  judgeBilling,
  judgeComputeQuotas,
  judgeCounts,
  judgeRole,
  judgeServices,
  type ProjectNeeds,
  projectNeeds,
} from "./project-checks";
import { judgeEntries, judgeNewRules, judgeProxy } from "./proxy-checks";
import { type DoctorSubject, subjectOf } from "./subject";
import { checkDelegation, checkOwnServers, judgeZone, merge, zonesByName } from "./zone-checks";

/** Where the doctor looks. */
export interface DoctorGoogle {
  readonly projects: ProjectReader;
  readonly balancers: LoadBalancerReader;
  readonly resources: ResourceLister;
  readonly zones: (project: string, signal: AbortSignal) => Promise<readonly LiveZone[]>;
}

export interface DoctorOptions {
  readonly google: DoctorGoogle;
  readonly dns: DnsView;
  /** Of a spec: it knows zones, and what is made and what is there. */
  readonly plan?: MigrationPlan | undefined;
  /** Project of what names none. */
  readonly project?: string | undefined;
  /** Further resolvers, which should say the same. @default none */
  readonly resolvers?: readonly NameServerAddress[];
  /** The old certificates. @default none */
  readonly old?: readonly OldCertificate[];
  readonly now: Date;
  readonly signal: AbortSignal;
  /** A label that nobody uses, by which a wildcard's records are told from a name's own. */
  readonly unusedLabel: string;
  /** Hostnames and domains that are looked at together. @default 32 */
  readonly concurrency?: number;
  /** Told of each check when it is done. */
  readonly onCheck?: (done: number, total: number) => void;
}

/**
 * Looks for whatever would make migrations fail or hurt, before anything is changed. It only reads: list calls, and DNS questions. What can't be
 * looked at is a finding or a note of its check, and never the end of the run.
 */
export async function examine(migrations: readonly SourceMigration[], options: DoctorOptions): Promise<DoctorReport> {
  const looks = migrations.flatMap((migration) => {
    const subject = subjectOf(migration, options.plan, options.project);
    return looksAt(subject, options);
  });
  // Each check under way listens to it; the usual limit is there to find leaks.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  let done = 0;
  const looked = await mapConcurrently(looks, options.concurrency ?? 32, async (look) => {
    const result = await lookAt(look, signal);
    done += 1;
    options.onCheck?.(done, looks.length);
    return result;
  });
  const checks = looked.map(({ check }) => check);
  return {
    findings: sortFindings([
      ...looked.flatMap(({ findings }) => findings),
      ...migrations.flatMap((migration) => withoutProject(subjectOf(migration, options.plan, options.project))),
    ]),
    checks: checks.sort((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check)),
    stopped: checks.some(({ outcome }) => outcome === "stopped"),
  };
}

function withoutProject({ project, usesMap }: DoctorSubject): readonly DoctorFinding[] {
  if (project !== undefined) return [];
  return [finding("project-unknown", usesMap ? "the migration" : "certificates", "the project is not known")];
}

function looksAt(subject: DoctorSubject, options: DoctorOptions): readonly Look[] {
  const { dns, now, unusedLabel, signal } = options;
  const shared = share(subject, options);
  return [
    ...projectNeeds(subject).flatMap((needs) => projectLooks(needs, options)),
    ...quotaLooks(subject, shared, options),
    ...zoneLooks(subject, shared, options),
    ...(subject.domains.length === 0 ? [] : [challengeLook(subject, shared, options)]),
    ...subject.issued.map((name): Look => ({ check: "caa", subject: name, work: () => checkCaa(name, dns) })),
    ...subject.hostnames.map(
      (hostname): Look => ({
        check: "hostnames",
        subject: hostname,
        work: () => checkHostname(hostname, subject, { dns, now, unusedLabel }),
      }),
    ),
    ...resolverLooks(subject, options),
    ...proxyLooks(subject, options),
    ...mapLooks(subject, options, signal),
    {
      check: "clients",
      subject: subject.map ?? subject.project ?? "the migration",
      work: async () => ({ findings: judgeClients(subject, [...(options.old ?? []), ...uploaded(options.plan)]) }),
    },
  ];
}

/** What several checks need, asked for once. */
interface Shared {
  readonly zones: (project: string) => Promise<readonly LiveZone[]>;
  readonly authorizations: () => Promise<readonly LiveAuthorization[]>;
  readonly delegationOf: (name: string) => Promise<DelegationReading>;
}

function share(subject: DoctorSubject, { google, dns, signal }: DoctorOptions): Shared {
  const parents = new Set(
    subject.authorizations.flatMap(({ id }) => /^(.*)\/dnsAuthorizations\//.exec(id ?? "")?.[1] ?? []),
  );
  const authorizations = once(async () => {
    const lists = [...parents].map((parent) => google.resources.authorizations(parent, signal));
    return (await Promise.all(lists)).flat();
  });
  return {
    zones: remember((project) => google.zones(project, signal)),
    authorizations: () => authorizations(),
    delegationOf: remember((name) => findDelegation(name, dns)),
  };
}

function remember<Result>(ask: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const asked = new Map<string, Promise<Result>>();
  return (key) => {
    const answer = asked.get(key) ?? ask(key);
    asked.set(key, answer);
    return answer;
  };
}

function once<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let answer: Promise<Result> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

function projectLooks({ project, services, roles }: ProjectNeeds, { google, signal }: DoctorOptions): readonly Look[] {
  const { projects } = google;
  return [
    {
      check: "billing",
      subject: project,
      work: async () => ({ findings: judgeBilling(project, await projects.billingEnabled(project, signal)) }),
    },
    {
      check: "apis",
      subject: project,
      work: async () => ({
        findings: judgeServices(project, await projects.disabledServices(project, services, signal)),
      }),
    },
    ...roles.map(
      (need): Look => ({
        check: "permissions",
        subject: `${project} (${need.role})`,
        work: async () => {
          const asked = [...need.permissions, ...need.toDelete];
          const missing = await projects.missingPermissions(project, asked, signal);
          return { findings: judgeRole(project, need, missing) };
        },
      }),
    ),
  ];
}

function quotaLooks(subject: DoctorSubject, shared: Shared, { google, signal }: DoctorOptions): readonly Look[] {
  const { project, balancerProject } = subject;
  const looks: Look[] = [];
  const parents = new Set(subject.madeCertificates.flatMap((id) => /^(.*)\/certificates\//.exec(id)?.[1] ?? []));
  if (project !== undefined && parents.size > 0) {
    looks.push({
      check: "quotas",
      subject: project,
      work: async () => {
        const lists = [...parents].map((parent) => google.resources.certificates(parent, signal));
        const certificates = (await Promise.all(lists)).flat();
        const counts = countHeld(subject, { certificates, authorizations: await shared.authorizations() });
        const notes = Object.entries(counts).map(([kind, [there, made]]) => `${kind}: ${there} there, ${made} to come`);
        return { findings: judgeCounts(project, counts), notes };
      },
    });
  }
  if (balancerProject !== undefined && subject.proxies.some(({ origin }) => origin === "new")) {
    looks.push({
      check: "quotas",
      subject: `${balancerProject} (compute)`,
      work: async () => ({
        findings: judgeComputeQuotas(subject, await google.projects.computeQuotas(balancerProject, signal)),
      }),
    });
  }
  return looks;
}

function zoneLooks(subject: DoctorSubject, shared: Shared, { dns }: DoctorOptions): readonly Look[] {
  const named = subject.zones.map(
    (zone): Look => ({
      check: "zones",
      subject: `${zone.name} (${zone.domain})`,
      work: async () => {
        const { findings, live } = judgeZone(zone, await shared.zones(zone.project));
        return live === undefined
          ? { findings }
          : merge([{ findings }, await checkDelegation(zone, live, shared.delegationOf, dns)]);
      },
    }),
  );
  const { project, zonesUnnamed } = subject;
  const unnamed: Look[] =
    !zonesUnnamed || project === undefined
      ? []
      : [{ check: "zones", subject: project, work: () => checkUnnamedZones(subject, project, shared, dns) }];
  // Whoever publishes by hand does so in a zone that somebody answers for.
  const foreign = new Set(
    subject.domains.filter(({ published }) => published === "external").map(({ domain }) => registered(domain)),
  );
  return [
    ...named,
    ...unnamed,
    ...[...foreign].map(
      (domain): Look => ({
        check: "delegation",
        subject: domain,
        work: () => checkOwnServers(domain, shared.delegationOf, dns),
      }),
    ),
  ];
}

async function checkUnnamedZones(
  subject: DoctorSubject,
  project: string,
  shared: Shared,
  dns: DnsView,
): Promise<CheckResult> {
  const live = await shared.zones(project);
  const records = subject.domains
    .filter(({ published }) => published === "cloudDns")
    .map(({ domain, challenge }) => challenge ?? `_acme-challenge.${domain}`);
  const { zones, without } = zonesByName(records, project, live);
  const results = zones.map((zone) => {
    const own = live.find(({ name }) => name === zone.name) as LiveZone;
    return checkDelegation(zone, own, shared.delegationOf, dns);
  });
  const unknown = without.map((record) => `which zone ${record} is written to: project ${project} has none for it`);
  return merge([...(await Promise.all(results)), { findings: [], unknown }]);
}

function challengeLook(subject: DoctorSubject, shared: Shared, options: DoctorOptions): Look {
  const { dns, unusedLabel, concurrency = 32 } = options;
  return {
    check: "challenges",
    subject: `${subject.domains.length} domains`,
    work: async () => {
      const live = await shared.authorizations();
      const targetsOfProject = new Set(live.map(({ record }) => record.data.toLowerCase().replace(/\.$/, "")));
      const results = await mapConcurrently(withLiveTargets(subject, live), concurrency, (domain) => {
        const zone = subject.zones.find(({ records }) => records.includes(`_acme-challenge.${domain.domain}`))?.domain;
        const place = zone ?? registered(domain.domain);
        return checkChallenge(domain, {
          dns,
          delegationOf: shared.delegationOf,
          zone: place,
          targetsOfProject,
          unusedLabel,
        });
      });
      return merge([...results, { findings: judgeAuthorizations(subject, live) }]);
    },
  };
}

function registered(domain: string): string {
  const read = readHostname(domain);
  return "hostname" in read ? (registrableDomain(read.hostname as Hostname) ?? domain) : domain;
}

function resolverLooks(subject: DoctorSubject, { dns, resolvers = [] }: DoctorOptions): readonly Look[] {
  if (resolvers.length === 0) return [];
  return subject.hostnames
    .filter((hostname) => !hostname.startsWith("*."))
    .map((hostname) => ({
      check: "resolvers",
      subject: hostname,
      work: () => checkResolvers(hostname, resolvers, dns),
    }));
}

function proxyLooks(subject: DoctorSubject, { google, signal }: DoctorOptions): readonly Look[] {
  const { balancerProject: project, region, proxies } = subject;
  if (project === undefined || proxies.length === 0) return [];
  return [
    {
      check: "proxies",
      subject: project,
      work: async () => {
        const [found, rules, certificates] = await Promise.all([
          google.balancers.proxies(project, region, signal),
          google.balancers.forwardingRules(project, region, signal),
          google.balancers.sslCertificates(project, region, signal),
        ]);
        const live = { proxies: found, rules, certificates };
        const findings = [...judgeNewRules(subject, live)];
        for (const proxy of proxies) {
          const map = found.find(({ id }) => id === proxy.id)?.map;
          const entries = map === undefined || map === subject.map ? [] : await google.resources.entries(map, signal);
          findings.push(...judgeProxy(proxy, subject, live, entries));
        }
        return { findings };
      },
    },
  ];
}

function mapLooks(subject: DoctorSubject, { google }: DoctorOptions, signal: AbortSignal): readonly Look[] {
  const { existingMap } = subject;
  if (existingMap === undefined) return [];
  return [
    {
      check: "map",
      subject: existingMap,
      work: async () => ({ findings: judgeEntries(subject, await google.resources.entries(existingMap, signal)) }),
    },
  ];
}

/** Certificates that are uploaded: their clients keep what they are used to. */
function uploaded(plan: MigrationPlan | undefined): readonly OldCertificate[] {
  return (plan?.certificates ?? []).flatMap((certificate) => {
    if (certificate.kind !== "selfManaged" || isReference(certificate.certificatePem)) return [];
    const { mustStaple } = describeCertificate(new X509Certificate(certificate.certificatePem));
    return [{ source: certificate.id, domains: [], mustStaple, ipAddresses: [] }];
  });
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Errors first, then by code and subject; each once. */
function sortFindings(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const known = new Map(findings.map((one) => [`${one.code}\n${one.subject}\n${one.what}`, one]));
  const key = ({ severity, code, subject, what }: DoctorFinding) => `${ranks[severity]} ${code} ${subject} ${what}`;
  return [...known.values()].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
