import type { Hostname } from "../hostnames";
import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import { isNotificationChannel } from "../resource-names";
import { readCertificateChain } from "../x509";
import { wildcardOver } from "./entries";
import type { CheckCode } from "./findings";
import { checkLabels } from "./labels";
import { traitsOf } from "./load-balancer-kinds";
import type { MigrationPlan, PlannedAlerts, PlannedCertificate, PlannedUptimeCheck, UncheckedHostname } from "./model";
import { isReference } from "./shape/reference";
import type { AlertsSpec } from "./spec";

/** Reports a finding about the alerts. */
type Report = (code: CheckCode, at: string, what: string, remedy?: string) => void;

/** The parts of a plan that alerts watch. */
export type AlertSubject = Pick<MigrationPlan, "name" | "phase" | "project" | "certificates" | "entries"> & {
  readonly attachment: Pick<MigrationPlan["attachment"], "loadBalancer" | "via">;
};

const allowedIntervalsSeconds: readonly number[] = [60, 300, 600, 900];
/** Days before its expiry at which Certificate Manager begins to renew a certificate of a public CA. */
const renewalDays = 30;
/**
 * Most uptime checks of a project by default, and runs of checks without charge for each project and month.
 *
 * @see https://cloud.google.com/monitoring/uptime-checks and https://cloud.google.com/products/observability/pricing
 */
const usualQuota = 100;
const freeRunsPerMonth = 1_000_000;
/** Locations from which a check without regions runs. */
const locations = 6;
const secondsPerMonth = 30 * 86_400;
const mostChannels = 16;

/**
 * Plans the alerts of one or more migrations: policies on the expiry logs of each project with certificates, and one
 * uptime check for each chosen hostname. The result depends only on identities, not on any order.
 *
 * @param at JSON pointer to the alerts, for findings
 */
export function planAlerts(
  spec: AlertsSpec & { readonly labels?: Readonly<Record<string, string>> },
  subjects: readonly AlertSubject[],
  report: Report,
  at = "/alerts",
): PlannedAlerts {
  if (spec.labels !== undefined) checkLabels(spec.labels, pointerTo(at, "labels"), { report });
  const { checkIntervalSeconds = 900, daysBeforeExpiry, dashboard = true } = spec;
  const notificationChannels = readChannels(spec, report, at);
  if (!allowedIntervalsSeconds.includes(checkIntervalSeconds)) {
    const what = `'checkIntervalSeconds' is ${checkIntervalSeconds}; use ${allowedIntervalsSeconds.join(", ")}`;
    report("value-not-allowed", pointerTo(at, "checkIntervalSeconds"), what);
  }
  const probes = readProbes(spec, subjects, report, at);
  const chosen = chooseHostnames(spec, subjects, probes, report, at);
  const checks = chosen.checks.map(({ lifetimeDays, ...check }): PlannedUptimeCheck => {
    const usual = Math.max(1, Math.min(usualDays, Math.floor(lifetimeDays * usualShare)));
    return { ...check, intervalSeconds: checkIntervalSeconds, daysBeforeExpiry: daysBeforeExpiry ?? usual };
  });
  reportAmount(checks, checkIntervalSeconds, report, at);
  if (daysBeforeExpiry !== undefined && daysBeforeExpiry >= renewalDays && checks.some(({ isManaged }) => isManaged)) {
    const what = `'daysBeforeExpiry' is ${daysBeforeExpiry}, and certificates are renewed ${renewalDays} days before`;
    report("alert-before-renewal", pointerTo(at, "daysBeforeExpiry"), what);
  }
  for (const { hostname, reason } of chosen.unchecked) {
    const field = spec.hostnames === undefined ? "uptimeChecks" : "hostnames";
    report("alert-hostname-unchecked", pointerTo(at, field), `'${hostname}' has no uptime check: ${reason}`);
  }
  return {
    notificationChannels,
    projects: projectsOf(subjects),
    checks,
    unchecked: chosen.unchecked,
    hasDashboard: dashboard,
  };
}

