import type { Severity } from "../../findings/codes";
import type { Finding } from "../../findings/finding";
import type { LiveCertificate } from "../../google";
import { defined } from "../../json/defined";
import { groupBy } from "../../json/group-by";
import { renewalDueAt } from "../../renewal";
import { withoutProject } from "../../resource-names";
import { authorizedDomain, servedCertificateIds } from "../../source";
import { leafOf } from "../renewal";
import {
  assessRenewals,
  balancerAddresses,
  eachStatus,
  type HostnameStatus,
  hostnamesOf,
  type ObservedMigration,
  recordStanding,
  type StatusVerification,
  type StepStatus,
} from "../status";
import type { MonitoredCertificate, MonitoredHostname, MonitorPass } from "./model";

const dayMs = 24 * 60 * 60 * 1_000;

/** Numbers of the steps of `status` whose state the monitor shows. */
const steps = { recordPublished: 2, entryActive: 5, served: 7, trafficMoved: 8 } as const;

/**
 * Returns what a pass of the monitor saw of one part: the state of each hostname, and a finding for each certificate
 * whose renewal is in danger and for each hostname with a step that is not done.
 *
 * @param verification results of handshakes
 * @param now time of the service
 */
export function assessPass(
  observed: readonly ObservedMigration[],
  verification: StatusVerification,
  now: Date,
): MonitorPass {
  const hostnames: MonitoredHostname[] = [];
  const findings: Finding[] = [];
  for (const pair of observed) {
    const describe = describerOf(pair, now);
    findings.push(...assessRenewals(pair, now), ...recordFindings(pair), ...otherCertificates(pair, verification));
    for (const status of eachStatus(...pair, verification)) {
      hostnames.push(describe(status));
      findings.push(...stepFindings(status));
    }
  }
  return { hostnames, findings };
}

function describerOf([migration, observed]: ObservedMigration, now: Date) {
  const served = groupBy(hostnamesOf(migration), ({ hostname }) => hostname);
  const live = new Map(observed.certificates.map((certificate) => [certificate.name, certificate]));
  const entryOf = new Map(observed.entries.map(({ hostname, state }) => [hostname, state]));
  const ids = new Set(servedCertificateIds(migration));
  const own = observed.certificates.filter(({ name }) => ids.has(name));
  const days = new Map(own.map((certificate) => [certificate.name, daysOf(certificate, now)]));
  const describe = (certificate: string | undefined): MonitoredCertificate => ({
    ...defined({ certificate, certificateState: live.get(certificate ?? "")?.state }),
    ...days.get(certificate ?? ""),
  });
  return ({ hostname, steps: all }: HostnameStatus): MonitoredHostname => {
    const [first, ...others] = (served.get(hostname) ?? []).flatMap(({ certificateIds }) => certificateIds);
    const alternatives = others.flatMap((id) => (id === undefined ? [] : describe(id)));
    const stateOf = (number: number) => all.find(({ step }) => step === number)?.state ?? "unknown";
    return {
      migration: migration.path,
      hostname,
      ...describe(first),
      ...(alternatives.length === 0 ? {} : { alternatives }),
      ...defined({ entryState: entryOf.get(hostname) }),
      record: stateOf(steps.recordPublished),
      handshake: stateOf(steps.served),
    };
  };
}

function daysOf(certificate: LiveCertificate, now: Date): Pick<MonitoredCertificate, "daysToExpiry" | "daysToRenewal"> {
  const validity = leafOf(certificate);
  if (validity === undefined) return {};
  const daysTo = (date: Date) => Math.round(((date.getTime() - now.getTime()) / dayMs) * 100) / 100;
  return {
    daysToExpiry: daysTo(validity.notAfter),
    daysToRenewal: daysTo(renewalDueAt({ ...certificate, ...validity })),
  };
}

/**
 * Returns the records that are not published, of domains that no monitored hostname needs: a certificate is renewed
 * only if all of its domains are authorized.
 */
function recordFindings([migration, { records }]: ObservedMigration): readonly Finding[] {
  const shown = new Set(hostnamesOf(migration).map(({ hostname }) => authorizedDomain(hostname)));
  return [...records].flatMap(([domain, check]) => {
    if (check === "published" || shown.has(domain)) return [];
    const standing = recordStanding(check);
    return findingOf(domain, standing, standing.state === "failed" ? "error" : "warning");
  });
}

/**
 * Returns a finding for each entry whose hostname is served with another certificate than the entry names. It is a
 * warning: after a renewal, front ends serve the former certificate for some minutes.
 */
function otherCertificates(
  [migration, observed]: ObservedMigration,
  { results }: StatusVerification,
): readonly Finding[] {
  const fingerprints = new Map(
    observed.certificates.map((live) => [withoutProject(live.name), leafOf(live)?.fingerprintSha256]),
  );
  const entryOf = new Map(observed.entries.map((entry) => [entry.hostname, entry]));
  const addresses = new Set(balancerAddresses(migration, observed));
  const monitored = new Set(hostnamesOf(migration).map(({ hostname }) => hostname));
  return results.flatMap(({ hostname, address, fingerprintSha256 }) => {
    const entry = entryOf.get(hostname);
    if (fingerprintSha256 === undefined || entry?.state !== "ACTIVE") return [];
    if (!monitored.has(hostname) || !addresses.has(address)) return [];
    const wanted = entry.certificates.map((name) => fingerprints.get(withoutProject(name)));
    // A certificate that can't be read may be the served one.
    if (wanted.length === 0 || wanted.includes(undefined) || wanted.includes(fingerprintSha256)) return [];
    const reason = `${address} serves another certificate than ${entry.certificates.join(" or ")}`;
    const next = "wait some minutes after a renewal or a replacement; then compare with cert-migration verify --exact";
    return findingOf(hostname, { code: "other-certificate", reason, next }, "warning");
  });
}

/** Returns the first step of a hostname that is not done, and a handshake that failed although clients come. */
function stepFindings({ hostname, current, steps: all }: HostnameStatus): readonly Finding[] {
  const hasTraffic = all.some(({ step, state }) => step === steps.trafficMoved && state === "done");
  const isOutage = ({ step, state }: StepStatus) =>
    step === steps.served && (state === "failed" || (state === "todo" && hasTraffic));
  return all
    .filter((step) => step === current || isOutage(step))
    .map((step) => {
      const isError = step.state === "failed" || isOutage(step);
      return findingOf(hostname, step, isError ? "error" : step.step === steps.trafficMoved ? "info" : "warning");
    });
}

function findingOf(
  hostname: string,
  { code = "not-verified", reason = "", next = "" }: Pick<StepStatus, "code" | "reason" | "next">,
  severity: Severity,
): Finding {
  return { code, severity, subject: hostname, message: reason.replace(/\.$/, ""), remedy: next, hostnames: [hostname] };
}
