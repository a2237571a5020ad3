import { severityRanks } from "../../findings/trouble";
import type { AuthorizationAttempt, LiveCertificate, LiveEntry } from "../../google";
import { type WaitCode, waitCodes } from "./codes";

/** Where a certificate or an entry stands, and why. */
export interface Standing {
  readonly name: string;
  /** As the service says; `MISSING` where there is no such thing yet, `UNKNOWN` where the service never answered. */
  readonly state: string;
  /** What it waits for, or why it failed; the worst first. Empty where it is active. */
  readonly findings: readonly WaitFinding[];
}

/** One reason why a certificate or an entry is not active. */
export interface WaitFinding {
  readonly code: WaitCode;
  readonly severity: "error" | "warning" | "info";
  /** Where it is about one domain alone. */
  readonly domain?: string;
  /** What the service says of it; untrusted. */
  readonly detail?: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** `failed` as soon as one certificate has failed: it never recovers. */
export interface Assessment {
  readonly verdict: "active" | "waiting" | "failed";
  readonly standings: readonly Standing[];
}

/** Judges what was read against what is waited for. */
export function assess(wanted: readonly string[], found: readonly LiveCertificate[]): Assessment {
  const byName = new Map(found.map((certificate) => [certificate.name, certificate]));
  const standings = wanted.map((name) => stand(name, byName.get(name)));
  const states = standings.map(({ state }) => state);
  const verdict = states.includes("FAILED")
    ? "failed"
    : states.every((state) => state === "ACTIVE")
      ? "active"
      : "waiting";
  return { verdict, standings };
}

/** Judges map entries against those that are waited for; the front ends take them over by themselves. */
export function assessEntries(wanted: readonly string[], found: readonly LiveEntry[]): Assessment {
  const byName = new Map(found.map((entry) => [entry.name, entry]));
  const standings = wanted.map((name): Standing => {
    const entry = byName.get(name);
    if (entry === undefined) return { name, state: "MISSING", findings: [findingOf("entry-not-there")] };
    if (entry.state === "ACTIVE") return { name, state: entry.state, findings: [] };
    return { name, state: entry.state, findings: [findingOf("entry-pending", { domain: entry.hostname })] };
  });
  return { verdict: standings.every(({ state }) => state === "ACTIVE") ? "active" : "waiting", standings };
}

function stand(name: string, certificate: LiveCertificate | undefined): Standing {
  if (certificate === undefined) return { name, state: "MISSING", findings: [findingOf("certificate-not-there")] };
  const { state, issue } = certificate;
  if (state === "ACTIVE") return { name, state, findings: [] };
  const domains = certificate.attempts.filter((attempt) => attempt.state !== "AUTHORIZED").map(domainFinding);
  const issued =
    issue === undefined ? [] : [findingOf(issueCodes[issue.reason] ?? "issuance-failed", { detail: issue.details })];
  const whole = findingOf(state === "FAILED" ? "certificate-failed" : "certificate-provisioning");
  // That it is under way says nothing where something is known of what it waits for.
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

function domainFinding({ domain, state, failureReason, details }: AuthorizationAttempt): WaitFinding {
  const known = attemptCodes[failureReason ?? ""];
  const otherwise = state === "FAILED" || failureReason !== undefined ? "domain-failed" : "domain-authorizing";
  return findingOf(known ?? otherwise, { domain, ...(details === undefined ? {} : { detail: details }) });
}

function findingOf(code: WaitCode, seen: Pick<WaitFinding, "domain" | "detail"> = {}): WaitFinding {
  const { detail, ...rest } = seen;
  return { code, ...waitCodes[code], ...rest, ...(detail === undefined || detail === "" ? {} : { detail }) };
}

/** What a finding is, in one line; untrusted. */
export function describeReason({ domain, meaning, detail }: WaitFinding): string {
  const of = domain === undefined ? "" : `${domain}: `;
  return `${of}${meaning}${detail === undefined ? "" : ` (${detail})`}`;
}

/** A finding and what to do, in one line; untrusted. */
export function describeFinding(finding: WaitFinding): string {
  return `${describeReason(finding)} - ${finding.remedy} [${finding.code}]`;
}