function readChannels({ notificationChannels = [] }: AlertsSpec, report: Report, at: string): readonly string[] {
  const place = pointerTo(at, "notificationChannels");
  if (notificationChannels.length === 0) report("notification-channels-missing", place, "the alerts notify nobody");
  if (notificationChannels.length > mostChannels) {
    report("notification-channels-too-many", place, `there are ${notificationChannels.length} notification channels`);
  }
  notificationChannels.forEach((channel, index) => {
    if (isReference(channel) || isNotificationChannel(channel)) return;
    report("notification-channel-invalid", pointerTo(place, index), `'${channel}' is not a notification channel`);
  });
  return [...new Set(notificationChannels)].sort();
}

/** Returns the names to request for wildcards of the migrations. */
function readProbes(
  { wildcardProbes = {} }: AlertsSpec,
  subjects: readonly AlertSubject[],
  report: Report,
  at: string,
): ReadonlyMap<string, string> {
  const served = new Set<string>(subjects.flatMap((subject) => hostnamesOf(subject).map(({ hostname }) => hostname)));
  const probes = new Map<string, string>();
  for (const [key, value] of Object.entries(wildcardProbes)) {
    const place = pointerTo(at, "wildcardProbes", key);
    const [wildcard, probe] = [normalized(key), normalized(value)];
    if (!wildcard.startsWith("*.") || (!served.has(wildcard) && !isWithoutEntries(subjects))) {
      report("alert-probe-invalid", place, `'${key}' is not a wildcard of the migration`);
    } else if (probe.startsWith("*.") || wildcardOver(probe) !== wildcard) {
      report("alert-probe-invalid", place, `'${value}' is not a name that '${key}' covers`);
    } else probes.set(wildcard, probe);
  }
  return probes;
}

/** Returns whether no migration serves a hostname yet, so that nothing can be compared with what they serve. */
function isWithoutEntries(subjects: readonly AlertSubject[]): boolean {
  return subjects.every(({ phase }) => phase === "issue");
}

interface Served {
  readonly hostname: Hostname;
  readonly certificate: PlannedCertificate;
}

/** Returns the hostnames that a migration serves, each with its certificate; none in phase `issue`. */
function hostnamesOf({ phase, certificates, entries, attachment }: AlertSubject): readonly Served[] {
  if (phase === "issue") return [];
  if (attachment.via === "certificates") {
    return certificates.flatMap((certificate) => certificate.domains.map((hostname) => ({ hostname, certificate })));
  }
  const byId = new Map(certificates.map((certificate) => [certificate.id, certificate]));
  return entries.flatMap(({ hostname, certificates: [own = ""] }) => {
    const certificate = byId.get(own);
    return hostname === "PRIMARY" || certificate === undefined ? [] : [{ hostname, certificate }];
  });
}

/** Days before its expiry at which an alert begins, and the share of the lifetime of an uploaded certificate. */
const usualDays = 25;
const usualShare = 1 / 4;

type ChosenCheck = Omit<PlannedUptimeCheck, "intervalSeconds" | "daysBeforeExpiry"> & {
  /** Infinite if it is not known. */
  readonly lifetimeDays: number;
};

interface Chosen {
  readonly checks: readonly ChosenCheck[];
  readonly unchecked: readonly UncheckedHostname[];
}

function chooseHostnames(
  spec: AlertsSpec,
  subjects: readonly AlertSubject[],
  probes: ReadonlyMap<string, string>,
  report: Report,
  at: string,
): Chosen {
  const { hostnames: listed, uptimeChecks } = spec;
  if (listed !== undefined && uptimeChecks !== undefined) {
    report("alert-choice-ambiguous", pointerTo(at, "uptimeChecks"), "both 'uptimeChecks' and 'hostnames' are set");
  }
  const checks = new Map<string, ChosenCheck>();
  const unchecked = new Map<string, UncheckedHostname>();
  for (const subject of subjects) {
    const served = hostnamesOf(subject);
    const wanted = listed === undefined ? wantedOf(uptimeChecks, served, probes) : listedOf(listed, served);
    for (const { hostname, certificate } of wanted) {
      const reason = reasonAgainst(subject, hostname, certificate, probes);
      const requested = probes.get(hostname) ?? hostname;
      if (reason !== undefined) unchecked.set(hostname, { hostname, reason });
      else {
        const isManaged = certificate.kind === "managed";
        const named = { hostname: requested, certificate: certificate.id, migration: subject.name };
        checks.set(requested, { ...named, isManaged, lifetimeDays: lifetimeDaysOf(certificate) });
      }
    }
  }
  const known = new Set(subjects.flatMap((subject) => hostnamesOf(subject).map(({ hostname }): string => hostname)));
  (listed ?? []).forEach((hostname, index) => {
    if (known.has(normalized(hostname)) || isWithoutEntries(subjects)) return;
    const what = `the migration has no entry for '${hostname}'`;
    report("alert-hostname-unknown", pointerTo(at, "hostnames", index), what);
  });
  const byName = (a: { hostname: string }, b: { hostname: string }) => (a.hostname < b.hostname ? -1 : 1);
  return { checks: [...checks.values()].sort(byName), unchecked: [...unchecked.values()].sort(byName) };
}

