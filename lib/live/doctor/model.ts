import { type DoctorCode, doctorCodes, type Severity } from "./codes";

/** One trouble, or something that should be known before the start. */
export interface DoctorFinding {
  readonly code: DoctorCode;
  readonly severity: Severity;
  /** Hostname, record, zone, project or resource that it is about; untrusted. */
  readonly subject: string;
  /** What is the case; untrusted. One line, lower case, no final period. */
  readonly what: string;
  /** Why it matters. */
  readonly why: string;
  /** What to do; untrusted. */
  readonly remedy: string;
  /** A command line for a POSIX shell that does it or shows more. */
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

/** How one check went. */
export interface DoctorCheck {
  readonly check: CheckName;
  /** What it looked at: a project, a zone, a domain, a hostname; untrusted. */
  readonly subject: string;
  /** `unknown`: at least part of it could not be looked at; `stopped`: the run ended before. */
  readonly outcome: "passed" | "found" | "unknown" | "stopped";
  /** What could not be looked at and why, or numbers that were seen; untrusted. */
  readonly notes: readonly string[];
}

/** What the doctor says; the JSON that `cert-migration doctor --json` prints, with `version` 1 beside it. */
export interface DoctorReport {
  /** Errors first, then by code and subject. */
  readonly findings: readonly DoctorFinding[];
  /** Everything that was looked at, in the order of the checks. */
  readonly checks: readonly DoctorCheck[];
  /** Whether the run was stopped before the end, so that findings may be missing. */
  readonly stopped: boolean;
}

/** What a check found. */
export interface CheckResult {
  readonly findings: readonly DoctorFinding[];
  /** What could not be looked at, and why. */
  readonly unknown?: readonly string[];
  /** Numbers that were seen. */
  readonly notes?: readonly string[];
}

/** Several results as one. */
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

/** A finding with the words of its code. @param what is the case */
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
