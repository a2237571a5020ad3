import { type Hostname, isWildcard, readPrivateHostname } from "../hostnames";
import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import { renewalDueAt, type Validity } from "../renewal";
import { isNotificationChannel } from "../resource-names";
import { certificatesIn, isIssuedByOneOf, readCertificateChain } from "../x509";
import { wildcardOver } from "./entries";
import type { Findings } from "./findings";
import { checkLabels } from "./labels";
import { traitsOf } from "./load-balancer-kinds";
import type { MigrationPlan, PlannedAlerts, PlannedCertificate, PlannedUptimeCheck, UncheckedHostname } from "./model";
import { type PlanOptions, readHostnameKeys } from "./planning";
import { isReference } from "./shape/reference";
import type { AlertsSpec } from "./spec";

/** The parts of a plan that alerts watch. */
export type AlertSubject = Pick<MigrationPlan, "name" | "phase" | "project" | "certificates" | "entries"> & {
  readonly attachment: Pick<
    MigrationPlan["attachment"],
    "loadBalancer" | "via" | "proxies" | "clientAuthentications" | "servingProxies"
  >;
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
 * @param publicRoots returns the root certificates of public CAs in PEM; without it, every uploaded chain counts as
 * issued by a public CA
 */
export function planAlerts(
  spec: AlertsSpec & { readonly labels?: Readonly<Record<string, string>> },
  subjects: readonly AlertSubject[],
  findings: Findings,
  at = "/alerts",
  publicRoots?: PlanOptions["publicRoots"],
): PlannedAlerts {
  if (spec.labels !== undefined) checkLabels(spec.labels, pointerTo(at, "labels"), findings);
  const { checkIntervalSeconds = 900, daysBeforeExpiry, dashboard = true } = spec;
  const notificationChannels = readChannels(spec, findings, at);
  if (!allowedIntervalsSeconds.includes(checkIntervalSeconds)) {
    const what = `'checkIntervalSeconds' is ${checkIntervalSeconds}; use ${allowedIntervalsSeconds.join(", ")}`;
    findings.report("value-not-allowed", pointerTo(at, "checkIntervalSeconds"), what);
  }
  const probes = readProbes(spec, subjects, findings, at);
  const chosen = chooseHostnames(spec, subjects, probes, findings, at, publicRoots);
  const checks = chosen.checks.map(({ validity, ...check }): PlannedUptimeCheck => {
    const usual = validity === undefined ? usualDays : usualDaysOf(validity);
    return { ...check, intervalSeconds: checkIntervalSeconds, daysBeforeExpiry: daysBeforeExpiry ?? usual };
  });
  reportAmount(checks, checkIntervalSeconds, findings, at);
  if (daysBeforeExpiry !== undefined) checkRenewals(daysBeforeExpiry, chosen.checks, findings, at);
  for (const { hostname, certificate, reason } of chosen.unchecked) {
    const field = spec.hostnames === undefined ? "uptimeChecks" : "hostnames";
    const what = certificate === undefined ? `'${hostname}'` : `certificate '${certificate}' of '${hostname}'`;
    findings.report("alert-hostname-unchecked", pointerTo(at, field), `${what} has no uptime check: ${reason}`);
  }
  return {
    notificationChannels,
    projects: projectsOf(subjects),
    checks,
    unchecked: chosen.unchecked,
    hasDashboard: dashboard,
  };
}

/** Warns of days that begin before the renewal of managed certificates, or the replacement of an uploaded one. */
function checkRenewals(daysBeforeExpiry: number, checks: readonly ChosenCheck[], findings: Findings, at: string): void {
  const report = (what: string, remedy?: string) => {
    const message = `'daysBeforeExpiry' is ${daysBeforeExpiry}, and ${what}`;
    findings.report("alert-before-renewal", pointerTo(at, "daysBeforeExpiry"), message, remedy);
  };
  if (daysBeforeExpiry >= renewalDays && checks.some(({ renewedBy }) => renewedBy !== "owner")) {
    report(`managed certificates are renewed ${renewalDays} days before`);
  }
  const uploads = new Map(checks.flatMap(({ certificate, validity }) => (validity ? [[certificate, validity]] : [])));
  for (const [certificate, { notBefore, notAfter }] of uploads) {
    const days = (notAfter.getTime() - renewalDueAt({ notBefore, notAfter }).getTime()) / dayMs;
    if (daysBeforeExpiry < days) continue;
    const due = Math.round(days);
    const what = `the replacement of uploaded certificate '${certificate}' is due ${due} days before its end`;
    report(what, `use less than ${due} days, or leave 'daysBeforeExpiry' out`);
  }
}

function readChannels({ notificationChannels = [] }: AlertsSpec, findings: Findings, at: string): readonly string[] {
  const place = pointerTo(at, "notificationChannels");
  if (notificationChannels.length === 0)
    findings.report("notification-channels-missing", place, "the alerts have no recipient");
  if (notificationChannels.length > mostChannels) {
    findings.report(
      "notification-channels-too-many",
      place,
      `there are ${notificationChannels.length} notification channels`,
    );
  }
  notificationChannels.forEach((channel, index) => {
    if (isReference(channel) || isNotificationChannel(channel)) return;
    findings.report(
      "notification-channel-invalid",
      pointerTo(place, index),
      `'${channel}' is not a notification channel`,
    );
  });
  return [...new Set(notificationChannels)].sort();
}

/**
 * Returns the names to request for wildcards of the migrations. A check of a name with an entry of its own would test
 * the certificate of that entry, so the name can't stand for a wildcard with another certificate.
 */
function readProbes(
  { wildcardProbes = {} }: AlertsSpec,
  subjects: readonly AlertSubject[],
  findings: Findings,
  at: string,
): ReadonlyMap<string, string> {
  const served = subjects.flatMap(hostnamesOf);
  const certificatesOf = (name: string) =>
    new Set(served.filter(({ hostname }) => hostname === name).map(({ certificate }) => certificate));
  const probes = new Map<string, string>();
  const keys = readHostnameKeys(
    wildcardProbes,
    pointerTo(at, "wildcardProbes"),
    "'wildcardProbes'",
    findings,
    readPrivateHostname,
  );
  for (const [wildcard, { value, at: place }] of keys) {
    const ofWildcard = certificatesOf(wildcard);
    if (!isWildcard(wildcard) || (ofWildcard.size === 0 && !isWithoutEntries(subjects))) {
      findings.report("alert-probe-invalid", place, `'${wildcard}' is not a wildcard of the migration`);
      continue;
    }
    const read = readPrivateHostname(value);
    if ("problem" in read) {
      findings.reject(read.problem, place, `'wildcardProbes' for '${wildcard}': `);
      continue;
    }
    const { hostname: probe } = read;
    const [other] = [...certificatesOf(probe)].filter((certificate) => !ofWildcard.has(certificate));
    if (isWildcard(probe) || wildcardOver(probe) !== wildcard) {
      findings.report("alert-probe-invalid", place, `'${value}' is not a name that '${wildcard}' covers`);
    } else if (other !== undefined) {
      const what = `'${probe}' has its own certificate '${other.id}', so a check of the name never tests the certificate of '${wildcard}'`;
      findings.report("alert-probe-served-itself", place, what);
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

/** Returns the certificates that are only alternatives of others, each with a hostname of its entries. */
function alternativesOf({ phase, certificates, entries }: AlertSubject): readonly Served[] {
  if (phase === "issue") return [];
  const byId = new Map(certificates.map((certificate) => [certificate.id, certificate]));
  const first = new Set(
    entries.flatMap(({ hostname, certificates: [own = ""] }) => (hostname === "PRIMARY" ? [] : own)),
  );
  return entries.flatMap(({ hostname, certificates: [, ...others] }) =>
    others.flatMap((id) => {
      const certificate = byId.get(id);
      return hostname === "PRIMARY" || certificate === undefined || first.has(id) ? [] : { hostname, certificate };
    }),
  );
}

const cannotChoose =
  "clients choose between the certificates of an entry by their key types, and an uptime check can't choose";

/** Days before its expiry at which an alert begins, and the share of the lifetime of an uploaded certificate. */
const usualDays = 25;
const usualShare = 1 / 4;
const dayMs = 86_400_000;

function usualDaysOf({ notBefore, notAfter }: Validity): number {
  const lifetimeDays = (notAfter.getTime() - notBefore.getTime()) / dayMs;
  return Math.max(1, Math.min(usualDays, Math.floor(lifetimeDays * usualShare)));
}

type ChosenCheck = Omit<PlannedUptimeCheck, "intervalSeconds" | "daysBeforeExpiry"> & {
  /** Validity of an uploaded certificate; undefined for other ones, and if only Terraform knows it. */
  readonly validity: Validity | undefined;
};

interface Chosen {
  readonly checks: readonly ChosenCheck[];
  readonly unchecked: readonly UncheckedHostname[];
}

function chooseHostnames(
  spec: AlertsSpec,
  subjects: readonly AlertSubject[],
  probes: ReadonlyMap<string, string>,
  findings: Findings,
  at: string,
  publicRoots: PlanOptions["publicRoots"],
): Chosen {
  const { uptimeChecks } = spec;
  const listed = spec.hostnames && readListed(spec.hostnames, subjects, findings, pointerTo(at, "hostnames"));
  if (listed !== undefined && uptimeChecks !== undefined) {
    findings.report(
      "alert-choice-ambiguous",
      pointerTo(at, "uptimeChecks"),
      "both 'uptimeChecks' and 'hostnames' are set",
    );
  }
  const checks = new Map<string, ChosenCheck>();
  const unchecked = new Map<string, UncheckedHostname>();
  for (const subject of subjects) {
    const served = hostnamesOf(subject);
    const wanted =
      listed === undefined
        ? wantedOf(uptimeChecks, served, probes)
        : served.filter(({ hostname }) => listed.has(hostname));
    const reasonOf = reasonsAgainst(subject, probes, publicRoots);
    for (const { hostname, certificate } of wanted) {
      const reason = reasonOf(hostname, certificate);
      const requested = probes.get(hostname) ?? hostname;
      if (reason !== undefined) unchecked.set(hostname, { hostname, reason });
      else {
        const named = { hostname: requested, certificate: certificate.id, migration: subject.name };
        checks.set(requested, { ...named, renewedBy: renewers[certificate.kind], validity: leafOf(certificate) });
      }
    }
    const isPerCertificate = listed === undefined && (uptimeChecks ?? usualChoice) === usualChoice;
    const alternatives = isPerCertificate ? wantedOf(usualChoice, alternativesOf(subject), probes) : [];
    for (const { hostname, certificate } of alternatives) {
      const { id } = certificate;
      unchecked.set(`${hostname} ${id}`, { hostname, certificate: id, reason: cannotChoose });
    }
  }
  const byName = (a: { hostname: string }, b: { hostname: string }) => (a.hostname < b.hostname ? -1 : 1);
  return { checks: [...checks.values()].sort(byName), unchecked: [...unchecked.values()].sort(byName) };
}

const renewers = { managed: "google", selfManaged: "owner", existing: "unknown" } as const;

/** Returns the leaf of an uploaded certificate; undefined for other ones, and if only Terraform knows it. */
function leafOf(certificate: PlannedCertificate): Validity | undefined {
  if (certificate.kind !== "selfManaged" || isReference(certificate.certificatePem)) return undefined;
  return readCertificateChain(certificate.certificatePem).leaf;
}

/** Returns the listed hostnames. Invalid hostnames, and hostnames that no migration serves, are reported. */
function readListed(
  texts: readonly string[],
  subjects: readonly AlertSubject[],
  findings: Findings,
  at: string,
): ReadonlySet<string> {
  const known = new Set(subjects.flatMap(hostnamesOf).map(({ hostname }) => hostname));
  const listed = new Set<string>();
  texts.forEach((text, index) => {
    const read = readPrivateHostname(text);
    if ("problem" in read) findings.reject(read.problem, pointerTo(at, index), "'hostnames': ");
    else if (known.has(read.hostname) || isWithoutEntries(subjects)) listed.add(read.hostname);
    else findings.report("alert-hostname-unknown", pointerTo(at, index), `the migration has no entry for '${text}'`);
  });
  return listed;
}

const usualChoice = "onePerCertificate";

function wantedOf(
  choice: AlertsSpec["uptimeChecks"] = usualChoice,
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

/** Returns a function that returns why a hostname of a migration can't have an uptime check; undefined if it can. */
function reasonsAgainst(
  { attachment }: AlertSubject,
  probes: ReadonlyMap<string, string>,
  publicRoots: PlanOptions["publicRoots"],
): (hostname: Hostname, certificate: PlannedCertificate) => string | undefined {
  const { isInternal } = traitsOf(attachment.loadBalancer);
  const rejectsCheckers = requiresClientCertificates(attachment);
  const privateUploads = new Map<PlannedCertificate, boolean>();
  const isPrivateUpload = (certificate: PlannedCertificate) => {
    const isPrivate = privateUploads.get(certificate) ?? isUploadOfPrivateCa(certificate, publicRoots);
    privateUploads.set(certificate, isPrivate);
    return isPrivate;
  };
  return (hostname, certificate) => {
    if (isInternal) return "the load balancer is internal, and uptime checks run from the internet";
    if (rejectsCheckers) {
      return "the load balancer rejects clients without a certificate, and uptime checks have no client certificate";
    }
    if (certificate.kind === "managed" && certificate.issuance !== undefined) {
      return "a private CA issues its certificate, and uptime checks trust public CAs only";
    }
    if (isPrivateUpload(certificate)) {
      return "its uploaded chain does not end in the root of a public CA, and uptime checks trust public CAs only";
    }
    if (hostname.startsWith("*.") && !probes.has(hostname)) {
      return "it is a wildcard without a name in 'wildcardProbes'";
    }
    return undefined;
  };
}

/** Returns whether every proxy of the plan rejects clients without a certificate. Existing policies are not known. */
function requiresClientCertificates(attachment: AlertSubject["attachment"]): boolean {
  const { proxies, clientAuthentications = [], servingProxies = [] } = attachment;
  const rejecting = new Set(
    clientAuthentications.filter(({ mode }) => mode === "REJECT_INVALID").map(({ proxyId }) => proxyId),
  );
  return proxies.length > 0 && servingProxies.length === 0 && proxies.every(({ id }) => rejecting.has(id));
}

/** Returns whether no public root has issued an uploaded chain; false if the chain or the roots are not known. */
function isUploadOfPrivateCa(certificate: PlannedCertificate, publicRoots: PlanOptions["publicRoots"]): boolean {
  if (publicRoots === undefined || certificate.kind !== "selfManaged") return false;
  const chain = certificatesIn(certificate.certificatePem);
  return chain.length > 0 && !isIssuedByOneOf(chain, publicRoots());
}

function reportAmount(
  checks: readonly PlannedUptimeCheck[],
  intervalSeconds: number,
  findings: Findings,
  at: string,
): void {
  if (checks.length > usualQuota) {
    const what = `${checks.length} uptime checks are more than the ${usualQuota} that a project has by default`;
    findings.report("alert-checks-above-quota", at, what);
  }
  const runs = Math.round((checks.length * locations * secondsPerMonth) / intervalSeconds);
  if (runs > freeRunsPerMonth && Number.isFinite(runs)) {
    const what = `the uptime checks run about ${runs.toLocaleString("en-US")} times a month, and ${freeRunsPerMonth.toLocaleString("en-US")} are free`;
    findings.report("alert-checks-charged", at, what);
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