/** Returns the lifetime of an uploaded certificate; infinite for other ones, and if only Terraform knows it. */
function lifetimeDaysOf(certificate: PlannedCertificate): number {
  if (certificate.kind !== "selfManaged" || isReference(certificate.certificatePem)) return Number.POSITIVE_INFINITY;
  const { leaf } = readCertificateChain(certificate.certificatePem);
  if (leaf === undefined) return Number.POSITIVE_INFINITY;
  return (leaf.notAfter.getTime() - leaf.notBefore.getTime()) / 86_400_000;
}

function listedOf(listed: readonly string[], served: readonly Served[]): readonly Served[] {
  const wanted = new Set(listed.map(normalized));
  return served.filter(({ hostname }) => wanted.has(hostname));
}

function normalized(hostname: string): string {
  return hostname.trim().toLowerCase().replace(/\.$/, "");
}

function wantedOf(
  choice: AlertsSpec["uptimeChecks"] = "onePerCertificate",
  served: readonly Served[],
  probes: ReadonlyMap<string, string>,
): readonly Served[] {
  if (choice === "none") return [];
  if (choice === "all") return served;
  const rank = ({ hostname }: Served) => {
    const isWithoutName = hostname.startsWith("*.") && !probes.has(hostname);
    return `${isWithoutName ? 1 : 0} ${String(hostname.length).padStart(3, "0")} ${hostname}`;
  };
  const first = new Map<string, Served>();
  for (const one of [...served].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    if (!first.has(one.certificate.id)) first.set(one.certificate.id, one);
  }
  return [...first.values()];
}

/** Returns why a hostname can't have an uptime check; undefined if it can. */
function reasonAgainst(
  { attachment }: AlertSubject,
  hostname: Hostname,
  certificate: PlannedCertificate,
  probes: ReadonlyMap<string, string>,
): string | undefined {
  if (traitsOf(attachment.loadBalancer).isInternal) {
    return "the load balancer is internal, and uptime checks run from the internet";
  }
  if (certificate.kind === "managed" && certificate.issuance !== undefined) {
    return "a private CA issues its certificate, and uptime checks trust public CAs only";
  }
  if (hostname.startsWith("*.") && !probes.has(hostname)) {
    return "it is a wildcard without a name in 'wildcardProbes'";
  }
  return undefined;
}

function reportAmount(
  checks: readonly PlannedUptimeCheck[],
  intervalSeconds: number,
  report: Report,
  at: string,
): void {
  if (checks.length > usualQuota) {
    const what = `${checks.length} uptime checks are more than the ${usualQuota} that a project has by default`;
    report("alert-checks-above-quota", at, what);
  }
  const runs = Math.round((checks.length * locations * secondsPerMonth) / intervalSeconds);
  if (runs > freeRunsPerMonth && Number.isFinite(runs)) {
    const what = `the uptime checks run about ${runs.toLocaleString("en-US")} times a month, and ${freeRunsPerMonth.toLocaleString("en-US")} are free`;
    report("alert-checks-charged", at, what);
  }
}

/** Returns the projects that contain certificates, each once; undefined is the Terraform provider's project. */
function projectsOf(subjects: readonly AlertSubject[]): PlannedAlerts["projects"] {
  const created = subjects.flatMap(({ project, certificates }) =>
    certificates.filter(({ kind }) => kind !== "existing").map((certificate) => certificate.project ?? project),
  );
  const own = subjects[0]?.project;
  const others = [...new Set(created)].filter((project) => project !== own).sort();
  return [own, ...others].map((project) => defined({ project }));
}
