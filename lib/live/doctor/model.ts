import { type DoctorCode, doctorCodes, type Severity } from "./codes";

/** A problem, or a fact to know before the start. */
export interface DoctorFinding {
  readonly code: DoctorCode;
  readonly severity: Severity;
  /** Affected hostname, record, zone, project or resource; untrusted. */
  readonly subject: string;
  /** What was found; untrusted. One line, lower case, no final period. */
  readonly what: string;
  /** Why the finding matters. */
  readonly why: string;
  /** What to do; untrusted. */
  readonly remedy: string;
  /** A command line for a POSIX shell that applies the remedy or shows details. */
  readonly command?: string;
}

export const checkNames = [
  "project",
  "billing",
  "apis",
  "permissions",
  "quotas",
  "references",
  "zones",
  "delegation",
  "authorizations",
  "challenges",
  "caa",
  "hostnames",
  "resolvers",
  "proxies",
  "existing",
  "clients",
] as const;

export type CheckName = (typeof checkNames)[number];

/** Result of one check. */
export interface DoctorCheck {
  readonly check: CheckName;
  /** Subject of the check: a project, zone, domain or hostname; untrusted. */
  readonly subject: string;
  /** `unknown`: at least a part could not be checked. `stopped`: the run ended before the check did. */
  readonly outcome: "passed" | "found" | "unknown" | "stopped";
  /** What could not be checked and why, or measured numbers; untrusted. */
  readonly notes: readonly string[];
}

/** Result of the doctor. `cert-migration doctor --json` prints this as JSON, with `version` 1 added. */
export interface DoctorReport {
  /** Errors first, then by code and subject. */
  readonly findings: readonly DoctorFinding[];
  /** All checks, in the order in which they are defined. */
  readonly checks: readonly DoctorCheck[];
  /** Whether the run was stopped before its end, so that findings may be missing. */
  readonly stopped: boolean;
}

/** Findings and notes of a check. */
export interface CheckResult {
  readonly findings: readonly DoctorFinding[];
  /** What could not be checked, and why. */
  readonly unknown?: readonly string[];
  /** Measured numbers. */
  readonly notes?: readonly string[];
}

/** Merges several results. */
export function merge(results: readonly CheckResult[]): CheckResult {
  return {
    findings: results.flatMap(({ findings }) => findings),
    unknown: results.flatMap(({ unknown = [] }) => unknown),
    notes: results.flatMap(({ notes = [] }) => notes),
  };
}

interface Details {
  readonly remedy?: string | undefined;
  readonly command?: string | undefined;
}

/** Creates a finding with the texts of its code. @param what the observed problem */
export function finding(code: DoctorCode, subject: string, what: string, details: Details = {}): DoctorFinding {
  const { severity, meaning, remedy } = doctorCodes[code];
  return {
    code,
    severity,
    subject,
    what,
    why: meaning,
    remedy: details.remedy ?? remedy,
    ...(details.command === undefined ? {} : { command: details.command }),
  };
}
