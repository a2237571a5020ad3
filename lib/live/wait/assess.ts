import { severityRanks } from "../../findings/codes";
import { type CodedFinding, findingsOf } from "../../findings/finding";
import type { AuthorizationAttempt, LiveCertificate, LiveEntry } from "../../google";
import { type WaitCode, waitCodes } from "./codes";

/** State of a certificate or a map entry, and the reasons. */
export interface ResourceState {
  readonly name: string;
  /**
   * State that the service returned; `MISSING` if the resource does not exist yet, `UNKNOWN` if the service never
   * answered.
   */
  readonly state: string;
  /** Why the resource is pending or failed, worst reason first. Empty if the resource is active. */
  readonly findings: readonly WaitFinding[];
}

/** One reason why a certificate or a map entry is not active. Its subject is a domain, or the resource. */
export type WaitFinding = CodedFinding<WaitCode>;

/** `failed` as soon as one certificate has failed, because failed certificates never recover. */
export interface Assessment {
  readonly verdict: "active" | "waiting" | "failed";
  readonly resources: readonly ResourceState[];
}

/** Compares the certificates read with the certificates to wait for. */
export function assess(wanted: readonly string[], found: readonly LiveCertificate[]): Assessment {
  const byName = new Map(found.map((certificate) => [certificate.name, certificate]));
  const resources = wanted.map((name) => stateOfCertificate(name, byName.get(name)));
  const states = resources.map(({ state }) => state);
  const verdict = states.includes("FAILED")
    ? "failed"
    : states.every((state) => state === "ACTIVE")
      ? "active"
      : "waiting";
  return { verdict, resources };
}

/** The load balancer front ends apply entries on their own, so an entry never fails. */
export function assessEntries(wanted: readonly string[], found: readonly LiveEntry[]): Assessment {
  const byName = new Map(found.map((entry) => [entry.name, entry]));
  const resources = wanted.map((name): ResourceState => {
    const entry = byName.get(name);
    if (entry === undefined) return { name, state: "MISSING", findings: [reasonOf("entry-not-there", name)] };
    if (entry.state === "ACTIVE") return { name, state: entry.state, findings: [] };
    return { name, state: entry.state, findings: [reasonOf("entry-pending", name, { hostnames: [entry.hostname] })] };
  });
  return { verdict: resources.every(({ state }) => state === "ACTIVE") ? "active" : "waiting", resources };
}

function stateOfCertificate(name: string, certificate: LiveCertificate | undefined): ResourceState {
  if (certificate === undefined) return { name, state: "MISSING", findings: [reasonOf("certificate-not-there", name)] };
  const { state, issue } = certificate;
  if (state === "ACTIVE") return { name, state, findings: [] };
  const pending = certificate.validation === "loadBalancer" ? "domain-awaits-traffic" : "domain-authorizing";
  const domains = certificate.attempts
    .filter((attempt) => attempt.state !== "AUTHORIZED")
    .map((attempt) => domainFinding(attempt, pending));
  const issued =
    issue === undefined
      ? []
      : [reasonOf(issueCodes[issue.reason] ?? "issuance-failed", name, { detail: issue.details })];
  const whole = reasonOf(state === "FAILED" ? "certificate-failed" : "certificate-provisioning", name);
  // The code for a pending resource adds no information if a more specific reason is known.
  const findings =
    state === "FAILED" || domains.length + issued.length === 0
      ? [...domains, ...issued, whole]
      : [...domains, ...issued];
  return { name, state, findings: findings.sort((a, b) => severityRanks[a.severity] - severityRanks[b.severity]) };
}

const attemptCodes: Readonly<Record<string, WaitCode>> = {
  CONFIG: "domain-config",
  CAA: "domain-caa",
  RATE_LIMITED: "domain-rate-limited",
};
const issueCodes: Readonly<Record<string, WaitCode>> = {
  AUTHORIZATION_ISSUE: "issuance-authorization",
  RATE_LIMITED: "issuance-rate-limited",
};

/** @param pending code of a domain whose validation is in progress */
function domainFinding(attempt: AuthorizationAttempt, pending: WaitCode): WaitFinding {
  const { domain, state, failureReason, details } = attempt;
  const known = attemptCodes[failureReason ?? ""];
  const otherwise = state === "FAILED" || failureReason !== undefined ? "domain-failed" : pending;
  return reasonOf(known ?? otherwise, domain, { hostnames: [domain], detail: details });
}

const findingOf = findingsOf(waitCodes);

/** Creates a finding; its message is the meaning of the code, and the detail from the service. */
function reasonOf(
  code: WaitCode,
  subject: string,
  { hostnames, detail = "" }: { readonly hostnames?: readonly string[]; readonly detail?: string | undefined } = {},
): WaitFinding {
  const { meaning } = waitCodes[code];
  return findingOf(code, subject, detail === "" ? meaning : `${meaning} (${detail})`, { hostnames });
}

/** Describes a reason in one line, with the domain if the reason applies to a single domain; untrusted. */
export function describeReason({ hostnames, message }: WaitFinding): string {
  return hostnames === undefined ? message : `${hostnames.join(", ")}: ${message}`;
}

/** Describes a reason and its remedy in one line; untrusted. */
export function describeFinding(finding: WaitFinding): string {
  return `${describeReason(finding)} - ${finding.remedy} [${finding.code}]`;
}
